/** Generator of reproducible random numbers. */
export type Random = {
  /** Returns a random integer from 0 to `end` - 1. */
  readonly below: (end: number) => number;
  /** Returns a random element of the list. */
  readonly pick: <T>(values: readonly T[]) => T;
};

/** Returns a generator of random numbers (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  const pick = <T>(values: readonly T[]): T => {
    const index = below(values.length);
    if (index >= values.length) throw new Error('There is nothing to pick from.');
    return values[index] as T;
  };
  return { below, pick };
}

/** Returns the number of random histories in a property test: PROPERTY_RUNS, or `usual` if PROPERTY_RUNS isn't set. */
export const histories = (usual: number): number => Number(process.env['PROPERTY_RUNS'] ?? usual);
