// The largest groups of a series, and the smaller ones as one (MET-80).

/** The most groups of a series; the smaller ones are one more, `other`. */
export const mostGroups = 50;

/** The group of what is in none of the largest. */
export const otherGroup = 'other';

/** The keys of the largest groups by the sum of the absolute values of their amounts; ties go by key. */
export function largestGroups(
  amounts: readonly { readonly key: string; readonly amount: bigint }[],
  most = mostGroups,
): ReadonlySet<string> {
  const sizes = new Map<string, bigint>();
  for (const { key, amount } of amounts)
    sizes.set(key, (sizes.get(key) ?? 0n) + (amount < 0n ? -amount : amount));
  const sorted = [...sizes].toSorted(([a, x], [b, y]) => (x === y ? (a < b ? -1 : 1) : x > y ? -1 : 1));
  return new Set(sorted.slice(0, most).map(([key]) => key));
}
