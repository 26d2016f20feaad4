import type { Operations } from '../generated/types.ts';
import type { UsageQueue } from '../usage-queue.ts';

/** Options of the holds of a wrapper. */
type HoldOptions = {
  /** Output tokens to reserve for a call without an output limit. Defaults to 4,096. */
  readonly maxOutputTokens?: number;
  /**
   * Smallest number of output tokens to reserve. If the output limit of a call doesn't fit, the hold and the output limit are reduced. Without
   * this option, such a call is rejected.
   */
  readonly atLeast?: number;
  /** Lifetime of the hold in seconds. Defaults to 900. */
  readonly expiresIn?: number;
  /** Effect of tokens that the hold didn't reserve. Defaults to `fit`: they are charged as far as all limits accept them. */
  readonly onExcess?: 'accept' | 'drop' | 'fit';
};

export type MeteringOptions = {
  /** Client that records the usage. */
  readonly quittance: {
    readonly usageQueue: Pick<UsageQueue, 'add' | 'waitFor'>;
    readonly usage: Pick<Operations['usage'], 'hold' | 'release'>;
  };
  /**
   * `hold` reserves the estimated tokens before each call, and settles the hold after the call. A rejected hold throws before the vendor is called.
   * `record` only records the tokens after each call. Defaults to `hold`.
   */
  readonly mode?: 'hold' | 'record' | undefined;
  /** Options of the holds. */
  readonly hold?: HoldOptions;
  /** Key of the customer's budget whose limits the usage counts toward. */
  readonly budget?: string;
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

/** Output tokens that are reserved for a call without an output limit. */
const defaultOutputTokens = 4_096;

/** Open hold of a call, with the reserved tokens. */
type OpenHold = { readonly id: string; readonly inputTokens: number; readonly outputTokens: number };

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

const propertiesOf = (properties: Readonly<Record<string, string>>): { property: string; value: string }[] =>
  Object.entries(properties).map(([property, value]) => ({ property, value }));

const names = [
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'cacheWrite1hTokens',
  'reasoningTokens',
] as const;

/**
 * Usage of one call. Reserves the estimated tokens, collects the reported counts and the received text, and records one usage event, however often the end of
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
  #hold: OpenHold | null = null;

  constructor(options: MeteringOptions, model: string, input: unknown) {
    this.#options = options;
    this.#requested = model;
    this.#model = model;
    this.#input = input;
  }

  get isHeld(): boolean {
    return this.#options.mode !== 'record';
  }

  /**
   * Reserves the estimated input and the output limit of the call. Returns the reserved output tokens if they are the new limit of the call,
   * and otherwise `null`. Throws the error of a rejected hold.
   */
  async open(limit: unknown, signal?: AbortSignal | null): Promise<number | null> {
    if (!this.isHeld) return null;
    const { quittance, customerId, featureCode, budget, hold = {}, modelName } = this.#options;
    const { maxOutputTokens = defaultOutputTokens, atLeast, expiresIn, onExcess } = hold;
    const inputTokens = estimatedTokens(textOf(this.#input));
    const wanted = isCount(limit) ? limit : maxOutputTokens;
    const opened = await quittance.usage.hold(
      {
        customerId,
        featureCode,
        holdId: this.#eventId,
        estimate: {
          model: modelName?.(this.#requested, this.#requested) ?? this.#requested,
          inputTokens,
          outputTokens: wanted,
        },
        properties: propertiesOf(this.#options.properties ?? {}),
        budget,
        atLeast: atLeast === undefined ? undefined : String(Math.min(atLeast, wanted)),
        expiresIn,
        onExcess,
      },
      signal == null ? {} : { signal },
    );
    const outputTokens = opened.outputTokens ?? wanted;
    this.#hold = { id: opened.id, inputTokens, outputTokens };
    return outputTokens < wanted || (atLeast !== undefined && !isCount(limit)) ? outputTokens : null;
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

  /** Records the usage and settles the hold, once. Releases the hold if the call failed before any output and any report. */
  settle(): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    const { inputTokens, outputTokens } = this.#counts;
    if (this.#received === '' && inputTokens === undefined && outputTokens === undefined)
      return this.#release();
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

  /** Releases the hold. If that fails, the hold expires. */
  #release(): void {
    if (this.#hold === null) return;
    const { usage, usageQueue } = this.#options.quittance;
    usageQueue.waitFor(
      usage.release(this.#hold.id).then(
        () => undefined,
        () => undefined,
      ),
    );
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
        Math.max(
          this.#hold?.inputTokens ?? estimatedTokens(textOf(this.#input)),
          cacheReadTokens + cacheWriteTokens,
        ),
      outputTokens:
        counts.outputTokens ??
        Math.max(
          Math.min(estimatedTokens(this.#received), this.#hold?.outputTokens ?? Number.POSITIVE_INFINITY),
          reasoningTokens,
        ),
      customerId: this.#options.customerId,
      featureCode: this.#options.featureCode,
      model: modelName(this.#model, this.#requested),
      eventId: this.#eventId,
      properties: propertiesOf(properties),
      ...(this.#hold === null ? { budget: this.#options.budget } : { hold: this.#hold.id }),
    };
    // Vendors return the name of a version, which a price list doesn't always contain.
    quittance.usageQueue.add(event, modelName(this.#requested, this.#requested));
  }
}
