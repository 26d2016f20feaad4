/** The largest pool a response can hold (protocols B9). */
export const largestPool = BigInt(Number.MAX_SAFE_INTEGER);
