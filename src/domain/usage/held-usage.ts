// Effect of the open holds of a feature on its totals and its pool (LIM-52).
import { peaksOf } from '../holds/reserve.ts';
import { type Account, heldFor, withHeld } from '../lots/account.ts';
import { maxOf } from '../money/money.ts';
import { exactDecimal } from '../rates/decimal.ts';
import { type Exact, exactText, larger, plus, zero } from '../rates/exact.ts';
import { drawBetween, hasCells } from '../rates/held.ts';
import type { HeldUsage } from '../rows/held-usage.ts';
import type { UsageCounterRow } from '../rows/usage-rows.ts';
import type { TotalByCell } from './cells.ts';
import type { PoolTerms, UsageTerms } from './terms.ts';
import { drawOfUsage, freeUnits, overageAmount, priceOfUsage, type WindowUse } from './window.ts';

type Holding = Pick<UsageCounterRow, 'held'>;

/** Account and counter of a feature. */
type Metered = { readonly account: Account; readonly counter: UsageCounterRow } & Pick<TotalByCell, 'cells'>;

/** Returns the units of all open holds, in counted units. */
export const heldUnits = ({ held }: Holding): bigint => (held === null ? 0n : BigInt(held.units));

/** Returns the prices of the open holds whose price doesn't depend only on the total. */
const heldPrice = ({ held }: Holding): Exact => (held === null ? zero : exactDecimal(held.price));

/** Returns true if the price of usage depends on more than the total: on a cost, or on dimension values. */
export const isPricedSeparately = ({ derived, rates }: UsageTerms): boolean =>
  derived !== null || (rates !== null && hasCells(rates));

/** Returns the sum of holds after a change. `null` if nothing is held. */
export function heldAfter({ held }: Holding, units: bigint, price: Exact | null): HeldUsage | null {
  const sum = maxOf(0n, heldUnits({ held }) + units);
  const prices = larger(zero, plus(heldPrice({ held }), price ?? zero));
  return sum === 0n && prices.numerator === 0n ? null : { units: `${sum}`, price: exactText(prices) };
}

/** Window of a feature with its open holds. */
type HeldWindow = WindowUse & Holding & Pick<UsageCounterRow, 'price'>;

/** Returns the highest totals of a window within its open holds. */
const peaks = (terms: UsageTerms, use: HeldWindow): WindowUse[] =>
  peaksOf(terms.rates, freeUnits(terms, use), { from: use.total, to: use.total + heldUnits(use) }).map(
    (total) => ({ ...use, total }),
  );

/** Returns the highest overage that a window can have within its open holds, in major units. */
export function highestOverage(terms: UsageTerms, use: HeldWindow): Exact {
  const now = overageAmount(terms, use);
  if (use.held === null) return now;
  if (isPricedSeparately(terms)) return plus(now, heldPrice(use));
  return peaks(terms, use).reduce((most, peak) => larger(most, overageAmount(terms, peak)), now);
}

/** Returns the amount of a pool that the open holds of a feature reserve, in pool units: rounded up (LIM-52). */
function reserveOf(terms: UsageTerms, { scale }: PoolTerms, use: HeldWindow): bigint {
  const { derived, rates } = terms;
  if (use.held === null) return 0n;
  if (isPricedSeparately(terms)) {
    const before =
      derived !== null || rates === null ? exactDecimal(use.price) : priceOfUsage(terms, rates, use);
    return maxOf(0n, drawBetween(before, plus(before, heldPrice(use)), scale).required);
  }
  if (rates === null || terms.unlimited) return 0n;
  return peaks(terms, use)
    .map((peak) => drawOfUsage(terms, rates, [use, peak], scale).required)
    .reduce(maxOf, 0n);
}

/** Returns a meter whose account reserves the amount for the open holds of its counter. */
export function withReserve<M extends Metered>(terms: UsageTerms, meter: M): M {
  const { pool: of } = terms;
  const { counter, cells } = meter;
  if (of === null) return meter;
  const before = heldFor(meter.account, of.pool, counter.featureId);
  if (counter.held === null && before === 0n) return meter;
  const reserve = reserveOf(terms, of, { ...counter, cells });
  const account = withHeld(meter.account, of.pool, counter.featureId, reserve);
  return account === meter.account ? meter : { ...meter, account };
}

/** Returns the change of the reserved amount between two meters of a feature, in pool units. */
export const reserveChange = ({ pool }: PoolTerms, before: Metered, after: Metered): bigint =>
  heldFor(after.account, pool, after.counter.featureId) -
  heldFor(before.account, pool, before.counter.featureId);
