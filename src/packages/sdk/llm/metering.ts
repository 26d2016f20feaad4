import type { UsageQueue } from '../usage-queue.ts';

export type MeteringOptions = {
  /** Client that records the usage. */
  readonly quittance: { readonly usageQueue: Pick<UsageQueue, 'add'> };
  /** ID or external ID of the customer. */
  readonly customerId: string;
  /** Code of the usage feature. */
  readonly featureCode: string;
  /** Properties of the usage events. */
  readonly properties?: Readonly<Record<string, string>>;
  /**
   * Usage of a stream that ends early: estimated from the received text, or read to the end in the background and recorded exactly.
   * Defaults to `estimate`.
   */
  readonly onAbort?: 'estimate' | 'drain';
};

/** Token counts of a call, as in usage events. */
export type TokenCounts = {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly cacheReadTokens?: number | undefined;
  readonly cacheWriteTokens?: number | undefined;
  readonly cacheWrite1hTokens?: number | undefined;
  readonly reasoningTokens?: number | undefined;
  readonly inputIncludesCache?: boolean | undefined;
};

const encoder = new TextEncoder();
const bytesPerToken = 4;

/** Estimated number of tokens of a text: one token per 4 bytes, rounded up. */
const estimatedTokens = (text: string): number => Math.ceil(encoder.encode(text).length / bytesPerToken);

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

const names = [
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'cacheWrite1hTokens',
  'reasoningTokens',
] as const;

/**
 * Usage of one call. Collects the reported counts and the received text, and records one usage event, however often the end of
 * the call is signaled. Counts that weren't reported are estimated. A reported 0 is a count.
 */
export class MeteredCall {
  readonly #options: MeteringOptions;
  readonly #input: unknown;
  readonly #eventId = crypto.randomUUID();
  #model: string;
  #counts: TokenCounts = {};
  #received = '';
  #isSettled = false;
  #extra: Readonly<Record<string, string>> = {};

  constructor(options: MeteringOptions, model: string, input: unknown) {
    this.#options = options;
    this.#model = model;
    this.#input = input;
  }

  /** Sets the model that served the call, if the response contains it. */
  servedBy(model: string | null | undefined): void {
    if (typeof model === 'string' && model !== '') this.#model = model;
  }

  /** Adds received text, reasoning, or tool arguments. */
  receive(text: string | null | undefined): void {
    if (typeof text === 'string') this.#received += text;
  }

  /** Adds reported counts. A later report replaces the counts of an earlier report. Invalid counts are ignored. */
  report(counts: TokenCounts): void {
    const valid = names.flatMap((name) => (isCount(counts[name]) ? [[name, counts[name]]] : []));
    const { inputIncludesCache } = counts;
    this.#counts = {
      ...this.#counts,
      ...Object.fromEntries(valid),
      ...(inputIncludesCache === undefined ? {} : { inputIncludesCache }),
    };
  }

  /** Adds properties to the usage event. */
  note(properties: Readonly<Record<string, string>>): void {
    this.#extra = { ...this.#extra, ...properties };
  }

  /** Records the usage once. Records nothing if the call failed before any output and any report. */
  settle(): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    const counts = this.#counts;
    if (this.#received === '' && counts.inputTokens === undefined && counts.outputTokens === undefined)
      return;
    const isEstimated = counts.inputTokens === undefined || counts.outputTokens === undefined;
    const properties = {
      ...this.#options.properties,
      ...this.#extra,
      ...(isEstimated ? { estimated: 'true' } : {}),
    };
    this.#options.quittance.usageQueue.add({
      ...counts,
      inputTokens: counts.inputTokens ?? estimatedTokens(JSON.stringify(this.#input) ?? ''),
      outputTokens: counts.outputTokens ?? estimatedTokens(this.#received),
      customerId: this.#options.customerId,
      featureCode: this.#options.featureCode,
      model: this.#model,
      eventId: this.#eventId,
      properties: Object.entries(properties).map(([property, value]) => ({ property, value })),
    });
  }
}

/** Reads the rest of a stream in the background, and records the usage at its end. */
async function drain<Chunk>(
  chunks: AsyncIterator<Chunk>,
  call: MeteredCall,
  read: (chunk: Chunk) => unknown,
): Promise<void> {
  try {
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) read(next.value);
  } catch {
    // The usage up to the failure is recorded.
  } finally {
    call.settle();
  }
}

/** Yields the chunks of a stream unchanged, except those for which `read` returns false. Records the usage when the stream ends in any way. */
export async function* meteredChunks<Chunk>(
  source: AsyncIterable<Chunk>,
  call: MeteredCall,
  read: (chunk: Chunk) => boolean,
  onAbort: MeteringOptions['onAbort'],
): AsyncGenerator<Chunk, void> {
  const chunks = source[Symbol.asyncIterator]();
  let isComplete = false;
  try {
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next())
      if (read(next.value)) yield next.value;
    isComplete = true;
  } catch (error) {
    isComplete = true;
    throw error;
  } finally {
    if (isComplete) call.settle();
    else if (onAbort === 'drain') void drain(chunks, call, read);
    else {
      call.settle();
      await chunks.return?.();
    }
  }
}

type Streamed = AsyncIterable<unknown>;

export const isStream = (value: unknown): value is Streamed =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

/** Returns a stream that behaves like another one, but whose chunks are replaced. Methods run on the original stream. */
export function withChunks<Stream extends Streamed>(
  stream: Stream,
  chunksOf: (source: Streamed) => AsyncGenerator<unknown, void>,
): Stream {
  return new Proxy(stream, {
    get(target, name) {
      if (name === Symbol.asyncIterator) return () => chunksOf(target);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Promise of a vendor's client, which also returns the raw response. */
type VendorPromise = Promise<unknown> & {
  readonly _thenUnwrap?: (change: (value: unknown) => unknown) => VendorPromise;
};

/** Changes the value of a promise without losing the additional methods of a vendor's promise. */
export const changed = (promise: VendorPromise, change: (value: unknown) => unknown): VendorPromise =>
  promise._thenUnwrap?.(change) ?? promise.then(change);

/** Method of a vendor's client that creates a response. */
export type Create = (this: unknown, body: Record<string, unknown>, ...rest: unknown[]) => VendorPromise;

/** Replaces a method of a resource on one client. */
export function replaceMethod(resource: object, name: string, make: (original: Create) => Create): void {
  const original = Reflect.get(resource, name) as Create | undefined;
  if (original !== undefined) Object.defineProperty(resource, name, { value: make(original.bind(resource)) });
}

/** Returns a separate client with the same settings, so that the caller's client isn't metered. */
export function copyOf<Client extends object>(client: Client): Client {
  const { withOptions } = client as { withOptions?: (options: object) => Client };
  if (withOptions === undefined) throw new TypeError('The client has no method withOptions.');
  return withOptions.call(client, {});
}
