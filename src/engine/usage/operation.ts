import type { EventOrigin } from '../../domain/events/events.ts';
import type { UsageRequest } from '../../domain/usage/record.ts';
import type { Recorded } from '../../domain/usage/record-event.ts';
import type { EnvironmentDetails } from '../../platform/credentials.ts';
import type { FoundKey, KeyRequest, KeyResult } from '../../platform/idempotency.ts';

/** Results of an operation's requests. `hasChanges` is true if a rejected request writes changes. */
export type UsageOutcome = { readonly results: readonly Recorded[]; readonly hasChanges: boolean };

/**
 * Response to an operation: the value for the caller, and the result to store under the operation's
 * idempotency key.
 */
export type UsageResponse<R> = {
  readonly value: R;
  /** Result to store under the key. `null` if nothing must be stored. */
  readonly stored: KeyResult | null;
  /** True if the operation records nothing because its response is a failure. */
  readonly isUndone: boolean;
};

/**
 * Usage to record, and a pure function that creates the result. The function throws the rejection if the
 * usage is rejected.
 */
export type PreparedUsage<R> = {
  readonly requests: readonly UsageRequest[];
  readonly resultOf: (outcome: UsageOutcome) => R;
};

export type UsageOperation<R> = {
  readonly key: KeyRequest | null;
  readonly requests: readonly UsageRequest[];
  /**
   * Creates the response. Must be a pure function, because it's called again whenever the batch is decided
   * again.
   */
  readonly respond: (outcome: UsageOutcome) => UsageResponse<R>;
};

/** Value that an operation returns, or the earlier use of its idempotency key. */
export type BatchResult<R> = { readonly value: R } | { readonly found: FoundKey };

/**
 * Thrown if an operation's transaction failed. `hasBegun` is true if the operation's key may have been
 * stored.
 */
export class BatchError extends Error {
  override name = 'BatchError';
  readonly hasBegun: boolean;

  constructor(cause: unknown, hasBegun: boolean) {
    super('The batch failed.', { cause });
    this.hasBegun = hasBegun;
  }
}

/** Queued operation, which is settled exactly once. */
export class QueuedOperation {
  readonly environment: EnvironmentDetails;
  readonly operation: UsageOperation<unknown>;
  readonly origin: EventOrigin;
  readonly key: KeyRequest | null;
  readonly requests: readonly UsageRequest[];
  readonly #result = Promise.withResolvers<BatchResult<unknown>>();

  constructor(environment: EnvironmentDetails, operation: UsageOperation<unknown>, origin: EventOrigin) {
    this.environment = environment;
    this.operation = operation;
    this.origin = origin;
    this.key = operation.key;
    this.requests = operation.requests;
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
