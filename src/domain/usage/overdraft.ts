// Price of overdrafts, which are billed at the end of a usage window (PRM-143).
import { type Account, endingAmountOf } from '../lots/account.ts';
import { minOf, minorPerUnit, rateScale, rateToMinor } from '../money/money.ts';
import type { Catalog } from '../pricing/catalog.ts';
import { overdraftPrice, type PlanPool, scaleOf } from '../pricing/pools.ts';
import { usdToLocal } from '../pricing/regional.ts';
import { exchangeRateAt } from '../pricing/resolve.ts';
import { exactDecimal, exactOf } from '../rates/decimal.ts';
import { dividedBy, type Exact, ratio, roundedTo, times, whole, zero } from '../rates/exact.ts';
import type { SubscriptionRow } from '../rows/rows.ts';

/**
 * Returns the price of an overdraft in minor units. `amount` is positive and in pool units. `price` is the price of one pool
 * unit, as a decimal in the currency. `null` if the pool contains money.
 */
export const overdraftMinor = (amount: bigint, price: string | null, currency: string): bigint =>
  price === null
    ? rateToMinor(amount, currency)
    : roundedTo(times(whole(amount), exactDecimal(price)), minorPerUnit(currency));

/**
 * Returns the price of one pool unit below zero in the subscription's currency (PRM-143). Without an exchange rate, the
 * price in US dollars isn't converted (CAT-32). `null` if the pool contains money, whose overdraft is billed without a
 * conversion.
 */
export function priceBelowZero(
  catalog: Catalog,
  { planId, currency }: Pick<SubscriptionRow, 'planId' | 'currency'>,
  terms: PlanPool,
  at: Date,
): Exact | null {
  const price = overdraftPrice(terms);
  if (price === null) return null;
  const usd = dividedBy(exactOf(price), scaleOf(terms));
  const rateE8 = exchangeRateAt(catalog, planId, currency, at);
  return usdToLocal(usd, currency, rateE8) ?? usd;
}

/**
 * Returns the exact price of the overdraft of a pool so far, in major units of the currency. 0 if the pool isn't overdrawn. `least` is
 * the amount of the pool if it's lower because of open holds.
 */
export function overdraftAmount(
  catalog: Catalog,
  subscription: Pick<SubscriptionRow, 'planId' | 'currency'>,
  account: Account,
  terms: PlanPool,
  at: Date,
  least = 0n,
): Exact {
  const ending = minOf(endingAmountOf(account, terms.pool), least);
  if (ending >= 0n) return zero;
  const price = priceBelowZero(catalog, subscription, terms, at);
  return price === null ? ratio(-ending, rateScale) : times(whole(-ending), price);
}
