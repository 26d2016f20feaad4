/** The largest pool a response can hold. */
export const largestPool = BigInt(Number.MAX_SAFE_INTEGER);
