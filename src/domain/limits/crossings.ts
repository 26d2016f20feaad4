// Crossings of thresholds and amounts.
import { type Exact, exactText, minus } from '../rates/exact.ts';
import type { Tried } from './admission.ts';
import type { Unusual } from './anomaly.ts';
import { type Gauge, movedGauge } from './gauge.ts';
import type { LimitCrossingRow } from './limit.ts';
import { type Span, shownStart } from './windows.ts';

/** Crossing of a limit, with the limit at the movement. */
export type Crossing = {
  readonly kind: 'threshold' | 'reached' | 'anomaly';
  readonly tried: Tried;
  readonly value: Exact;
  /**
   * Crossed thresholds, in the order in which the value crosses them. For `reached`, the amount of the limit. For `anomaly`, the highest
   * usual value.
   */
  readonly crossed: readonly Exact[];
  /** Values that the value exceeds. Absent unless the kind is `anomaly`. */
  readonly unusual?: Unusual;
  readonly cause: 'amount' | 'rejected';
};

/** Returns the gauge after a movement. */
export const gaugeAfter = ({ limit, gauge, delta, heldDelta, at }: Tried): Gauge =>
  movedGauge(limit, gauge, { used: minus(delta, heldDelta), held: heldDelta }, at);

/** Returns the window of a crossing. A rejected movement opens no session. */
export function spanOf({ tried, cause }: Pick<Crossing, 'tried' | 'cause'>): Span | null {
  return cause === 'rejected' ? tried.gauge.span : gaugeAfter(tried).span;
}

/** Returns the row of a crossing in the history. Crossings of the organization and of plans belong to no customer. */
export function crossingRow(
  crossing: Crossing,
  now: Date,
  newId: (prefix: string) => string,
): LimitCrossingRow {
  const { kind, tried, value, crossed, cause } = crossing;
  const { limit, node } = tried;
  const span = spanOf(crossing);
  const start = shownStart(span);
  return {
    id: newId('lcr'),
    seq: null,
    limitId: limit.id,
    nodeId: node.id,
    customerId: node.level === undefined ? node.customerId : null,
    kind,
    cause: kind === 'reached' ? cause : null,
    threshold: exactText(crossed.at(-1) ?? value),
    value: exactText(value),
    currency: limit.amounts.length === 0 ? null : limit.currency,
    windowStart: start === null ? null : new Date(start),
    windowEnd: span?.end === null || span === null ? null : new Date(span.end),
    createdAt: now,
  };
}
