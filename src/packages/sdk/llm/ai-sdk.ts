import { MeteredCall, type MeteringOptions, type TokenCounts } from './metered-call.ts';
import { meteredReadable } from './streams.ts';

type Count = number | undefined;
type InputParts = { readonly total?: Count; readonly cacheRead?: Count; readonly cacheWrite?: Count };
type OutputParts = { readonly total?: Count; readonly reasoning?: Count };

/** Usage of a language model. Specifications v3 and v4 have separate parts; specification v2 has totals. */
type Usage = {
  readonly inputTokens?: InputParts | Count;
  readonly outputTokens?: OutputParts | Count;
  readonly cachedInputTokens?: Count;
  readonly reasoningTokens?: Count;
};

/** Converts the usage of the AI SDK, whose total input includes cached tokens. */
function aiSdkCounts({ inputTokens, outputTokens, cachedInputTokens, reasoningTokens }: Usage): TokenCounts {
  const input: InputParts =
    typeof inputTokens === 'object' ? inputTokens : { total: inputTokens, cacheRead: cachedInputTokens };
  const output: OutputParts =
    typeof outputTokens === 'object' ? outputTokens : { total: outputTokens, reasoning: reasoningTokens };
  return {
    inputTokens: input.total,
    outputTokens: output.total,
    cacheReadTokens: input.cacheRead,
    cacheWriteTokens: input.cacheWrite,
    reasoningTokens: output.reasoning,
    inputIncludesCache: true,
  };
}

type Part = {
  readonly type: string;
  readonly delta?: string;
  readonly usage?: Usage;
  readonly modelId?: string | undefined;
};

type Generated = {
  readonly usage?: Usage;
  readonly response?: { readonly modelId?: string | undefined } | undefined;
};
type Streamed = { readonly stream: ReadableStream<Part> };
type CallInput = {
  readonly prompt: unknown;
  readonly maxOutputTokens?: number;
  readonly abortSignal?: AbortSignal;
};

/** Language model of the AI SDK (specification v2, v3, or v4). */
type LanguageModel = {
  readonly provider: string;
  readonly modelId: string;
  readonly doGenerate: (input: never) => PromiseLike<Generated>;
  readonly doStream: (input: never) => PromiseLike<Streamed>;
};

function read(call: MeteredCall, { type, delta, usage, modelId }: Part): void {
  if (type.endsWith('-delta')) call.receive(delta);
  if (type === 'response-metadata') call.servedBy(modelId);
  if (usage !== undefined) call.report(aiSdkCounts(usage));
}

/** Returns a model of the AI SDK that records its tokens. */
export function metered<Model extends LanguageModel>(model: Model, options: MeteringOptions): Model {
  /** Opens the hold, and sends the input with the reserved output limit. If the call fails, the hold is released. */
  const begin = async <Result>(
    input: CallInput,
    send: (input: never) => PromiseLike<Result>,
  ): Promise<readonly [MeteredCall, Result]> => {
    const call = new MeteredCall(options, model.modelId, input.prompt);
    const limit = await call.open(input.maxOutputTokens, input.abortSignal);
    try {
      const sent = limit === null ? input : { ...input, maxOutputTokens: limit };
      return [call, await send(sent as never)];
    } catch (error) {
      call.settle();
      throw error;
    }
  };
  const doGenerate = async (input: never): Promise<Generated> => {
    const [call, result] = await begin(input, (sent) => model.doGenerate(sent));
    call.read(() => {
      call.servedBy(result.response?.modelId);
      call.report(aiSdkCounts(result.usage ?? {}));
    });
    call.settle();
    return result;
  };
  const doStream = async (input: never): Promise<Streamed> => {
    const [call, result] = await begin(input, (sent) => model.doStream(sent));
    const stream = meteredReadable(
      result.stream,
      call,
      (part) => call.read(() => read(call, part)),
      options.onAbort,
    );
    return { ...result, stream };
  };
  return new Proxy(model, {
    get: (target, name) => {
      if (name === 'doGenerate') return doGenerate;
      if (name === 'doStream') return doStream;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
