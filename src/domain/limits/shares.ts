// Amounts of limits that are shares of other numbers. They're calculated when the limit is evaluated.
import { basisPointScale } from '../money/money.ts';
import type { LimitRow } from './limit.ts';

/** Numbers of which an amount can be a share, except amounts of limits. */
const shareBases = ['included', 'last_grant', 'last_refill'] as const;

export type ShareBase = (typeof shareBases)[number];

export const isShareBase = (of: string): of is ShareBase => shareBases.some((base) => base === of);

/** Returns the number of which an amount is a share. `null` if the number is unknown. */
export type FindBase = (limit: LimitRow, of: ShareBase) => bigint | null;

/** Returns a limit with its current amount, rounded down. The amount is `null` if the number is unknown. */
export function withAmount(limit: LimitRow, limits: readonly LimitRow[], baseOf: FindBase): LimitRow {
  const { share } = limit;
  if (share === null) return limit;
  const { of, bps } = share;
  let base: bigint | null;
  if (isShareBase(of)) base = baseOf(limit, of);
  else {
    const found = limits.find(({ id }) => id === of);
    base = found === undefined ? null : withAmount(found, limits, baseOf).amount;
  }
  return { ...limit, amount: base === null ? null : (base * BigInt(bps)) / basisPointScale };
}

/**
 * Returns true if the amount of a limit would depend on the amount of the same limit. `ofById` contains the bases of amounts by the
 * ID of the limit.
 */
export function isCyclic(id: string, of: string, ofById: ReadonlyMap<string, string>): boolean {
  const seen = new Set<string>();
  let current: string | undefined = of;
  while (current !== undefined && !seen.has(current)) {
    if (current === id) return true;
    seen.add(current);
    current = ofById.get(current);
  }
  return false;
}
