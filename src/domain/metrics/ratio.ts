import { basisPointScale, divideRounded } from '../money.ts';

/** A share in basis points, rounded half up; null of nothing, and where a part is unknown. */
export const ratioBps = (part: bigint | null, whole: bigint | null): bigint | null =>
  part === null || whole === null || whole <= 0n ? null : divideRounded(part * basisPointScale, whole);
