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
import type {
  LimitAction,
  LimitedCaller,
  LimitRow,
  LimitSetter,
  LimitWindow,
  StoredGauge,
  StoredGauges,
} from './limit.ts';
import { type Span, shownStart, spanAt, type WindowDetails } from './windows.ts';

/**
 * Limit on operations. `money` is in minor units of the currency. `approve` rejects like `block`, until a member approves the operation.
 * `operations` contains the names of the counted operations or areas, and is empty if all operations count.
 */
export type OperationLimit = {
  readonly id: string | null;
  readonly name: string | null;
  readonly setBy: LimitSetter | 'system';
  readonly measure: 'calls' | 'money';
  readonly operations: readonly string[];
  readonly window: LimitWindow;
  /** `null` if the limit only sends events at its thresholds. */
  readonly amount: bigint | null;
  readonly action: LimitAction;
  /** Lowercase currency of `money`. Defaults to US dollars. */
  readonly currency?: string;
  /** Sum of the current raises. Defaults to 0. */
  readonly raise?: bigint;
  /** Time zone of calendar windows that name none. Defaults to UTC. */
  readonly timeZone?: string;
  /** Stored limit in the currency of the operation. Absent if the limit follows from a policy, or every organization has it. */
  readonly row?: LimitRow;
};

/** Operation with its area. */
export type NamedOperation = { readonly name: string; readonly area: string };

/** Returns true if a list contains the name or the area of an operation. */
export const includesOperation = (list: readonly string[], { name, area }: NamedOperation): boolean =>
  list.includes(name) || list.includes(area);

/** Returns true if a limit counts an operation. A limit without operations counts all operations. */
export const countsOperation = ({ operations }: OperationLimit, operation: NamedOperation): boolean =>
  operations.length === 0 || includesOperation(operations, operation);

/** API key, member, customer, or pricing table whose operations limits count. */
export type OperationNode = {
  readonly kind: LimitedCaller | 'customer' | 'pricingTable';
  readonly id: string;
};

/** Number of operations, and the money that they move, in minor units of the currency of the limits. */
export type OperationDelta = { readonly [measure in OperationLimit['measure']]: bigint };

/** Limit at an operation. */
export type TriedOperation = {
  readonly limit: OperationLimit;
  readonly gauge: Gauge;
  readonly delta: Exact;
  readonly at: number;
};

const always: Span = { start: 0, end: null };

/** Windows of operations don't depend on a subscription. */
const windowsOf = ({ timeZone = 'UTC' }: OperationLimit): WindowDetails => ({
  timeZone,
  usageWindow: always,
  billingPeriod: always,
});

/** Returns a stored limit on operations. The amount must be in the currency of the operations. */
export function storedLimit(
  row: LimitRow,
  { raise, timeZone = 'UTC' }: { readonly raise: bigint; readonly timeZone?: string },
): OperationLimit {
  const { id, name, setBy, measure, filter, window, amount, action, currency } = row;
  return {
    id,
    name,
    setBy,
    measure: measure === 'money' ? measure : 'calls',
    operations: filter.operations ?? [],
    window,
    amount,
    action,
    ...(currency === null ? {} : { currency }),
    raise,
    timeZone,
    row,
  };
}

/** Returns the time in milliseconds at which the window of a limit opened. The current time if the window slides or doesn't end. */
export function openedAt(limit: OperationLimit, now: Date): number {
  const at = now.getTime();
  return shownStart(spanAt(limit.window, windowsOf(limit), at, null)) ?? at;
}

/** Returns the end of the current window of a limit. `null` if no window with an end is open. */
export function closesAt(limit: OperationLimit, now: Date): Date | null {
  const end = spanAt(limit.window, windowsOf(limit), now.getTime(), null)?.end ?? null;
  return end === null ? null : new Date(end);
}

const terms = new WeakMap<OperationLimit, GaugeTerms>();

const termsOf = (limit: OperationLimit): GaugeTerms =>
  limit.row ??
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
    const gauge = gaugeAt(own, gauges[gaugeKey(own)] ?? null, windowsOf(limit), { at, since: 0 });
    return { limit, gauge, delta: whole(delta[limit.measure]), at };
  });

/** Returns the amount of a limit with its raises. `null` if the limit has no amount. */
const mostOf = ({ amount, raise = 0n }: OperationLimit): bigint | null =>
  amount === null ? null : amount + raise;

/** Returns true if an operation stays within a limit. A limit accepts an operation that moves no money. */
export function isWithinLimit({ limit, gauge, delta }: TriedOperation): boolean {
  const most = mostOf(limit);
  return most === null || compare(delta, zero) <= 0 || compare(plus(gauge.used, delta), whole(most)) <= 0;
}

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
  const most = mostOf(limit);
  if (most === null || isWithinLimit(tried)) return at;
  return fitsAt(termsOf(limit), gauge, { delta, fresh: delta, most: whole(most), freed: [] });
}

/** Returns a limit at an operation in API format. Money is in major units of the currency. */
export function operationEntry(tried: TriedOperation, { kind, id: key }: OperationNode) {
  const { limit, gauge, delta } = tried;
  const { id, name, setBy, action, measure, window, amount, raise = 0n, currency = 'usd' } = limit;
  const most = mostOf(limit);
  const shown = (value: Exact): string =>
    exactText(measure === 'money' ? dividedBy(value, minorPerUnit(currency)) : value);
  return {
    limitId: id,
    name,
    setBy,
    action,
    node: { kind, key, path: [] },
    measure,
    window: {
      kind: window.kind,
      start: timeText(shownStart(gauge.span)),
      end: timeText(gauge.span?.end ?? null),
    },
    unit: measure === 'money' ? currency : 'calls',
    amount: amount === null ? null : shown(whole(amount)),
    raise: shown(whole(raise)),
    used: shown(gauge.used),
    asked: shown(delta),
    remaining: most === null ? null : shown(larger(zero, minus(whole(most), gauge.used))),
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
