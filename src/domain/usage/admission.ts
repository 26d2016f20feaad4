// Accepts or rejects usage as a whole and calculates the effect of accepted usage (CON-10, CON-11).
import { type Rejection, specificRejection } from '../errors/errors.ts';
import { isAccepted, type SystemLimit } from '../limits/system.ts';
import { type Account, amountOf, withFreed } from '../lots/account.ts';
import { consume } from '../lots/movements.ts';
import type { EntryDraft } from '../lots/posting.ts';
import { maxOf } from '../money/money.ts';
import { isCustom } from '../pricing/pools.ts';
import { exactDecimal } from '../rates/decimal.ts';
import { type Exact, exactText, plus, ratio } from '../rates/exact.ts';
import type { HeldUsage } from '../rows/held-usage.ts';
import type { LotRow, UsageCounterRow } from '../rows/usage-rows.ts';
import { type TotalByCell, withUnits } from './cells.ts';
import { heldUnits, reserveChange, withReserve } from './held-usage.ts';
import { shownUnits, unitScale } from './metered-terms.ts';
import {
  crossedPool,
  crossedUnits,
  type PoolEvent,
  poolLimit,
  type UnitsEvent,
  unitLimit,
} from './system-limits.ts';
import type { PoolTerms, UsageTerms } from './terms.ts';
import { drawOfUsage, freeUnits, isTotalBillable } from './window.ts';

/**
 * Account of a subscription and the usage counter for a feature, both in the current window. `cells` contains the totals by
 * dimension values if the meter has dimensions.
 */
export type Meter = { readonly account: Account; readonly counter: UsageCounterRow } & Pick<
  TotalByCell,
  'cells'
>;

/**
 * Usage to record. `cost` is in pool units; `null` if the units are invoiced. `required` is the amount that a pool that can't be
 * overdrawn must contain. Defaults to the cost. `price` is the exact price to add to the window; absent or `null` if the
 * window's price follows from its total. `cells` contains the totals by dimension values after the usage. `held` is the sum of
 * holds after the usage; absent if the usage doesn't change it. If `isForced` is true, the usage is accepted even if it exceeds the
 * included units or the pool.
 */
export type Draw = {
  readonly units: bigint;
  readonly cost: bigint | null;
  readonly required?: bigint | null;
  readonly price?: Exact | null;
  readonly held?: HeldUsage | null;
  readonly isForced?: boolean;
} & Pick<TotalByCell, 'cells'>;

type PricedDraw = {
  readonly units: bigint;
  readonly cost: bigint;
  readonly required: bigint;
  readonly price: Exact | null;
} & Pick<Draw, 'cells' | 'held' | 'isForced'>;

/** Event about a system limit on usage. */
export type ConsumptionAlert = UnitsEvent | PoolEvent;

const alertsOf = (event: ConsumptionAlert | null): readonly ConsumptionAlert[] =>
  event === null ? [] : [event];

/** Result of accepted usage: the resulting account, lots and counter, the entries, and the alerts. */
export type Accepted = {
  readonly meter: Meter;
  readonly lots: readonly LotRow[];
  readonly entries: readonly EntryDraft[];
  readonly alerts: readonly ConsumptionAlert[];
};

/**
 * Result of rejected usage. The first rejection at a hard limit in each window emits an alert and therefore
 * changes the counter (CON-57).
 */
export type Rejected = {
  readonly rejection: Rejection;
  readonly meter: Meter;
  readonly alerts: readonly ConsumptionAlert[];
};

/** Returns the counter after accepted usage. */
export const counted = (
  { counter }: Pick<Meter, 'counter'>,
  { units, cost, price, held = counter.held }: Omit<PricedDraw, 'required'>,
): UsageCounterRow => ({
  ...counter,
  held,
  total: counter.total + units,
  consumed: counter.consumed + cost,
  price: price === null ? counter.price : exactText(plus(exactDecimal(counter.price), price)),
});

const countedUnits = (meter: Meter, { units, held }: Pick<Draw, 'units' | 'held'>): UsageCounterRow =>
  counted(meter, { units, cost: 0n, price: null, ...(held === undefined ? {} : { held }) });

const usedAndHeld = (counter: UsageCounterRow): bigint => counter.total + heldUnits(counter);

function unitsRejected(terms: UsageTerms, limit: SystemLimit<UnitsEvent>, meter: Meter): Rejected {
  // The first rejection in a window has the effect of usage that reaches the amount.
  const [counter, event] = crossedUnits(limit, meter.counter, -1n, limit.amount);
  const details = {
    current: Number(shownUnits(terms, counter.total)),
    included: Number(shownUnits(terms, limit.amount)),
    remaining: Number(shownUnits(terms, maxOf(0n, limit.amount - usedAndHeld(counter)))),
  };
  const rejection: Rejection = specificRejection('included_limit_reached', 'not_covered', { details });
  return { rejection, meter: event === null ? meter : { ...meter, counter }, alerts: alertsOf(event) };
}

const acceptedUnits = (meter: Meter, event: UnitsEvent | null): Accepted => ({
  meter,
  lots: [],
  entries: [],
  alerts: alertsOf(event),
});

const notBillableMessage = 'The cost of the usage would exceed the maximum invoice total.';

/** Rejection of a total whose price exceeds the maximum invoice amount (CON-11a). */
export const notBillable: Rejection = {
  code: 'validation_error',
  message: notBillableMessage,
  param: 'value',
  details: [{ field: 'value', message: notBillableMessage }],
};

function admitUnits(
  terms: UsageTerms,
  meter: Meter,
  { cells, isForced = false, ...change }: Pick<Draw, 'units' | 'cells' | 'held' | 'isForced'>,
): Accepted | Rejected {
  const counted = countedUnits(meter, change);
  const [before, after] = [usedAndHeld(meter.counter), usedAndHeld(counted)];
  const limit = isForced ? null : unitLimit(terms);
  if (limit !== null && !isAccepted(limit, after > before, after)) return unitsRejected(terms, limit, meter);
  if (!isTotalBillable(terms, after, counted.covered, cells))
    return { rejection: notBillable, meter, alerts: [] };
  const [counter, event] = crossedUnits(unitLimit(terms), counted, meter.counter.total);
  return acceptedUnits({ ...meter, counter, cells }, event);
}

function notCovered({ pool, scale }: PoolTerms, required: bigint, available: bigint): Rejection {
  if (!isCustom(pool)) return specificRejection('insufficient_balance', 'not_covered');
  const [cost, amount] = [required, available].map((units) => exactText(ratio(units, scale)));
  const message = `The customer doesn't have enough credits. Credits required: ${cost}. Remaining credits: ${amount}.`;
  return { code: 'insufficient_credits', message };
}

/**
 * Accepts usage if the lots of an account cover it or the pool can be overdrawn, and draws on the lots. Units up to the free
 * units are always accepted (CON-11, PRM-161).
 */
function admitDraw(terms: UsageTerms, of: PoolTerms, meter: Meter, draw: PricedDraw): Accepted | Rejected {
  const { account, counter } = meter;
  const { cost, units } = draw;
  const { pool } = of;
  const amount = amountOf(account, pool, counter.featureId);
  const limit = poolLimit(pool, of);
  const isFree = terms.unlimited || (units > 0n && counter.total + units <= freeUnits(terms, counter));
  const isBound = !isFree && draw.isForced !== true;
  const rejects = (needed: bigint, isMore: boolean): boolean =>
    isBound && !isAccepted(limit, isMore, amount - needed);
  const rejected = (required: bigint): Rejected => ({
    rejection: notCovered(of, required, amount),
    meter,
    alerts: [],
  });
  const isHeld = counter.held !== null || (draw.held ?? null) !== null;
  if (!isHeld && rejects(draw.required, true)) return rejected(draw.required);
  const reserved = withReserve(terms, { account, counter: counted(meter, draw), cells: draw.cells });
  const drawn = consume(reserved.account, pool, cost, counter.featureId);
  const next = { ...reserved, account: withFreed(drawn.account, pool) };
  // A change that frees more than it draws is always accepted.
  const needed = isHeld ? cost + reserveChange(of, meter, next) : 0n;
  if (isHeld && rejects(needed, needed > 0n)) return rejected(needed);
  const [after, event] = crossedPool(pool, account, next.account);
  return {
    meter: after === next.account ? next : { ...next, account: after },
    lots: drawn.lots,
    entries: drawn.entries,
    alerts: alertsOf(event),
  };
}

/**
 * Accepts usage as a whole, or rejects it with the error code of its settlement (CON-11). Units and cost must not be
 * negative. Doesn't modify its arguments.
 */
export function admit(terms: UsageTerms, meter: Meter, draw: Draw): Accepted | Rejected {
  if (terms.pool === null) return admitUnits(terms, meter, draw);
  if (draw.cost === null) throw new Error(`A draw on the pool ${terms.pool.pool} has a cost.`);
  const { cost, required, price } = draw;
  const priced = { ...draw, cost, required: required ?? cost, price: price ?? null };
  return admitDraw(terms, terms.pool, meter, priced);
}

/**
 * Sets the total of a metered feature in the current window (CON-14). The total must be at least 0. An equal
 * total changes nothing. A total above a hard limit is rejected unless it's lower than the current total. A
 * total whose price exceeds the maximum invoice amount is always rejected.
 */
export function setTotal(terms: UsageTerms, meter: Meter, total: bigint): Accepted | Rejected {
  const difference = total - meter.counter.total;
  if (difference > 0n) return admitUnits(terms, meter, { units: difference, cells: meter.cells });
  if (!isTotalBillable(terms, total, meter.counter.covered))
    return { rejection: notBillable, meter, alerts: [] };
  return acceptedUnits({ ...meter, counter: countedUnits(meter, { units: difference }) }, null);
}

/** Returns true if a pool can't cover one more unit. API responses contain the result as `blocked` (CON-12). */
export function rejectsUnit(terms: UsageTerms, { account, counter, cells }: Meter): boolean {
  const { pool, rates, derived } = terms;
  if (pool === null || pool.canOverdraw || terms.unlimited) return false;
  const amount = amountOf(account, pool.pool, counter.featureId);
  // Without a cost, the price of a unit isn't known, so any positive balance is sufficient (CON-53).
  let required = 1n;
  if (derived === null) {
    if (rates === null || counter.total + unitScale(terms) <= freeUnits(terms, counter)) return false;
    const { total, covered } = counter;
    const usage = { total, covered, cells };
    const next = { covered, ...withUnits(rates, usage, unitScale(terms)) };
    required = drawOfUsage(terms, rates, [usage, next], pool.scale).required;
  }
  return !isAccepted(poolLimit(pool.pool, pool), true, amount - required);
}
