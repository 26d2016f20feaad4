// Gauges: the amount that a node has used in a window.
import { signedDecimal } from '../rates/decimal.ts';
import { compare, type Exact, exactText, larger, minus, plus, zero } from '../rates/exact.ts';
import type { LimitRow, LimitWindow, StoredGauge } from './limit.ts';
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
  /** Highest value in the window. For rolling windows, the current value. */
  readonly peak: Exact;
  readonly parts: readonly Part[];
};

/** Returns true if the gauge of a limit keeps the exact times of movements. */
const isExact = ({ measure, window, amount, action }: GaugeTerms): boolean =>
  window.kind === 'rolling' &&
  measure === 'calls' &&
  action === 'block' &&
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
  return JSON.stringify([
    measure,
    currency ?? asset,
    [kind, minutes, steps, anchor, timeZone, weekStart, isExact(terms)],
    features,
    dimensions,
  ]);
}

const emptyGauge = (span: Span | null): Gauge => ({ span, used: zero, peak: zero, parts: [] });

const storedSpan = ({ start, end }: StoredGauge): Span | null => (start === null ? null : { start, end });

/**
 * Returns a gauge at a time. `since` is the time from which the limits of the gauge apply. A gauge without a movement since then
 * belongs to limits that were deleted, and isn't used. In a new window, `used` and `peak` are 0, so that the first movement of the window can cross
 * thresholds.
 */
export function gaugeAt(
  terms: GaugeTerms,
  stored: StoredGauge | null,
  details: WindowDetails,
  { at, since }: { readonly at: number; readonly since: number },
): Gauge {
  const { window } = terms;
  const current = stored === null || stored.at < since ? null : stored;
  const last = current === null ? null : storedSpan(current);
  const span = spanAt(window, details, at, last);
  if (current === null) return emptyGauge(span);
  if (window.kind === 'rolling') {
    const all = current.parts.map(([step, amount]) => ({ step, amount: signedDecimal(amount) }));
    const parts = partsAt(window, all, at, isExact(terms));
    const used = sumOf(parts);
    return { span, used, peak: used, parts };
  }
  if (span === null || last === null || span.start !== last.start) return emptyGauge(span);
  return { span, used: signedDecimal(current.used), peak: signedDecimal(current.peak), parts: [] };
}

/** Returns a gauge after a movement at a time. A movement opens a session. */
export function movedGauge(terms: GaugeTerms, gauge: Gauge, delta: Exact, at: number): Gauge {
  const { window } = terms;
  if (window.kind === 'event') return gauge;
  const used = plus(gauge.used, delta);
  if (window.kind === 'rolling') {
    const parts = withPart(window, gauge.parts, { at, amount: delta, isExact: isExact(terms) });
    return { span: null, used, peak: used, parts };
  }
  return { span: openedSpan(window, gauge.span, at), used, peak: larger(gauge.peak, used), parts: [] };
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
    return { span: null, used, peak: used, parts };
  }
  if (gauge.span === null || countedAt < gauge.span.start) return gauge;
  const used = larger(zero, plus(gauge.used, delta));
  return { ...gauge, used, peak: larger(gauge.peak, used) };
}

export const storedGauge = ({ span, used, peak, parts }: Gauge, at: number): StoredGauge => ({
  at,
  start: span?.start ?? null,
  end: span?.end ?? null,
  used: exactText(used),
  peak: exactText(peak),
  parts: parts.map(({ step, amount }) => [step, exactText(amount)] as const),
});

/**
 * Returns the first time at which a movement of `delta` fits below `most` without other movements. `null` if it never fits.
 * `gauge` is the gauge at the time `at`.
 */
export function fitsAt(
  terms: GaugeTerms,
  gauge: Gauge,
  { delta, most, at }: { readonly delta: Exact; readonly most: Exact; readonly at: number },
): number | null {
  const fits = (used: Exact): boolean => compare(plus(used, delta), most) <= 0;
  if (fits(gauge.used)) return at;
  const { window } = terms;
  if (window.kind !== 'rolling') return fits(zero) ? (gauge.span?.end ?? null) : null;
  let { used } = gauge;
  for (const { step, amount } of gauge.parts) {
    used = minus(used, amount);
    if (fits(used)) return leavesAt(window, step, isExact(terms));
  }
  return null;
}

/** Returns the end of a gauge's window. `null` if the window slides or doesn't end. */
export const resetsAt = (window: LimitWindow, { span }: Gauge): number | null =>
  window.kind === 'rolling' ? null : (span?.end ?? null);
