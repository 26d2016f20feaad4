// Used shares of limits, by which budgets are sorted.
import { dividedBy, wholePart } from '../rates/exact.ts';
import { mostOf, type Tried, takenOf } from './admission.ts';
import { isFalling } from './limit.ts';

/** Used share of a limit whose amount is used completely. */
const complete = 1_000_000n;

/** Returns the used and held part of a limit's amount in millionths. `null` if the limit has no amount, or if the amount is a minimum. */
function shareOf(tried: Tried): bigint | null {
  const most = mostOf(tried);
  if (most === null || isFalling(tried.limit)) return null;
  if (most <= 0n) return complete;
  const taken = takenOf(tried.gauge);
  return wholePart(dividedBy({ ...taken, numerator: taken.numerator * complete }, most));
}

/** Returns the highest used share of limits in millionths. 0 without limits. */
export const highestShare = (limits: readonly Tried[]): bigint =>
  limits.reduce((highest, tried) => {
    const share = shareOf(tried) ?? 0n;
    return share > highest ? share : highest;
  }, 0n);
