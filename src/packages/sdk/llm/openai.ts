import { MeteredCall, type MeteringOptions, type TokenCounts } from './metered-call.ts';
import { isStream, meterStream } from './streams.ts';
import { type Create, callHeld, copyOf, replaceMethod, signalIn } from './vendor-client.ts';

/** Parts of the input. OpenRouter also reports written tokens. */
type InputDetails = { readonly cached_tokens?: number; readonly cache_write_tokens?: number };

/** Usage of chat completions and of responses. */
type Usage = {
  readonly prompt_tokens?: number;
  readonly completion_tokens?: number;
  readonly prompt_tokens_details?: InputDetails | null;
  readonly completion_tokens_details?: { readonly reasoning_tokens?: number } | null;
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly input_tokens_details?: InputDetails | null;
  readonly output_tokens_details?: { readonly reasoning_tokens?: number } | null;
  /** Charge of OpenRouter, in credits. */
  readonly cost?: number | null;
};

/** Converts the usage of OpenAI, whose input includes cached tokens and whose output includes reasoning. */
const openaiCounts = (usage: Usage): TokenCounts => ({
  inputTokens: usage.prompt_tokens ?? usage.input_tokens,
  outputTokens: usage.completion_tokens ?? usage.output_tokens,
  cacheReadTokens: (usage.prompt_tokens_details ?? usage.input_tokens_details)?.cached_tokens,
  cacheWriteTokens: (usage.prompt_tokens_details ?? usage.input_tokens_details)?.cache_write_tokens,
  reasoningTokens: (usage.completion_tokens_details ?? usage.output_tokens_details)?.reasoning_tokens,
  inputIncludesCache: true,
});

type Delta = {
  readonly content?: string | null;
  readonly refusal?: string | null;
  readonly reasoning?: string | null;
  readonly tool_calls?: readonly { readonly function?: { readonly arguments?: string } }[];
};

/** Chunk of a chat completion, or event of a response. */
type Chunk = {
  readonly id?: string;
  readonly model?: string;
  readonly usage?: Usage | null;
  readonly choices?: readonly { readonly delta?: Delta }[];
  readonly type?: string;
  readonly delta?: unknown;
  readonly response?: { readonly model?: string; readonly usage?: Usage | null };
};

/** Adds a response, a chunk, or an event to the usage of a call. */
export function readOpenai(call: MeteredCall, chunk: Chunk): void {
  const { model, usage } = chunk.response ?? chunk;
  call.servedBy(model);
  if (usage !== undefined && usage !== null) {
    call.report(openaiCounts(usage));
    if (typeof usage.cost === 'number') call.note({ cost: String(usage.cost) });
  }
  // Sound is in Base64.
  if (typeof chunk.delta === 'string' && chunk.type?.endsWith('audio.delta') !== true)
    call.receive(chunk.delta);
  for (const { delta } of chunk.choices ?? []) {
    call.receive(delta?.content);
    call.receive(delta?.refusal);
    call.receive(delta?.reasoning);
    for (const tool of delta?.tool_calls ?? []) call.receive(tool.function?.arguments);
  }
}

/** True for the additional last chunk, which contains only the usage. */
const isUsageOnly = ({ choices, usage }: Chunk): boolean =>
  choices !== undefined && choices.length === 0 && usage !== undefined && usage !== null;

type ChatBody = { readonly stream?: boolean; readonly stream_options?: { readonly include_usage?: boolean } };

/** Name of the output limit of a request. */
const limitNameOf = (body: object, isChat: boolean): string =>
  !isChat ? 'max_output_tokens' : 'max_tokens' in body ? 'max_tokens' : 'max_completion_tokens';

/** Called with each chunk or response before the usage is read. */
type Observer = (call: MeteredCall, chunk: Chunk) => void;

/** Returns a method that records the usage of chat completions (`isChat`) or responses. */
const meteredCreate =
  (options: MeteringOptions, isChat: boolean, observe: Observer = () => undefined) =>
  (original: Create): Create =>
    function create(body, ...rest) {
      const { stream, stream_options: wanted } = body as ChatBody;
      const call = new MeteredCall(options, String(body['model']), body['messages'] ?? body['input']);
      const isAdded = isChat && stream === true && wanted?.include_usage !== true;
      const complete = isAdded ? { ...body, stream_options: { ...wanted, include_usage: true } } : body;
      const limitName = limitNameOf(body, isChat);
      const begin = (limit: number | null) =>
        original(limit === null ? complete : { ...complete, [limitName]: limit }, ...rest);
      const read = (chunk: unknown): boolean => {
        call.read(() => {
          observe(call, chunk as Chunk);
          readOpenai(call, chunk as Chunk);
        });
        return !(isAdded && isUsageOnly(chunk as Chunk));
      };
      return callHeld(call, body[limitName], signalIn(rest), begin, (result) => {
        if (isStream(result)) return meterStream(result, call, read, options.onAbort);
        read(result);
        call.settle();
        return result;
      });
    };

/** Client of `openai`. */
export type OpenaiClient = {
  readonly chat: { readonly completions: object };
  readonly responses?: object;
};

/** Returns a copy of a client of OpenAI that records tokens, and passes each chunk and response to a function. */
export function meteredWith<Client extends OpenaiClient>(
  client: Client,
  options: MeteringOptions,
  observe?: Observer,
): Client {
  const copy = copyOf(client);
  replaceMethod(copy.chat.completions, 'create', meteredCreate(options, true, observe));
  replaceMethod(copy.responses, 'create', meteredCreate(options, false, observe));
  return copy;
}

/** Returns a copy of a client of OpenAI that records the tokens of chat completions and responses. */
export function metered<Client extends OpenaiClient>(client: Client, options: MeteringOptions): Client {
  return meteredWith(client, options);
}
