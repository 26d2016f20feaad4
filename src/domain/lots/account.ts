// Accounts with their lots, and the amounts that usage can draw on (PRM-141).
import { maxOf, minOf } from '../money/money.ts';
import { creditsPool, moneyPool, type Pool, poolOfAsset } from '../pricing/pools.ts';
import type {
  AccountPool,
  AccountPools,
  ConsumptionAccountRow,
  LotRow,
  TopUpMark,
} from '../rows/usage-rows.ts';
import type { OpenLots } from './open-lots.ts';
import { inDrawOrder } from './order.ts';

/** Window, time, currency, and ID generator for changes to an account. */
export type LotContext = {
  readonly now: Date;
  readonly windowStart: Date | null;
  readonly windowEnd: Date | null;
  /** Lowercase code of the subscription's currency. */
  readonly currency: string;
  readonly newId: (prefix: string) => string;
  /**
   * Times until which the rest of the plan's lots can be used after it was rolled over, by pool. `null` if the rest never
   * expires. Absent if it expires at the end of the window (PRM-22).
   */
  readonly rolloverEnds?: ReadonlyMap<Pool, Date | null>;
};

/** Usage window and currency of an account's owner. */
type AccountWindow = Pick<LotContext, 'windowStart' | 'windowEnd' | 'currency'>;

/** Returns the context for changes to an account. Only lots of pools with a rollover need `rolloverEnds`. */
export const lotContext = (
  { windowStart, windowEnd, currency }: AccountWindow,
  { now, newId }: Pick<LotContext, 'now' | 'newId'>,
  rolloverEnds: ReadonlyMap<Pool, Date | null> = new Map(),
): LotContext => ({ now, windowStart, windowEnd, currency, newId, rolloverEnds });

/** Stored account, its open lots in draw order, and the context of its changes. */
export type Account = ConsumptionAccountRow & OpenLots & { readonly context: LotContext };

/** Returns an account with its open lots. By default, `lots` contains all of them. */
export const accountWith = (
  row: ConsumptionAccountRow,
  lots: readonly LotRow[],
  context: LotContext,
  unloaded: OpenLots['unloaded'] = null,
): Account => ({
  ...row,
  lots: lots.length < 2 ? lots : inDrawOrder(lots, context.rolloverEnds),
  unloaded,
  context,
});

/** Returns the stored part of an account. */
export function storedAccount({
  lots: _lots,
  unloaded: _unloaded,
  context: _context,
  ...row
}: Account): ConsumptionAccountRow {
  return row;
}

/** Amounts of an account in one pool, in pool units. */
type PoolAmounts = {
  readonly amount: bigint;
  readonly granted: bigint;
  readonly lastRefill: bigint;
  readonly crossed: number;
};

const nothingStored: AccountPool = { amount: '0', granted: '0', lastRefill: '0', crossed: 0 };

/** Returns the stored amounts of an account in a pool. */
export function amountsIn({ pools }: Pick<ConsumptionAccountRow, 'pools'>, pool: Pool): PoolAmounts {
  const { amount, granted, lastRefill, crossed } = pools[pool] ?? nothingStored;
  return {
    amount: BigInt(amount),
    granted: BigInt(granted),
    lastRefill: BigInt(lastRefill),
    crossed,
  };
}

/** Returns the stored amount of an account in a pool, which includes expired lots. */
export const storedAmountOf = ({ pools }: Pick<ConsumptionAccountRow, 'pools'>, pool: Pool): bigint =>
  BigInt(pools[pool]?.amount ?? 0);

/** Returns the account with changed amounts in a pool. */
export function withAmounts<T extends Pick<ConsumptionAccountRow, 'pools'>>(
  account: T,
  pool: Pool,
  { amount, granted, lastRefill, crossed }: Partial<PoolAmounts>,
): T {
  const before = account.pools[pool] ?? nothingStored;
  const stored = {
    amount: amount === undefined ? before.amount : `${amount}`,
    granted: granted === undefined ? before.granted : `${granted}`,
    lastRefill: lastRefill === undefined ? before.lastRefill : `${lastRefill}`,
    crossed: crossed ?? before.crossed,
    ...(before.held === undefined ? {} : { held: before.held }),
    ...(before.endedLots === undefined ? {} : { endedLots: before.endedLots }),
    ...(before.topUp === undefined ? {} : { topUp: before.topUp }),
    ...(before.fall === undefined ? {} : { fall: before.fall }),
  };
  return { ...account, pools: { ...account.pools, [pool]: stored } };
}

/** Returns the pools of an account with the mark of an automatic top-up. `null` removes the mark. */
export function markedPools(
  { pools }: Pick<ConsumptionAccountRow, 'pools'>,
  pool: Pool,
  mark: TopUpMark | null,
): AccountPools {
  const { topUp: _before, ...amounts } = pools[pool] ?? nothingStored;
  return { ...pools, [pool]: mark === null ? amounts : { ...amounts, topUp: mark } };
}

/** Returns the amount that open holds of a feature reserve in a pool. */
export const heldFor = (
  { pools }: Pick<ConsumptionAccountRow, 'pools'>,
  pool: Pool,
  featureId: string,
): bigint => BigInt(pools[pool]?.held?.[featureId] ?? 0);

/** Returns the amount that all open holds reserve in a pool. */
export function heldIn({ pools }: Pick<ConsumptionAccountRow, 'pools'>, pool: Pool): bigint {
  const held = pools[pool]?.held;
  return held === undefined ? 0n : Object.values(held).reduce((sum, amount) => sum + BigInt(amount), 0n);
}

/** Returns an account in which open holds of a feature reserve another amount of a pool. */
export function withHeld<T extends Pick<ConsumptionAccountRow, 'pools'>>(
  account: T,
  pool: Pool,
  featureId: string,
  amount: bigint,
): T {
  if (heldFor(account, pool, featureId) === amount) return account;
  const { held: before = {}, ...amounts } = account.pools[pool] ?? nothingStored;
  const { [featureId]: _before, ...others } = before;
  const held = amount === 0n ? others : { ...others, [featureId]: `${amount}` };
  const stored = Object.keys(held).length === 0 ? amounts : { ...amounts, held };
  return { ...account, pools: { ...account.pools, [pool]: stored } };
}

export const isOfKind = ({ asset }: Pick<LotRow, 'asset'>, kind: Pool): boolean =>
  asset === kind || poolOfAsset(asset) === kind;

/**
 * Returns true if a lot has expired, even if its deadline hasn't been executed yet (PRM-21). A lot that ends with
 * its window expires at the reset.
 */
export const isExpired = (
  { expiresAt, endsWithWindow }: Pick<LotRow, 'expiresAt' | 'endsWithWindow'>,
  now: Date,
): boolean => !endsWithWindow && expiresAt !== null && expiresAt <= now;

/**
 * Returns true if nothing can return to a lot. Other lots are closed while nothing remains, and open again if usage that drew on
 * them is corrected.
 */
export const hasEnded = (lot: Pick<LotRow, 'expiresAt' | 'endsWithWindow' | 'isOpen'>, now: Date): boolean =>
  isExpired(lot, now) || (lot.endsWithWindow && !lot.isOpen);

/** Returns true if usage lines of invoices draw on a lot of the subscription, and usage doesn't (PRM-24). */
export const paysLines = ({ commitment }: Pick<LotRow, 'commitment'>): boolean =>
  commitment?.appliesTo === 'usage_lines';

/** Returns true if usage of a feature can draw on a lot. `null` stands for all features (PRM-144). */
export const isFor = (lot: Pick<LotRow, 'features' | 'commitment'>, featureId: string | null): boolean =>
  !paysLines(lot) && (featureId === null || lot.features.length === 0 || lot.features.includes(featureId));

const nothingReserved: ReadonlyMap<string, bigint> = new Map();

/** Returns the part of an ended lot that open holds reserve. `null` if the lot hasn't ended, or if no hold was open at its end. */
export function endedPartOf(
  { pools }: Pick<ConsumptionAccountRow, 'pools'>,
  { id, asset }: Pick<LotRow, 'id' | 'asset'>,
): bigint | null {
  const part = pools[poolOfAsset(asset)]?.endedLots?.[id];
  return part === undefined ? null : BigInt(part);
}

/** Returns an account whose open holds reserve a part of an ended lot. `null` if the lot is closed. */
export function withEndedPart<T extends Pick<ConsumptionAccountRow, 'pools'>>(
  account: T,
  lot: Pick<LotRow, 'id' | 'asset'>,
  amount: bigint | null,
): T {
  if (endedPartOf(account, lot) === amount) return account;
  const pool = poolOfAsset(lot.asset);
  const { endedLots: before = {}, ...amounts } = account.pools[pool] ?? nothingStored;
  const { [lot.id]: _before, ...others } = before;
  const endedLots = amount === null ? others : { ...others, [lot.id]: `${amount}` };
  const stored = Object.keys(endedLots).length === 0 ? amounts : { ...amounts, endedLots };
  return { ...account, pools: { ...account.pools, [pool]: stored } };
}

/** Returns the lots in which holds can reserve amounts, with the amounts: parts of ended lots first, and then usable lots in draw order. */
function reservable(account: Account, kind: Pool, ending: string | null): [LotRow, bigint][] {
  const ended: [LotRow, bigint][] = [];
  const usable: [LotRow, bigint][] = [];
  for (const lot of account.lots) {
    if (!isOfKind(lot, kind)) continue;
    const part = endedPartOf(account, lot);
    if (part !== null) ended.push([lot, minOf(part, lot.remaining)]);
    else if (lot.id === ending || !isExpired(lot, account.context.now)) usable.push([lot, lot.remaining]);
  }
  return [...ended, ...usable];
}

/**
 * Returns the amounts that open holds reserve by the ID of a lot: for each feature in draw order (LIM-61). `ending` is a lot that is
 * about to end.
 */
export function reservedByLot(
  account: Account,
  kind: Pool,
  ending: string | null = null,
): ReadonlyMap<string, bigint> {
  const held = account.pools[kind]?.held;
  if (held === undefined) return nothingReserved;
  const reserved = new Map<string, bigint>();
  const lots = reservable(account, kind, ending);
  for (const [featureId, amount] of Object.entries(held)) {
    let rest = BigInt(amount);
    for (const [lot, most] of lots) {
      if (!isFor(lot, featureId)) continue;
      const before = reserved.get(lot.id) ?? 0n;
      const part = minOf(rest, maxOf(0n, most - before));
      reserved.set(lot.id, before + part);
      rest -= part;
    }
  }
  return reserved;
}

/** Returns an account whose holds reserve no more of the ended lots than they need, so that later holds can't use the freed parts (LIM-62). */
export function withFreed(account: Account, kind: Pool): Account {
  if (account.pools[kind]?.endedLots === undefined) return account;
  const reserved = reservedByLot(account, kind);
  return account.lots.reduce((next, lot) => {
    const part = isOfKind(lot, kind) ? endedPartOf(account, lot) : null;
    return part === null ? next : withEndedPart(next, lot, minOf(part, reserved.get(lot.id) ?? 0n));
  }, account);
}

/**
 * Returns the amount of an account in a pool that usage can draw on, without expired lots and without the amounts that open
 * holds reserve (LIM-78). Negative if the pool is overdrawn. If a feature is given, excludes lots for other features.
 */
export function amountOf(account: Account, kind: Pool, featureId: string | null = null): bigint {
  let amount = storedAmountOf(account, kind) - heldIn(account, kind);
  const hasEndedLots = account.pools[kind]?.endedLots !== undefined;
  const reserved = featureId === null && !hasEndedLots ? nothingReserved : reservedByLot(account, kind);
  for (const lot of account.lots)
    if ((isExpired(lot, account.context.now) || !isFor(lot, featureId)) && isOfKind(lot, kind))
      amount -= lot.remaining - (reserved.get(lot.id) ?? 0n);
  return amount;
}

/**
 * Returns the amount of a pool that the API shows. Negative only if the pool is overdrawn: open holds can reserve more than a pool
 * contains, because lots end.
 */
export function shownAmountOf(account: Account, kind: Pool, featureId: string | null = null): bigint {
  const amount = amountOf(account, kind, featureId);
  return amount >= 0n ? amount : minOf(0n, amount + heldIn(account, kind));
}

/**
 * Returns the amount of a pool that ends with the window: the amounts of the window's lots, or the negative amount of the
 * overdraft (CON-24, CON-27).
 */
export const endingAmountOf = ({ lots }: Pick<Account, 'lots'>, kind: Pool): bigint =>
  lots.reduce((sum, lot) => (isOfKind(lot, kind) && endsAtReset(lot) ? sum + lot.remaining : sum), 0n);

/** Returns true for lots that the reset expires or clears. */
const endsAtReset = ({ endsWithWindow, source }: LotRow): boolean => endsWithWindow || source === 'overdraft';

/** Returns the amount of a pool that the plan granted in the current window and that is left, without the amounts that open holds reserve. */
export function planAmountOf(account: Account, kind: Pool): bigint {
  const reserved = reservedByLot(account, kind);
  return account.lots
    .filter((lot) => lot.source === 'plan' && isOfKind(lot, kind) && !isExpired(lot, account.context.now))
    .reduce((sum, { id, remaining }) => sum + remaining - (reserved.get(id) ?? 0n), 0n);
}

/** Returns the amount of a pool that isn't part of the current window's grant. */
export const otherAmountOf = (account: Account, kind: Pool): bigint =>
  shownAmountOf(account, kind) - planAmountOf(account, kind);

/** Returns the credits of an account, without expired lots. */
export const creditsOf = (account: Account): bigint => amountOf(account, creditsPool);

/** Returns the balance of an account, without expired lots. Negative if the account is overdrawn. */
export const balanceOf = (account: Account): bigint => amountOf(account, moneyPool);
