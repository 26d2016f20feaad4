// Price of an overdraft that was billed at the end of a usage window (PRM-143).
import { minorPerUnit, rateToMinor } from '../money/money.ts';
import { exactDecimal } from '../rates/decimal.ts';
import { roundedTo, times, whole } from '../rates/exact.ts';

/**
 * Returns the price of an overdraft in minor units. `amount` is positive and in pool units. `price` is the price of one pool
 * unit, as a decimal in the currency. `null` if the pool contains money.
 */
export const overdraftMinor = (amount: bigint, price: string | null, currency: string): bigint =>
  price === null
    ? rateToMinor(amount, currency)
    : roundedTo(times(whole(amount), exactDecimal(price)), minorPerUnit(currency));
