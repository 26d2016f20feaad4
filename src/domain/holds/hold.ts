// Holds: reservations of an estimate for usage whose cost is known only after it ends (LIM-50, LIM-55).
import type { HeldGauges } from '../limits/limit.ts';
import type { EventProperties } from '../rates/derived.ts';
import { dayMs, hourMs, secondMs } from '../time/period.ts';

/** `open` holds reserve their estimate. Other holds have ended. */
export type HoldStatus = 'open' | 'settled' | 'released' | 'expired';

/**
 * Effect of usage that exceeds the reserved amount (LIM-63). `fit` charges what all limits and pools accept, `accept` charges
 * everything, and `drop` charges at most the reserved amount.
 */
export type HoldExcess = 'fit' | 'accept' | 'drop';

/** Model whose prices a hold keeps, so that its settlements have the prices of the estimate (LIM-52). */
export type HeldModel = {
  /** Name in the request. */
  readonly name: string;
  readonly id: string;
  readonly version: string;
  readonly prices: readonly {
    readonly upTo: number | null;
    readonly prices: { readonly [tokenClass: string]: string };
  }[];
};

/** Request that opened a hold. A repeated request must be equal (LIM-58). Counts are integers as text. */
export type HoldRequestFields = {
  readonly value: string | null;
  readonly quantity: string | null;
  readonly model: string | null;
  readonly tokens: { readonly [tokenClass: string]: string };
  readonly inputIncludesCache: boolean | null;
  readonly atLeast: string | null;
  readonly expiresIn: number | null;
};

/** Reserved estimate. `quantity` is in units, as a decimal. */
export type HoldEstimate = {
  readonly request: HoldRequestFields;
  /** Customer as named in the request: its ID or its external ID. */
  readonly customer: string;
  readonly quantity: string;
  /** Number of counted units in one unit. */
  readonly scale: string;
  /** Reserved output tokens. `null` unless the estimate consists of tokens. */
  readonly outputTokens: string | null;
  /** Price of the estimate, as a decimal in units of the asset. `null` if the price depends only on the total. */
  readonly price: string | null;
  readonly model: HeldModel | null;
  /** Keys of the budget and its parents when the hold was opened, from the top (LIM-15). Absent from holds that were opened by older versions. */
  readonly path?: readonly string[];
};

/** Part of a settlement that isn't charged (LIM-66). `amount` is in units of the asset. Both are decimals. */
export type Uncounted = { readonly quantity: string; readonly amount: string };

/** Hold that a usage event settles. `uncounted` is absent if the event is charged completely. */
export type EventHold = {
  readonly id: string;
  /** Whether the hold had expired. */
  readonly isLate: boolean;
  readonly uncounted?: Uncounted;
};

export type HoldRow = {
  readonly id: string;
  readonly seq: bigint | null;
  /** Identifier that the API client assigned. `null` if the hold has no identifier. */
  readonly holdId: string | null;
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly featureId: string;
  readonly budgetId: string | null;
  readonly status: HoldStatus;
  readonly onExcess: HoldExcess;
  readonly estimate: HoldEstimate;
  /** Units that are still reserved, in counted units. */
  readonly units: bigint;
  /** Price that is still reserved, as a decimal in units of the asset. `null` if the price depends only on the total. */
  readonly price: string | null;
  /** Amounts that are still reserved in the gauges of limits. */
  readonly gauges: HeldGauges;
  readonly properties: EventProperties;
  /** Settled units, in counted units. */
  readonly settled: bigint;
  /** ID of the last event that settles the hold. `null` if no event does. */
  readonly lastEventId: string | null;
  readonly expiresAt: Date;
  /** `expiresAt` of an open hold. `null` if the hold has ended. */
  readonly dueAt: Date | null;
  readonly endedAt: Date | null;
  readonly createdAt: Date;
};

/** Default lifetime of a hold in seconds (LIM-59). */
export const defaultLifetime = 900;

/** Longest lifetime of a hold with all extensions (LIM-59). */
const longestLifeMs = 7 * dayMs;

/** Time after the expiry of a hold during which it can still be settled (LIM-55). */
const lateMs = 72 * hourMs;

/** Returns true if an open hold must expire. */
export const isDue = ({ dueAt }: Pick<HoldRow, 'dueAt'>, now: Date): boolean =>
  dueAt !== null && dueAt <= now;

/** Returns true if an expired hold can no longer be settled. */
export const isTooLate = ({ status, expiresAt }: Pick<HoldRow, 'status' | 'expiresAt'>, now: Date): boolean =>
  status === 'expired' && now.getTime() > expiresAt.getTime() + lateMs;

/** Returns true if the last settlement of a hold came after its expiry (LIM-64). */
export const isSettledLate = ({
  status,
  expiresAt,
  endedAt,
}: Pick<HoldRow, 'status' | 'expiresAt' | 'endedAt'>): boolean =>
  status === 'settled' && endedAt !== null && endedAt >= expiresAt;

/** Returns the end of a hold that is extended now. An extension never shortens a hold. `null` if the hold would live too long. */
export function extendedEnd(
  { createdAt, expiresAt }: Pick<HoldRow, 'createdAt' | 'expiresAt'>,
  now: Date,
  expiresIn: number,
): Date | null {
  const end = Math.max(expiresAt.getTime(), now.getTime() + expiresIn * secondMs);
  return end > createdAt.getTime() + longestLifeMs ? null : new Date(end);
}

/** Returns a hold that no longer reserves anything. */
export const ended = (hold: HoldRow, status: Exclude<HoldStatus, 'open'>, at: Date): HoldRow => ({
  ...hold,
  status,
  units: 0n,
  price: hold.price === null ? null : '0',
  gauges: {},
  dueAt: null,
  endedAt: at,
});
