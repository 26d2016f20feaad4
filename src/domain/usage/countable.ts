// Largest totals and amounts of usage. API responses contain whole numbers up to 2^53 - 1.
import type { Rejection } from '../errors/errors.ts';
import { amountsIn } from '../lots/account.ts';
import { minOf } from '../money/money.ts';
import type { Meter } from './admission.ts';
import type { Quantity } from './record.ts';
import type { UsageTerms } from './terms.ts';

// Largest integer that a JSON number in an API response can represent exactly.
const maxCount = BigInt(Number.MAX_SAFE_INTEGER);
const tooLargeMessage = 'The total usage would exceed the maximum.';
/** Rejection of usage that would exceed the largest total. */
export const tooLarge: Rejection = {
  code: 'validation_error',
  message: tooLargeMessage,
  param: 'value',
  details: [{ field: 'value', message: tooLargeMessage }],
};

// Largest total that a database column can store. A total in counted units can exceed `maxCount`.
const maxStored = 2n ** 63n - 1n;

/** Returns true if the total and the amounts after an event can be stored and returned exactly. */
export const isCountable = ({ meter, pool }: UsageTerms, { account, counter }: Meter): boolean =>
  counter.total <= (meter === null ? maxCount : minOf(maxCount * meter.scale, maxStored)) &&
  counter.consumed <= maxCount &&
  (pool === null || amountsIn(account, pool.pool).amount >= -maxCount);

/** Returns true if the quantity and the cost of an event can be returned exactly. */
export const isQuantityCountable = ({ measured, cost }: Quantity): boolean =>
  measured.value <= maxCount && (cost ?? 0n) <= maxCount;
