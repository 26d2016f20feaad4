import { basisPointScale, divideRounded } from './money.ts';

/**
 * Returns `part ÷ whole` in basis points, rounded half up. `null` if `whole` isn't positive or a value is
 * unknown.
 */
export const ratioBps = (part: bigint | null, whole: bigint | null): bigint | null =>
  part === null || whole === null || whole <= 0n ? null : divideRounded(part * basisPointScale, whole);
