import { sleep } from '../sleep.ts';
import { MeteredCall, type MeteringOptions } from './metered-call.ts';
import { meteredWith, type OpenaiClient, readOpenai } from './openai.ts';
import { meteredReadable } from './streams.ts';

type Send = (...parameters: never[]) => Promise<unknown>;

/** Client of `@openrouter/sdk`, whose names are in camel case. */
type OpenRouterClient = {
  readonly chat: { readonly send: Send };
  readonly generations?: {
    readonly getGeneration: (
      request: { id: string },
      options: { retries: { strategy: 'none' }; timeoutMs: number },
    ) => PromiseLike<unknown>;
  };
};

/** Client of `openai` whose base URL is OpenRouter's. */
type CompatibleClient = OpenaiClient & {
  readonly get?: (path: string, options: { query: { id: string }; timeout: number }) => PromiseLike<unknown>;
};

type Chunk = Parameters<typeof readOpenai>[1];

/** Stored usage of a call, which OpenRouter keeps for streams that were aborted too. */
type Generation = {
  readonly model?: string;
  readonly native_tokens_prompt?: number | null;
  readonly native_tokens_completion?: number | null;
  readonly native_tokens_cached?: number | null;
  readonly native_tokens_reasoning?: number | null;
  readonly total_cost?: number | null;
};

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Converts the names of a value to snake case, as OpenAI and the API of OpenRouter use them. */
const inSnakeCase = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inSnakeCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [snake(name), inSnakeCase(part)]));
};

/** Waits before the queries of a generation in milliseconds. OpenRouter stores a generation shortly after its end. */
const waitsMs = [500, 1_000, 2_000, 4_000];

const queryLimitMs = 10_000;

/** Queries a generation until OpenRouter has stored it, and reports its usage. */
async function reportGeneration(call: MeteredCall, query: () => PromiseLike<unknown>): Promise<void> {
  for (const ms of waitsMs) {
    await sleep(ms);
    const response = await Promise.resolve(query()).catch(() => null);
    const { data } = (inSnakeCase(response) ?? {}) as { data?: Generation };
    if (typeof data?.native_tokens_completion !== 'number') continue;
    call.servedBy(data.model);
    call.report({
      inputTokens: data.native_tokens_prompt ?? undefined,
      outputTokens: data.native_tokens_completion,
      cacheReadTokens: data.native_tokens_cached ?? undefined,
      reasoningTokens: data.native_tokens_reasoning ?? undefined,
      inputIncludesCache: true,
    });
    if (typeof data.total_cost === 'number') call.note({ cost: String(data.total_cost) });
    return;
  }
}

type ChatCall = { readonly chatRequest?: Readonly<Record<string, unknown>> };

function meteredSend(client: OpenRouterClient, options: MeteringOptions): Send {
  return async (...parameters) => {
    const [request, ...rest] = parameters as unknown as [ChatCall, ...unknown[]];
    const { model, messages, maxTokens, maxCompletionTokens } = request.chatRequest ?? {};
    const call = new MeteredCall(options, String(model), messages);
    const { generations } = client;
    // The client would retry for an hour.
    const queryOptions = { retries: { strategy: 'none' as const }, timeoutMs: queryLimitMs };
    const read = (chunk: unknown): void => {
      const { id = '' } = (chunk ?? {}) as Chunk;
      if (generations !== undefined && id !== '')
        call.lookUpWith(() => reportGeneration(call, () => generations.getGeneration({ id }, queryOptions)));
      call.read(() => readOpenai(call, inSnakeCase(chunk) as Chunk));
    };
    const limitName = maxTokens === undefined ? 'maxCompletionTokens' : 'maxTokens';
    const limit = await call.open(maxTokens ?? maxCompletionTokens);
    const sent =
      limit === null ? request : { ...request, chatRequest: { ...request.chatRequest, [limitName]: limit } };
    let result: unknown;
    try {
      result = await client.chat.send(...([sent, ...rest] as never[]));
    } catch (error) {
      call.settle();
      throw error;
    }
    if (result instanceof ReadableStream) return meteredReadable(result, call, read, options.onAbort);
    read(result);
    call.settle();
    return result;
  };
}

/** Returns an object with one member replaced. Methods run on the original object. */
function withMember<Value extends object>(value: Value, member: string, replacement: unknown): Value {
  return new Proxy(value, {
    get(target, name) {
      if (name === member) return replacement;
      const found: unknown = Reflect.get(target, name, target);
      return typeof found === 'function' ? found.bind(target) : found;
    },
  });
}

/**
 * Returns a copy of a client of OpenRouter that records tokens. Accepts `@openrouter/sdk`, or a client of `openai` whose base URL is
 * OpenRouter's. The usage event contains the model that served the call, and the charge as the property `cost`. The usage of an aborted
 * stream is queried from OpenRouter.
 */
export function metered<Client extends OpenRouterClient | CompatibleClient>(
  client: Client,
  options: MeteringOptions,
): Client {
  if ('send' in client.chat) {
    const send = meteredSend(client as OpenRouterClient, options);
    return withMember(client, 'chat', withMember(client.chat, 'send', send));
  }
  const compatible = client as CompatibleClient;
  return meteredWith(compatible, options, (call, { id = '' }) => {
    if (compatible.get === undefined || id === '') return;
    const query = () =>
      compatible.get?.('/generation', { query: { id }, timeout: queryLimitMs }) ?? Promise.resolve(null);
    call.lookUpWith(() => reportGeneration(call, query));
  }) as Client;
}
