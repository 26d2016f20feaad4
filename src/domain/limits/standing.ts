// Thresholds that a value is beyond without a movement (ALR-12).
import { compare, type Exact, zero } from '../rates/exact.ts';
import { isBlocking, mostOf, type Tried, takenOf } from './admission.ts';
import type { Crossing } from './crossings.ts';
import { crossedBy, thresholdsOf } from './thresholds.ts';

/** Amount above every remaining amount. */
const highest = 2n ** 63n;

const currentValue = ({ limit, gauge }: Tried): Exact => (isBlocking(limit) ? takenOf(gauge) : gauge.used);

/** Returns the thresholds that the value of a limit is beyond, as if all of them were armed. */
function beyond(tried: Tried): Exact[] {
  const { limit, fall } = tried;
  const fallen = fall && { ...fall, sinceRefill: highest, inWindow: highest, from: highest };
  const change = { before: zero, peak: zero, after: currentValue(tried), fall: fallen };
  return crossedBy(thresholdsOf(limit), mostOf(tried), change);
}

/**
 * Returns the crossing of the thresholds that the value of a new or changed limit is beyond. `before` is the limit before the change, whose
 * thresholds aren't crossed again. `null` if the value is beyond no other threshold.
 */
export function standingCrossing(tried: Tried, before: Tried | null): Crossing | null {
  const known = before === null ? [] : beyond(before);
  const crossed = beyond(tried).filter((value) => known.every((other) => compare(value, other) !== 0));
  return crossed.length === 0
    ? null
    : { kind: 'threshold', tried, value: currentValue(tried), crossed, cause: 'amount' };
}
