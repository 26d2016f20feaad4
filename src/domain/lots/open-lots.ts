// Open lots of an account, of which usage loads only the lots that it draws on next (PRM-20).
import type { LotRow } from '../rows/usage-rows.ts';
import { inDrawOrder } from './order.ts';

/**
 * Lots that an account has and that aren't loaded. They have no overdraft, no lots of the plan, no commitments, and no
 * lots for certain features. In draw order, each lot that isn't empty comes after one of the lots in `after`.
 */
type UnloadedLots = {
  /** Number of lots that were loaded per asset. */
  readonly limit: number;
  /** IDs of the last loaded lots of the assets that have further lots. */
  readonly after: ReadonlySet<string>;
  /** Time before which none of the lots expires. `null` if the lots never expire. */
  readonly endsAt: Date | null;
};

/** Open lots of an account. `unloaded` is `null` if all lots are loaded. */
export type OpenLots = { readonly lots: readonly LotRow[]; readonly unloaded: UnloadedLots | null };

export const noLots: OpenLots = { lots: [], unloaded: null };

/** Thrown if a change needs lots that aren't loaded. Load more lots of the account and repeat the change. */
export class LotsNeededError extends Error {
  override name = 'LotsNeededError';
  readonly accountId: string;

  constructor(accountId: string) {
    super(`The account ${accountId} has lots that aren't loaded.`);
    this.accountId = accountId;
  }
}

/** Number of lots per asset that are loaded first. Accounts with at most twice as many open lots are loaded whole. */
export const firstLots = 16;

/** Returns false for lots that usage always loads: overdrafts, lots of the plan, commitments, and lots for certain features. */
const canBeUnloaded = ({ source, features, commitment }: LotRow): boolean =>
  source !== 'overdraft' && source !== 'plan' && commitment === null && features.length === 0;

const soonest = (ends: readonly (Date | null)[]): Date | null =>
  ends.reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null);

/** Returns lots by asset in draw order, without empty lots and without lots that are always loaded. */
const drawnNext = (lots: readonly LotRow[]): LotRow[][] => [
  ...Map.groupBy(
    lots.filter((lot) => canBeUnloaded(lot) && lot.remaining > 0n),
    ({ asset }) => asset,
  )
    .values()
    .map((ofAsset) => inDrawOrder(ofAsset)),
];

const endOf = ({ endsWithWindow, expiresAt }: LotRow): Date | null => (endsWithWindow ? null : expiresAt);

/**
 * Returns the lots that were read from an account with `count` open lots. If lots are missing, `lots` must contain the lots
 * that are always loaded, the first `limit` lots per asset that aren't empty, and the lot that expires first.
 */
export function openLots(lots: readonly LotRow[], count: number, limit: number): OpenLots {
  if (lots.length >= count) return { lots, unloaded: null };
  const last = drawnNext(lots).flatMap((ofAsset) => ofAsset[limit - 1]?.id ?? []);
  return { lots, unloaded: { limit, after: new Set(last), endsAt: soonest(lots.map(endOf)) } };
}

/** Returns the lots of an account to keep in memory, so that accounts with many lots take as much memory as other accounts. */
export function keptLots({ lots, unloaded }: OpenLots): OpenLots {
  if (lots.length <= 2 * firstLots) return { lots, unloaded };
  const after = new Set<string>();
  const held = new Set<string>();
  for (const ofAsset of drawnNext(lots)) {
    const known = ofAsset.findIndex(({ id }) => unloaded?.after.has(id));
    const count = Math.min(firstLots, known < 0 ? ofAsset.length : known + 1);
    for (const { id } of ofAsset.slice(0, count)) held.add(id);
    const last = ofAsset[count - 1];
    if (last !== undefined && (count < ofAsset.length || known >= 0)) after.add(last.id);
  }
  for (const { id, remaining } of lots) {
    if (remaining > 0n || unloaded?.after.has(id) !== true) continue;
    held.add(id);
    after.add(id);
  }
  const endsAt = soonest([unloaded?.endsAt ?? null, ...lots.map(endOf)]);
  return {
    lots: lots.filter((lot) => !canBeUnloaded(lot) || held.has(lot.id)),
    unloaded: { limit: firstLots, after, endsAt },
  };
}
