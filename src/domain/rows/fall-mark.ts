// Marks of pools whose remaining amount limits watch.

/** Crossed threshold of a limit on the remaining amount, for which an event is sent when the amount is above the threshold again. */
export type LimitWatch = {
  readonly limitId: string;
  readonly name: string | null;
  readonly asset: string;
  /** Amount of the limit. `null` if the limit only sends events. */
  readonly amount: string | null;
  /** Highest crossed threshold, rounded down. */
  readonly above: string;
  /** Channels on which the event is reported. */
  readonly channels: readonly string[];
};

/** Lowest amounts of a pool that limits watch. Stored with the account, so that refills read no limits. */
export type FallMark = {
  /** Number of refills since limits watch the pool. */
  readonly span: number;
  /** Lowest available amount since the last refill. */
  readonly trough: string;
  /** Available amount after the latest usage. */
  readonly last: string;
  /** Amount of the last refill. */
  readonly refill: string;
  /** Start of the usage window in milliseconds, and the lowest available amount in it. */
  readonly window: { readonly start: number; readonly trough: string };
  readonly watches: readonly LimitWatch[];
};
