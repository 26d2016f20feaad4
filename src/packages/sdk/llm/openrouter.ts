import { isStream, MeteredCall, type MeteringOptions, meteredChunks, withChunks } from './metering.ts';
import { metered as meteredOpenai, readOpenai } from './openai.ts';

/** Client of `@openrouter/sdk`, whose names are in camel case. */
type OpenRouterClient = { readonly chat: { readonly send: (...parameters: never[]) => Promise<unknown> } };

type Chunk = Parameters<typeof readOpenai>[1];

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Converts the names of a value to snake case, as OpenAI and the API of OpenRouter use them. */
const inSnakeCase = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inSnakeCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [snake(name), inSnakeCase(part)]));
};

function meteredSend(client: OpenRouterClient, options: MeteringOptions): OpenRouterClient['chat']['send'] {
  return async (...parameters) => {
    const [request] = parameters as unknown as [Record<string, unknown>];
    const body = (request['chatGenerationParams'] ?? request['chatRequest'] ?? request) as typeof request;
    const call = new MeteredCall(options, String(body['model']), body['messages']);
    const read = (chunk: unknown): boolean => {
      readOpenai(call, inSnakeCase(chunk) as Chunk);
      return true;
    };
    const result = await client.chat.send(...parameters);
    if (isStream(result))
      return withChunks(result, (source) => meteredChunks(source, call, read, options.onAbort));
    read(result);
    call.settle();
    return result;
  };
}

/**
 * Returns a copy of a client of OpenRouter that records tokens. Accepts `@openrouter/sdk`, or an OpenAI client whose base URL is
 * OpenRouter's. The usage event contains the model that served the call, and the charge as the property `cost`.
 */
export function metered<Client extends OpenRouterClient | Parameters<typeof meteredOpenai>[0]>(
  client: Client,
  options: MeteringOptions,
): Client {
  if (!('send' in client.chat)) return meteredOpenai(client as never, options) as Client;
  const routed = client as OpenRouterClient;
  const chat = new Proxy(routed.chat, {
    get: (target, name) =>
      name === 'send' ? meteredSend(routed, options) : Reflect.get(target, name, target),
  });
  return new Proxy(client, {
    get: (target, name) => (name === 'chat' ? chat : Reflect.get(target, name, target)),
  });
}
