import type { Exact } from '../../../src/domain/rates/exact.ts';
import { exactText } from '../../../src/domain/rates/exact.ts';
import { priceOf } from '../../../src/domain/rates/price.ts';
import type { Rate } from '../../../src/domain/rates/rate.ts';
import { type RateInput, readQuantity, readRate } from '../../../src/domain/rates/read-rate.ts';

/** Reads a rate. Throws if it's invalid. */
export function rateOf(input: RateInput): Rate {
  const read = readRate(input);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  return read.rate;
}

/** Reads a quantity with up to 9 decimals. Throws if it's invalid. */
export function units(text: string | number): Exact {
  const read = readQuantity(text);
  if (typeof read === 'string' || 'problem' in read) throw new Error(`${text} isn't a quantity.`);
  return read.quantity;
}

/** Returns the exact price as text. */
export const priceText = (rate: Rate, quantity: string | number): string =>
  exactText(priceOf(rate, units(quantity)));

/** Tiers with the given upper bounds, amounts and flat amounts. */
export const tiersOf = (
  ...tiers: readonly (readonly [upTo: string | null, amount: string, flat?: string])[]
) => tiers.map(([upTo, amount, flat = '0']) => ({ upTo, amount, flat }));

/** Tiers of PRM-E1: 0.0200 up to 1,000, 0.0150 up to 10,000, and 0.0080 above. */
export const e1 = tiersOf(['1000', '0.0200'], ['10000', '0.0150'], [null, '0.0080']);
