// Limits on operations: their number, or the money that they move. An API key, a customer, or a pricing table has the gauges.
import { minorPerUnit } from '../money/money.ts';
import {
  compare,
  dividedBy,
  type Exact,
  exactText,
  larger,
  minus,
  plus,
  whole,
  zero,
} from '../rates/exact.ts';
import { isoText } from '../time/iso-text.ts';
import {
  correctedGauge,
  fitsAt,
  type Gauge,
  type GaugeTerms,
  gaugeAt,
  gaugeKey,
  movedGauge,
  resetsAt,
  storedGauge,
} from './gauge.ts';
import type { LimitWindow, StoredGauge, StoredGauges } from './limit.ts';
import { type Span, shownStart, type WindowDetails } from './windows.ts';

/**
 * Limit on operations. `money` is in US cents. `approve` rejects like `block`, until a member approves the operation. `operations`
 * contains the names of the counted operations, and is empty if all operations count.
 */
export type OperationLimit = {
  readonly id: string | null;
  readonly name: string | null;
  readonly setBy: 'system' | 'merchant';
  readonly measure: 'calls' | 'money';
  readonly operations: readonly string[];
  readonly window: LimitWindow;
  readonly amount: bigint;
  readonly action: 'block' | 'approve' | 'notify';
};

/** Number of operations, and the money that they move, in US cents. */
export type OperationDelta = { readonly [measure in OperationLimit['measure']]: bigint };

/** Limit at an operation. */
export type TriedOperation = {
  readonly limit: OperationLimit;
  readonly gauge: Gauge;
  readonly delta: Exact;
  readonly at: number;
};

const always: Span = { start: 0, end: null };

/** Windows of operations are calendar windows in UTC, or don't depend on a calendar. */
const windows: WindowDetails = { timeZone: 'UTC', usageWindow: always, billingPeriod: always };

const terms = new WeakMap<OperationLimit, GaugeTerms>();

const termsOf = (limit: OperationLimit): GaugeTerms =>
  terms.getOrInsertComputed(limit, ({ measure, operations, window, amount, action }) => ({
    measure,
    currency: measure === 'money' ? 'usd' : null,
    asset: null,
    filter: { features: [], dimensions: [], operations },
    window,
    amount,
    action,
  }));

/** Returns true if limits have stored gauges. Limits of single operations don't have gauges. */
export const haveGauges = (limits: readonly OperationLimit[]): boolean =>
  limits.some(({ window }) => window.kind !== 'event');

/** Returns limits at operations. */
export const triedOperations = (
  limits: readonly OperationLimit[],
  gauges: StoredGauges,
  delta: OperationDelta,
  now: Date,
): TriedOperation[] =>
  limits.map((limit) => {
    const at = now.getTime();
    const own = termsOf(limit);
    const gauge = gaugeAt(own, gauges[gaugeKey(own)] ?? null, windows, { at, since: 0 });
    return { limit, gauge, delta: whole(delta[limit.measure]), at };
  });

/** Returns true if an operation stays within a limit. A limit accepts an operation that moves no money. */
export const isWithinLimit = ({ limit, gauge, delta }: TriedOperation): boolean =>
  compare(delta, zero) <= 0 || compare(plus(gauge.used, delta), whole(limit.amount)) <= 0;

/** Returns the gauges after accepted operations. */
export function movedGauges(tried: readonly TriedOperation[], gauges: StoredGauges): StoredGauges {
  const moved = new Map<string, StoredGauge>();
  for (const { limit, gauge, delta, at } of tried) {
    if (limit.window.kind === 'event' || compare(delta, zero) <= 0) continue;
    const own = termsOf(limit);
    moved.set(gaugeKey(own), storedGauge(movedGauge(own, gauge, { used: delta, held: zero }, at), at));
  }
  return { ...gauges, ...Object.fromEntries(moved) };
}

/** Returns the gauges after the result of operations that were counted at an earlier time is known. */
export function correctedGauges(
  limits: readonly OperationLimit[],
  gauges: StoredGauges,
  delta: OperationDelta,
  { countedAt, now }: { readonly countedAt: Date; readonly now: Date },
): StoredGauges {
  const corrected = triedOperations(limits, gauges, delta, now).flatMap(
    ({ limit, gauge, delta: change, at }) => {
      if (limit.window.kind === 'event') return [];
      const own = termsOf(limit);
      return [[gaugeKey(own), storedGauge(correctedGauge(own, gauge, change, countedAt.getTime()), at)]];
    },
  );
  const changed = { ...gauges, ...(Object.fromEntries(corrected) as StoredGauges) };
  return Object.fromEntries(
    Object.entries(changed).filter(([, { used, parts }]) => used !== '0' || parts.length > 0),
  );
}

const timeText = (at: number | null): string | null => (at === null ? null : isoText(new Date(at)));

/** Returns the first time at which a limit accepts an operation without other operations. `null` if it never accepts the operation. */
function fitsFrom(tried: TriedOperation): number | null {
  const { limit, gauge, delta, at } = tried;
  const unfit = { delta, fresh: delta, most: whole(limit.amount), freed: [] };
  return isWithinLimit(tried) ? at : fitsAt(termsOf(limit), gauge, unfit);
}

/** Returns a limit at an operation in API format. Money is in US dollars. */
export function operationEntry(tried: TriedOperation, node: { readonly kind: string; readonly key: string }) {
  const { limit, gauge, delta } = tried;
  const { id, name, setBy, action, measure, window, amount } = limit;
  const most = whole(amount);
  const shown = (value: Exact): string =>
    exactText(measure === 'money' ? dividedBy(value, minorPerUnit('usd')) : value);
  return {
    limitId: id,
    name,
    setBy,
    action,
    node: { ...node, path: [] },
    measure,
    window: {
      kind: window.kind,
      start: timeText(shownStart(gauge.span)),
      end: timeText(gauge.span?.end ?? null),
    },
    unit: measure === 'money' ? 'usd' : 'calls',
    amount: shown(most),
    raise: '0',
    used: shown(gauge.used),
    asked: shown(delta),
    remaining: shown(larger(zero, minus(most, gauge.used))),
    resetsAt: timeText(resetsAt(window, gauge)),
    fitsAt: timeText(fitsFrom(tried)),
  };
}

/**
 * Returns the limit if it rejects another operation after operations at these times, which stored rows contain. Empty if the limit accepts
 * the operation.
 */
export function reachedBy(
  limit: OperationLimit,
  times: readonly Date[],
  now: Date,
): readonly TriedOperation[] {
  const at = now.getTime();
  const parts = times
    .map((time) => time.getTime())
    .toSorted((a, b) => a - b)
    .map((time) => [time, '1'] as const);
  const gauges = { [gaugeKey(termsOf(limit))]: { at, start: null, end: null, used: '0', peak: '0', parts } };
  return triedOperations([limit], gauges, { calls: 1n, money: 0n }, now).filter((one) => !isWithinLimit(one));
}

/** Returns the time in seconds after which all limits accept a rejected operation. Undefined if they never accept the operation. */
export function retryAfterOf(rejecting: readonly TriedOperation[]): number | undefined {
  const times = rejecting.map((tried) => ({ at: tried.at, fits: fitsFrom(tried) }));
  const seconds = times.flatMap(({ at, fits }) => (fits === null ? [] : [Math.ceil((fits - at) / 1_000)]));
  return seconds.length < times.length ? undefined : Math.max(1, ...seconds);
}
