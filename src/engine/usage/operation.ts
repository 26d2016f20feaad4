import type { EventOrigin } from '../../domain/events.ts';
import type { Recorded } from '../../domain/usage/book.ts';
import type { UsageRequest } from '../../domain/usage/record.ts';
import type { EnvironmentDetails } from '../../platform/credentials.ts';
import type { FoundKey, KeyRequest, KeyResult } from '../../platform/idempotency.ts';

/** How the requests of an operation were decided, and whether anything is written for one that was rejected. */
export type UsageOutcome = { readonly results: readonly Recorded[]; readonly hasChanges: boolean };

/** The response to an outcome: what the caller gets, and what is stored under the operation's key together with its events. */
export type UsageResponse<R> = {
  readonly value: R;
  /** Null where nothing is stored. */
  readonly stored: KeyResult | null;
  /** Whether the operation records nothing, because its response says that it failed. */
  readonly isUndone: boolean;
};

/** What an operation is going to record, and its result as a pure function of what was decided, which throws where that is a rejection. */
export type PreparedUsage<R> = {
  readonly requests: readonly UsageRequest[];
  readonly resultOf: (outcome: UsageOutcome) => R;
};

/** An operation that records usage. */
export type UsageOperation<R> = {
  readonly key: KeyRequest | null;
  readonly requests: readonly UsageRequest[];
  /** Makes the response of nothing but the outcome. Called again where a batch has to be decided again. */
  readonly respond: (outcome: UsageOutcome) => UsageResponse<R>;
};

/** The result of an operation: its value, or what its key was used for before. */
export type BatchResult<R> = { readonly value: R } | { readonly found: FoundKey };

/** The transaction an operation took part in failed; `hasBegun` says whether its key may have been stored. */
export class BatchError extends Error {
  override name = 'BatchError';
  readonly hasBegun: boolean;

  constructor(cause: unknown, hasBegun: boolean) {
    super('The batch failed.', { cause });
    this.hasBegun = hasBegun;
  }
}

/** An operation on its way through batches. It is settled once. */
export class QueuedOperation {
  readonly environment: EnvironmentDetails;
  readonly operation: UsageOperation<unknown>;
  /** What the events of its requests come from. */
  readonly origin: EventOrigin;
  readonly #result = Promise.withResolvers<BatchResult<unknown>>();

  constructor(environment: EnvironmentDetails, operation: UsageOperation<unknown>, origin: EventOrigin) {
    this.environment = environment;
    this.operation = operation;
    this.origin = origin;
  }

  get key(): KeyRequest | null {
    return this.operation.key;
  }

  get requests(): readonly UsageRequest[] {
    return this.operation.requests;
  }

  get result(): Promise<BatchResult<unknown>> {
    return this.#result.promise;
  }

  settle(result: BatchResult<unknown>): void {
    this.#result.resolve(result);
  }

  fail(cause: unknown, hasBegun: boolean): void {
    this.#result.reject(new BatchError(cause, hasBegun));
  }
}
