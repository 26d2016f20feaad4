// Crossings of thresholds and amounts.
import { compare, type Exact, exactText, minus, plus, whole } from '../rates/exact.ts';
import { isBlocking, mostOf, type Tried, takenOf, valueAfter } from './admission.ts';
import { anomalyKey, type Unusual, unusual } from './anomaly.ts';
import { isBefore } from './bound.ts';
import { type Gauge, movedGauge } from './gauge.ts';
import { isFalling, type LimitCrossingRow, type LimitRow, type ReachedWindows } from './limit.ts';
import { crossedBy, thresholdsOf } from './thresholds.ts';
import { lengthOf, type Span, shownStart } from './windows.ts';

/** Crossing of a limit, with the limit at the movement. */
export type Crossing = {
  readonly kind: 'threshold' | 'reached' | 'anomaly' | 'overrun';
  readonly tried: Tried;
  readonly value: Exact;
  /**
   * Crossed thresholds, in the order in which the value crosses them. For `reached` and `overrun`, the amount of the limit. For `anomaly`, the highest
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

/** Returns the row of a crossing in the history. Crossings of the organization, plans, API keys, and members belong to no customer. */
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
    customerId: node.level === undefined && node.caller === undefined ? node.customerId : null,
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

/**
 * Returns the crossing of the amount. Empty if the crossing was already recorded in the window, or if the limit bounds single events.
 * `reached` contains the recorded windows of the node.
 */
export function reachedCrossing(
  tried: Tried,
  value: Exact,
  cause: Crossing['cause'],
  reached: ReachedWindows,
): Crossing[] {
  const { limit, gauge, at, fall } = tried;
  const { window } = limit;
  const most = mostOf(tried);
  if (window.kind === 'event' || most === null) return [];
  const last = reached[limit.id];
  const isKnown =
    window.kind === 'rolling'
      ? last !== undefined && at < last + lengthOf(window)
      : last !== undefined && last === (fall?.span ?? gauge.span?.start ?? at);
  return isKnown ? [] : [{ kind: 'reached', tried, value, crossed: [whole(most)], cause }];
}

/** Returns the crossing of a limit that a settlement exceeds. */
export const overrunCrossing = (tried: Tried): Crossing => ({
  kind: 'overrun',
  tried,
  value: valueAfter(tried),
  crossed: [whole(mostOf(tried) ?? 0n)],
  cause: 'amount',
});

/** Returns the amount by which a value exceeds the amount of a limit, or by which it is below the minimum. */
export const excessOf = (limit: Pick<LimitRow, 'measure'>, value: Exact, amount: Exact): Exact =>
  isFalling(limit) ? minus(amount, value) : minus(value, amount);

/** Returns the crossing of a movement after which the value of a day is unusual. Empty if it was already recorded in the day. */
function unusualCrossing(tried: Tried, reached: ReachedWindows): Crossing[] {
  const { limit, gauge, delta, heldDelta, at } = tried;
  if (reached[anomalyKey(limit.id)] === (gauge.span?.start ?? at)) return [];
  const value = plus(gauge.used, minus(delta, heldDelta));
  const exceeded = unusual(tried, value);
  if (exceeded === null) return [];
  return [{ kind: 'anomaly', tried, value, crossed: [exceeded.highest], cause: 'amount', unusual: exceeded }];
}

/** Returns the crossings of a limit by an accepted movement. `reached` contains the recorded windows of the node. */
export function crossingsOf(tried: Tried, reached: ReachedWindows): Crossing[] {
  const { limit, gauge, heldDelta, fall } = tried;
  // Limits that block also count the held amount (ALR-11).
  const isHeld = isBlocking(limit);
  const before = isHeld ? takenOf(gauge) : gauge.used;
  const delta = isHeld ? tried.delta : minus(tried.delta, heldDelta);
  const after = fall === null ? plus(before, delta) : valueAfter(tried);
  const peak = isHeld ? gauge.heldPeak : gauge.peak;
  const most = mostOf(tried);
  const crossed = crossedBy(thresholdsOf(limit), most, { before, peak, after, fall });
  const found: Crossing[] =
    crossed.length === 0 ? [] : [{ kind: 'threshold', tried, value: after, crossed, cause: 'amount' }];
  const isReached =
    most !== null && delta.numerator > 0n && !isBefore(fall !== null, compare(after, whole(most)));
  if (isReached && limit.action !== 'throttle')
    found.push(...reachedCrossing(tried, after, 'amount', reached));
  if (limit.anomaly !== null) found.push(...unusualCrossing(tried, reached));
  return found;
}

/** Returns the recorded windows of a node after a crossing. */
export function reachedAfter(crossing: Crossing, reached: ReachedWindows): ReachedWindows {
  const { kind, tried } = crossing;
  if (kind === 'threshold' || kind === 'overrun') return reached;
  const { limit, at, fall } = tried;
  const span = spanOf(crossing);
  return {
    ...reached,
    [kind === 'anomaly' ? anomalyKey(limit.id) : limit.id]:
      limit.window.kind === 'rolling' ? at : (fall?.span ?? span?.start ?? at),
  };
}
