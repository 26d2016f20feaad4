import { MeteredCall, type MeteringOptions, type TokenCounts } from './metered-call.ts';
import { isStream, meterStream } from './streams.ts';
import { type Create, callHeld, copyOf, replaceMethod, signalIn } from './vendor-client.ts';

type Usage = {
  readonly input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
  readonly cache_creation?: {
    readonly ephemeral_5m_input_tokens?: number;
    readonly ephemeral_1h_input_tokens?: number;
  } | null;
};

/** Converts the usage of Anthropic, whose input excludes cached tokens. Writes for 5 minutes and for 1 hour are separate. */
const anthropicCounts = (usage: Usage): TokenCounts => ({
  inputTokens: usage.input_tokens ?? undefined,
  outputTokens: usage.output_tokens ?? undefined,
  cacheReadTokens: usage.cache_read_input_tokens ?? undefined,
  cacheWriteTokens:
    usage.cache_creation?.ephemeral_5m_input_tokens ?? usage.cache_creation_input_tokens ?? undefined,
  cacheWrite1hTokens: usage.cache_creation?.ephemeral_1h_input_tokens,
  inputIncludesCache: false,
});

type StreamEvent = {
  readonly type: string;
  readonly message?: { readonly model?: string; readonly usage?: Usage };
  readonly usage?: Usage;
  readonly delta?: { readonly text?: string; readonly thinking?: string; readonly partial_json?: string };
};

function read(call: MeteredCall, { type, message, usage, delta }: StreamEvent): void {
  call.servedBy(message?.model);
  // The first event reports the exact input. Its output count isn't final, so an aborted stream is estimated.
  if (message?.usage !== undefined)
    call.report({ ...anthropicCounts(message.usage), outputTokens: undefined });
  if (type === 'message_delta' && usage !== undefined) call.report(anthropicCounts(usage));
  call.receive(delta?.text);
  call.receive(delta?.thinking);
  call.receive(delta?.partial_json);
}

const meteredCreate =
  (options: MeteringOptions) =>
  (original: Create): Create =>
    function create(body, ...rest) {
      const call = new MeteredCall(options, String(body['model']), [body['system'], body['messages']]);
      const begin = (limit: number | null) =>
        original(limit === null ? body : { ...body, max_tokens: limit }, ...rest);
      return callHeld(call, body['max_tokens'], signalIn(rest), begin, (result) => {
        if (isStream(result)) {
          const readEvent = (event: unknown): boolean => {
            call.read(() => read(call, event as StreamEvent));
            return true;
          };
          return meterStream(result, call, readEvent, options.onAbort);
        }
        call.read(() => {
          const { model, usage } = result as { model?: string; usage?: Usage };
          call.servedBy(model);
          call.report(anthropicCounts(usage ?? {}));
        });
        call.settle();
        return result;
      });
    };

/** Client of `@anthropic-ai/sdk`. */
type AnthropicClient = { readonly messages: object; readonly beta?: { readonly messages?: object } };

/** Returns a copy of a client of Anthropic that records the tokens of messages, also of `beta.messages`. */
export function metered<Client extends AnthropicClient>(client: Client, options: MeteringOptions): Client {
  const copy = copyOf(client);
  replaceMethod(copy.messages, 'create', meteredCreate(options));
  replaceMethod(copy.beta?.messages, 'create', meteredCreate(options));
  return copy;
}
