import { isCustom, type Pool } from '../../../domain/pricing/pools.ts';
import { ownRate, type PriceDocument } from '../../../domain/rates/derived.ts';
import { firstUnitPrice, storedRate, wholeUnitPrice } from '../../../domain/rates/held.ts';

type Priced = { readonly rate: PriceDocument | null; readonly pool: Pool | null };

/**
 * Returns the price of the first unit in ten-thousandths (10,000 = 1.00). `null` if no price was set, if the rate is in a custom unit, or if the rate
 * is derived from the cost.
 */
export function unitPriceOf({ rate, pool }: Priced): bigint | null {
  const own = ownRate(rate);
  return own === null || isCustom(pool) ? null : firstUnitPrice(storedRate(own));
}

/** Returns the credits for the first unit as a whole number. `null` unless usage is deducted from credits or another custom unit. */
export function creditsPerUnitOf({ rate, pool }: Priced): bigint | null {
  const own = ownRate(rate);
  return own === null || !isCustom(pool) ? null : wholeUnitPrice(storedRate(own));
}
