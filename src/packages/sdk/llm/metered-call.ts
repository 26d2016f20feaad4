import type { UsageQueue } from '../usage-queue.ts';

export type MeteringOptions = {
  /** Client that records the usage. */
  readonly quittance: { readonly usageQueue: Pick<UsageQueue, 'add' | 'waitFor'> };
  /** ID or external ID of the customer. */
  readonly customerId: string;
  /** Code of the usage feature. */
  readonly featureCode: string;
  /** Properties of the usage events. */
  readonly properties?: Readonly<Record<string, string>>;
  /**
   * Returns the name of a model in the price list. Defaults to the model that served the call. If the price list doesn't contain that
   * model, the requested model is recorded.
   */
  readonly modelName?: (served: string, requested: string) => string;
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

/** Length from which a text without spaces and punctuation is binary data in Base64. */
const binaryLength = 1_000;

const isBinary = (text: string): boolean =>
  text.startsWith('data:') || (text.length >= binaryLength && /^[\w+/=-]+$/.test(text));

/** Returns an input as JSON, without binary data such as images, whose size doesn't determine their tokens. */
function textOf(input: unknown): string {
  const withoutBinary = function (this: Record<string, unknown>, name: string, value: unknown): unknown {
    const original = this[name];
    if (ArrayBuffer.isView(original) || original instanceof ArrayBuffer) return '';
    return typeof value === 'string' && isBinary(value) ? '' : value;
  };
  return JSON.stringify(input, withoutBinary) ?? '';
}

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
  readonly #requested: string;
  #model: string;
  #counts: TokenCounts = {};
  #received = '';
  #isSettled = false;
  #extra: Readonly<Record<string, string>> = {};
  #lookUp: (() => Promise<unknown>) | null = null;

  constructor(options: MeteringOptions, model: string, input: unknown) {
    this.#options = options;
    this.#requested = model;
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

  /** Reads a response or a chunk. An unknown form is not counted, and doesn't cause the call of the vendor to fail. */
  read(report: () => void): void {
    try {
      report();
    } catch {
      // The usage is estimated.
    }
  }

  /** Adds properties to the usage event. */
  note(properties: Readonly<Record<string, string>>): void {
    this.#extra = { ...this.#extra, ...properties };
  }

  /** Sets a function that queries and reports the exact usage of a call whose usage wasn't reported. */
  lookUpWith(lookUp: () => Promise<unknown>): void {
    this.#lookUp = lookUp;
  }

  /** Records the usage once. Records nothing if the call failed before any output and any report. */
  settle(): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    const { inputTokens, outputTokens } = this.#counts;
    if (this.#received === '' && inputTokens === undefined && outputTokens === undefined) return;
    if (this.#lookUp === null || !this.#isEstimated()) return this.#record();
    // If the query fails, the usage is estimated.
    const done = this.#lookUp().then(
      () => this.#record(),
      () => this.#record(),
    );
    this.#options.quittance.usageQueue.waitFor(done);
  }

  /** Reads a source in the background, and then records the usage. `flush` of the client waits for the end. */
  settleAfter(reading: Promise<unknown>): void {
    const done = reading.then(
      () => this.settle(),
      // The usage up to the failure is recorded.
      () => this.settle(),
    );
    this.#options.quittance.usageQueue.waitFor(done);
  }

  #isEstimated(): boolean {
    return this.#counts.inputTokens === undefined || this.#counts.outputTokens === undefined;
  }

  #record(): void {
    const counts = this.#counts;
    const { cacheReadTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 } = counts;
    const properties = {
      ...this.#options.properties,
      ...this.#extra,
      ...(this.#isEstimated() ? { estimated: 'true' } : {}),
    };
    const { quittance, modelName = (served: string) => served } = this.#options;
    const event = {
      ...counts,
      // An estimate is never below the reported parts, because the service would reject the event.
      inputTokens:
        counts.inputTokens ??
        Math.max(estimatedTokens(textOf(this.#input)), cacheReadTokens + cacheWriteTokens),
      outputTokens: counts.outputTokens ?? Math.max(estimatedTokens(this.#received), reasoningTokens),
      customerId: this.#options.customerId,
      featureCode: this.#options.featureCode,
      model: modelName(this.#model, this.#requested),
      eventId: this.#eventId,
      properties: Object.entries(properties).map(([property, value]) => ({ property, value })),
    };
    // Vendors return the name of a version, which a price list doesn't always contain.
    quittance.usageQueue.add(event, modelName(this.#requested, this.#requested));
  }
}
