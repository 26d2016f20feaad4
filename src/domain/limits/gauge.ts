// Gauges: the amount that a node has used in a window.
import { signedDecimal } from '../rates/decimal.ts';
import { compare, type Exact, exactText, isZero, larger, minus, plus, zero } from '../rates/exact.ts';
import type { LimitRow, LimitWindow, StoredGauge } from './limit.ts';
import type { Freed } from './open-holds.ts';
import { exactCalls, leavesAt, type Part, partsAt, sumOf, withChange, withPart } from './rolling.ts';
import { openedSpan, type Span, spanAt, type WindowDetails } from './windows.ts';

/** Fields of a limit that determine its gauge. */
export type GaugeTerms = Pick<
  LimitRow,
  'measure' | 'currency' | 'asset' | 'filter' | 'window' | 'amount' | 'action'
>;

export type Gauge = {
  /** Current window. `null` if the window slides, bounds one event, or is a session that isn't open. */
  readonly span: Span | null;
  readonly used: Exact;
  /** Amount that open holds reserve. A new window doesn't change it. */
  readonly held: Exact;
  /** Highest value in the window. For rolling windows, the current value. */
  readonly peak: Exact;
  /** Highest sum of the used and the held amount in the window. For rolling windows, the current sum. */
  readonly heldPeak: Exact;
  readonly parts: readonly Part[];
  /** Amounts of earlier days with usage, oldest first. Absent if they aren't kept. */
  readonly days?: readonly string[];
};

/** Returns true if the gauge of a limit keeps the exact times of movements. */
const isExact = ({ measure, window, amount, action }: GaugeTerms): boolean =>
  window.kind === 'rolling' &&
  measure === 'calls' &&
  (action === 'block' || action === 'approve') &&
  amount !== null &&
  amount <= BigInt(exactCalls);

/** Keys of the limits that are in use. */
const keys = new WeakMap<GaugeTerms, string>();

/** Returns the key of a limit's gauge. Limits of a node with the same measure, filter, and window share a gauge. */
export const gaugeKey = (terms: GaugeTerms): string => keys.getOrInsertComputed(terms, keyOf);

function keyOf(terms: GaugeTerms): string {
  const { measure, currency, asset, filter, window } = terms;
  const { kind, minutes, steps, anchor, timeZone, weekStart } = window;
  const features = filter.features.toSorted();
  const dimensions = filter.dimensions
    .map(({ property, values }) => [property, values.toSorted()])
    .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  const operations = (filter.operations ?? []).toSorted();
  return JSON.stringify([
    measure,
    currency ?? asset,
    [kind, minutes, steps, anchor, timeZone, weekStart, isExact(terms)],
    features,
    dimensions,
    ...(operations.length === 0 ? [] : [operations]),
  ]);
}

/** Number of earlier days that a gauge keeps. */
export const mostDays = 28;

/** Returns the earlier days of a gauge with another day. Days without usage aren't kept. */
export const withDay = (days: readonly string[], used: string): readonly string[] =>
  used === '0' ? days : [...days, used].slice(-mostDays);

const emptyGauge = (span: Span | null, held: Exact = zero): Gauge => ({
  span,
  used: zero,
  held,
  peak: zero,
  heldPeak: held,
  parts: [],
});

/** Time in milliseconds at which a gauge is read. */
type GaugeTime = { readonly at: number; readonly since: number; readonly keepsDays?: boolean };

const storedSpan = ({ start, end }: StoredGauge): Span | null => (start === null ? null : { start, end });

/**
 * Returns a gauge at a time. `since` is the time from which the limits of the gauge apply. A gauge without a movement since then
 * belongs to limits that were deleted, and isn't used. In a new window, `used` and `peak` are 0, so that the first movement of the window can cross
 * thresholds. `keepsDays` is true if the amounts of earlier days are kept.
 */
export function gaugeAt(
  terms: GaugeTerms,
  stored: StoredGauge | null,
  details: WindowDetails,
  { at, since, keepsDays = false }: GaugeTime,
): Gauge {
  const { window } = terms;
  const current = stored === null || stored.at < since ? null : stored;
  const last = current === null ? null : storedSpan(current);
  const span = spanAt(window, details, at, last);
  const withDays = (gauge: Gauge, days: readonly string[]): Gauge => (keepsDays ? { ...gauge, days } : gauge);
  if (current === null) return withDays(emptyGauge(span), []);
  const held = current.held === undefined ? zero : signedDecimal(current.held);
  if (window.kind === 'rolling') {
    const all = current.parts.map(([step, amount]) => ({ step, amount: signedDecimal(amount) }));
    const parts = partsAt(window, all, at, isExact(terms));
    const used = sumOf(parts);
    return { span, used, held, peak: used, heldPeak: plus(used, held), parts };
  }
  const { used, days = [] } = current;
  if (span === null || last === null || span.start !== last.start)
    return withDays(emptyGauge(span, held), withDay(days, used));
  const peak = signedDecimal(current.peak);
  const heldPeak = current.heldPeak === undefined ? peak : signedDecimal(current.heldPeak);
  return withDays({ span, used: signedDecimal(used), held, peak, heldPeak, parts: [] }, days);
}

/** Returns a gauge after a change of its used amount at a time. Usage opens a session. */
function usedGauge(terms: GaugeTerms, gauge: Gauge, delta: Exact, at: number): Gauge {
  const { window } = terms;
  if (window.kind === 'event') return gauge;
  const used = plus(gauge.used, delta);
  if (window.kind === 'rolling') {
    const parts = withPart(window, gauge.parts, { at, amount: delta, isExact: isExact(terms) });
    return { ...gauge, span: null, used, peak: used, parts };
  }
  const peak = larger(gauge.peak, used);
  return { ...gauge, span: openedSpan(window, gauge.span, at), used, peak, parts: [] };
}

/** Returns a gauge after a movement at a time, which changes the used and the held amount. A movement opens a session. */
export function movedGauge(
  terms: GaugeTerms,
  gauge: Gauge,
  { used: usedDelta, held: heldDelta }: { readonly used: Exact; readonly held: Exact },
  at: number,
): Gauge {
  if (terms.window.kind === 'event') return gauge;
  const moved = usedGauge(terms, gauge, usedDelta, at);
  const held = larger(zero, plus(gauge.held, heldDelta));
  return { ...moved, held, heldPeak: larger(larger(gauge.heldPeak, moved.peak), plus(moved.used, held)) };
}

/** Returns a stored gauge in which an amount is no longer held. */
export function freedGauge(stored: StoredGauge, amount: Exact): StoredGauge {
  const { held: before = '0', ...gauge } = stored;
  const held = larger(zero, minus(signedDecimal(before), amount));
  return isZero(held) ? gauge : { ...gauge, held: exactText(held) };
}

/**
 * Returns a gauge after a correction of a movement that was counted at an earlier time. A movement before the current window
 * changes nothing. The value can't be negative.
 */
export function correctedGauge(terms: GaugeTerms, gauge: Gauge, delta: Exact, countedAt: number): Gauge {
  const { window } = terms;
  if (window.kind === 'rolling') {
    const change = { at: countedAt, amount: delta, isExact: isExact(terms) };
    const parts = withChange(window, gauge.parts, change);
    const used = sumOf(parts);
    return { ...gauge, span: null, used, peak: used, parts };
  }
  if (gauge.span === null || countedAt < gauge.span.start) return gauge;
  const used = larger(zero, plus(gauge.used, delta));
  return { ...gauge, used, peak: larger(gauge.peak, used) };
}

export const storedGauge = (
  { span, used, held, peak, heldPeak, parts, days }: Gauge,
  at: number,
): StoredGauge => ({
  at,
  start: span?.start ?? null,
  end: span?.end ?? null,
  used: exactText(used),
  ...(isZero(held) ? {} : { held: exactText(held) }),
  peak: exactText(peak),
  ...(compare(heldPeak, peak) > 0 ? { heldPeak: exactText(heldPeak) } : {}),
  parts: parts.map(({ step, amount }) => [step, exactText(amount)] as const),
  ...(days === undefined ? {} : { days }),
});

/** Movement that a gauge doesn't accept. `fresh` is the value after the same movement in a window without usage. */
type Unfit = {
  readonly delta: Exact;
  readonly fresh: Exact;
  readonly most: Exact;
  /** Amounts that open holds free at their ends. */
  readonly freed: readonly Freed[];
};

/** Returns the first time at which a movement fits below `most` without other movements. `null` if it never fits. */
export function fitsAt(terms: GaugeTerms, gauge: Gauge, { delta, fresh, most, freed }: Unfit): number | null {
  const { window } = terms;
  const isRolling = window.kind === 'rolling';
  const left = isRolling ? gauge.parts : [];
  const end = isRolling ? null : (gauge.span?.end ?? null);
  const changes = [
    ...left.map(({ step, amount }) => ({
      kind: 'left',
      at: leavesAt(window, step, isExact(terms)),
      amount,
    })),
    ...freed.map(({ at, amount }) => ({ kind: 'freed', at, amount })),
    ...(end === null ? [] : [{ kind: 'reset', at: end, amount: gauge.used }]),
  ].toSorted((a, b) => a.at - b.at);
  let { used, held } = gauge;
  let needed = delta;
  for (const { kind, at, amount } of changes) {
    if (kind === 'freed') held = larger(zero, minus(held, amount));
    else used = minus(used, amount);
    if (kind === 'reset') needed = fresh;
    if (compare(plus(plus(used, held), needed), most) <= 0) return at;
  }
  return null;
}

/** Returns the end of a gauge's window. `null` if the window slides or doesn't end. */
export const resetsAt = (window: LimitWindow, { span }: Gauge): number | null =>
  window.kind === 'rolling' ? null : (span?.end ?? null);
