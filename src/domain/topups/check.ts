import type { FieldProblem } from '../errors/errors.ts';
import { largestTotal, minorToRate } from '../money/money.ts';
import type { AutoTopUpRow } from '../rows/topup-rows.ts';
import { missingMinor } from './price.ts';

/** Amounts with which the setting of an automatic top-up is checked. */
export type CheckedTerms = Pick<AutoTopUpRow, 'threshold' | 'refill' | 'maxAmountPerMonth'> & {
  /** Price of a fixed refill before tax, in minor units. `null` if the refill is a target. */
  readonly price: bigint | null;
  /** Amount of one credit pack. `null` if the refill is money. */
  readonly packCredits: bigint | null;
  readonly currency: string;
  readonly totalOf: (amount: bigint) => bigint;
  readonly minimum: bigint;
};

/** Returns the amount that a refill adds to an empty account, in pool units. */
function amountOfRefill({ refill, packCredits, currency }: CheckedTerms): bigint {
  if ('target' in refill) return BigInt(refill.target);
  if ('amount' in refill) return minorToRate(BigInt(refill.amount), currency);
  return (packCredits ?? 0n) * BigInt(refill.quantity);
}

/**
 * Returns the first problem of a setting. A refill must lift an empty account above the threshold, and must be chargeable. The
 * monthly amount must be at least the price of one refill with tax. `null` if the setting has no problem.
 */
export function settingProblem(terms: CheckedTerms): FieldProblem | null {
  const { threshold, refill, price, maxAmountPerMonth, currency, totalOf, minimum } = terms;
  const added = amountOfRefill(terms);
  if (added <= threshold)
    return { field: 'refill', message: 'must lift an empty account above the threshold' };
  if (added > largestTotal) return { field: 'refill', message: 'must not exceed the maximum balance' };
  const total = totalOf('target' in refill ? missingMinor(added, threshold, currency) : (price ?? 0n));
  if (total < minimum) return { field: 'refill', message: `must cost at least ${minimum}, including tax` };
  if (total > maxAmountPerMonth)
    return {
      field: 'maxAmountPerMonth',
      message: `must be at least ${total}, the price of one refill including tax`,
    };
  return null;
}
