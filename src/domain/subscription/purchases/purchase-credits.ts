/** Largest balance that an API response can represent exactly. */
export const largestPool = BigInt(Number.MAX_SAFE_INTEGER);
