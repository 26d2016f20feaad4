// System limits: limits that follow from the terms of a plan (LIM-6). They aren't stored, and their values are whole numbers: counted units
// of a feature, a number of seats or quota units, or the available pool units of an account.
import type { EventKind } from '../events/events.ts';
import { crosses, fits } from './bound.ts';
import type { LimitAction, Rearm } from './limit.ts';

/** Events for crossed thresholds of system limits. */
export type SystemEvent = Extract<
  EventKind,
  | 'quota.threshold_reached'
  | 'quota.exceeded'
  | 'credits.low'
  | 'credits.depleted'
  | 'balance.low'
  | 'balance.depleted'
  | 'seats.limit_reached'
>;

/**
 * Threshold at which an event is sent. `rank` is its position, from 1. `amount` is `null` if the threshold is a tenth of the last grant or
 * of the last refill.
 */
export type SystemThreshold<E extends SystemEvent = SystemEvent> = {
  readonly event: E;
  readonly rank: number;
  readonly amount: bigint | null;
  readonly rearm: Extract<Rearm, 'window' | 'recross'>;
};

/** Limit from the terms of a plan. Thresholds are in the order in which the value crosses them. */
export type SystemLimit<E extends SystemEvent = SystemEvent> = {
  readonly measure: 'units' | 'level' | 'remaining';
  readonly action: Extract<LimitAction, 'block' | 'notify'>;
  readonly amount: bigint;
  readonly thresholds: readonly SystemThreshold<E>[];
};

const order = (value: bigint, to: bigint): number => (value < to ? -1 : value > to ? 1 : 0);

const isFalling = ({ measure }: SystemLimit): boolean => measure === 'remaining';

/** Returns true if a limit accepts a change to the value `after`. `isMore` is false if the value moves away from the amount. */
export const isAccepted = (limit: SystemLimit, isMore: boolean, after: bigint): boolean =>
  limit.action !== 'block' || fits(isFalling(limit), isMore, order(after, limit.amount));

/** Change of the value of a limit by a movement. `tenth` is a tenth of the last grant or refill. */
type Change = { readonly before: bigint; readonly after: bigint; readonly tenth?: bigint };

/** Event of a crossing, and the rank up to which thresholds are silent until the next window. */
type SystemCrossing<E extends SystemEvent> = { readonly event: E; readonly crossed: number };

/**
 * Returns the crossing of a movement: of all thresholds that it crosses, the last sends an event. A crossed threshold and the thresholds
 * before it are then silent until the next window, unless they rearm when the value is on the other side again. `null` if no armed
 * threshold is crossed.
 */
export function crossingOf<E extends SystemEvent>(
  limit: SystemLimit<E>,
  { before, after, tenth = 0n }: Change,
  crossed: number,
): SystemCrossing<E> | null {
  let last: SystemThreshold<E> | null = null;
  for (const threshold of limit.thresholds) {
    const { amount, rank, rearm } = threshold;
    const value = amount ?? tenth;
    const isArmed = rearm === 'recross' || rank > crossed;
    if (isArmed && crosses(isFalling(limit), order(before, value), order(after, value))) last = threshold;
  }
  if (last === null) return null;
  return { event: last.event, crossed: last.rearm === 'window' ? last.rank : crossed };
}
