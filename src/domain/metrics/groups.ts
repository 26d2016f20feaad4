// Selects the largest groups of a series. All other groups are combined (MET-80).

/** Maximum number of separate groups in a series. All other groups are combined as `other`. */
export const maxGroups = 50;

export const otherGroup = 'other';

/** Returns the keys of the groups with the largest sum of absolute amounts. Ties are broken by key. */
export function largestGroups(
  amounts: readonly { readonly key: string; readonly amount: bigint }[],
  most = maxGroups,
): ReadonlySet<string> {
  const sizes = new Map<string, bigint>();
  for (const { key, amount } of amounts)
    sizes.set(key, (sizes.get(key) ?? 0n) + (amount < 0n ? -amount : amount));
  const sorted = [...sizes].toSorted(([a, x], [b, y]) => (x === y ? (a < b ? -1 : 1) : x > y ? -1 : 1));
  return new Set(sorted.slice(0, most).map(([key]) => key));
}
