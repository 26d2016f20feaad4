import { maxOf, minOf } from '../money/money.ts';
import { assetOf, type Pool, poolOfAsset } from '../pricing/pools.ts';
import type { ConsumptionEntryRow, ConsumptionEntryType, LotRow, LotSource } from '../rows/usage-rows.ts';
import {
  type Account,
  endedPartOf,
  isExpired,
  isFor,
  isOfKind,
  paysLines,
  reservedByLot,
  storedAmountOf,
  withAmounts,
  withEndedPart,
} from './account.ts';
import { withRefill } from './falls.ts';
import { LotsNeededError } from './open-lots.ts';
import { inDrawOrder } from './order.ts';
import { drawnValue } from './value.ts';

export type EntryDraft = Pick<
  ConsumptionEntryRow,
  'lotId' | 'asset' | 'type' | 'amount' | 'resulting' | 'valueMinor'
>;

/**
 * Account after a balance transaction, the changed lots, and the transaction's entries in order. The account is
 * the same object if nothing changed.
 */
export type Movement = {
  readonly account: Account;
  readonly lots: readonly LotRow[];
  readonly entries: readonly EntryDraft[];
};

/** Priorities of lots by source (PRM-142). */
const priorities: { readonly [source in LotSource]: number } = {
  plan: 0,
  rollover: 0,
  promotion: 5,
  adjustment: 10,
  purchase: 10,
  topup: 10,
  commitment: 10,
  customer_credit: 50,
  overdraft: 100,
};

/** Parameters of a new lot. The defaults are the priority of the source, all features, and no expiration. */
export type LotDraft = Pick<LotRow, 'source' | 'amount'> &
  Partial<
    Pick<
      LotRow,
      | 'id'
      | 'paidMinor'
      | 'commitment'
      | 'creditSource'
      | 'sourceId'
      | 'description'
      | 'priority'
      | 'features'
      | 'endsWithWindow'
      | 'expiresAt'
    >
  >;

/**
 * Collects the changes to the lots of an account. Each change is an entry, so that the account's amounts, the lots
 * and the entries always agree (PRM-141).
 */
export class Posting {
  #account: Account;
  readonly #lots = new Map<string, LotRow>();
  readonly #entries: EntryDraft[] = [];

  constructor(account: Account) {
    this.#account = account;
  }

  get account(): Account {
    return this.#account;
  }

  get movement(): Movement {
    return { account: this.#account, lots: [...this.#lots.values()], entries: this.#entries };
  }

  /** Returns the lots of a kind in draw order, including lots that can't be used. */
  lotsOf(kind: Pool): LotRow[] {
    return this.#account.lots.filter((lot) => isOfKind(lot, kind));
  }

  /** Changes the stored amounts of a pool, except its sum. */
  change(kind: Pool, changes: Omit<Parameters<typeof withAmounts>[2], 'amount'>): void {
    this.#account = withAmounts(this.#account, kind, changes);
  }

  /** Records a refill of a pool. Call this function after the amount was added. */
  refill(kind: Pool, amount: bigint): void {
    this.#account = withRefill(this.#account, kind, amount);
  }

  /** Stores a lot without changing its remaining amount. Closed lots leave the account. */
  store(lot: LotRow): LotRow {
    const { lots } = this.#account;
    const index = lots.findIndex(({ id }) => id === lot.id);
    const isMoved = index < 0 || lots[index]?.expiresAt?.getTime() !== lot.expiresAt?.getTime();
    const put = index < 0 ? [...lots, lot] : lots.with(index, lot);
    const open = lot.isOpen ? put : put.filter(({ id }) => id !== lot.id);
    this.#account = {
      ...this.#account,
      lots: isMoved ? inDrawOrder(open, this.#account.context.rolloverEnds) : open,
    };
    if (!lot.isOpen) this.#account = withEndedPart(this.#account, lot, null);
    this.#lots.set(lot.id, lot);
    return lot;
  }

  /** Moves a signed amount into a lot, with an entry. Does nothing if the amount is 0. */
  post(lot: LotRow, type: ConsumptionEntryType, amount: bigint, changes: Partial<LotRow> = {}): LotRow {
    if (amount === 0n) return lot;
    const { id: lotId, asset } = lot;
    const posted = this.store({ ...lot, ...changes, remaining: lot.remaining + amount });
    const pool = poolOfAsset(asset);
    const resulting = storedAmountOf(this.#account, pool) + amount;
    this.#account = withAmounts(this.#account, pool, { amount: resulting });
    const valueMinor = type === 'purchase' || type === 'topup' ? null : drawnValue(lot, amount);
    this.#entries.push({ lotId, asset, type, amount, resulting, valueMinor });
    return posted;
  }

  /**
   * Creates a lot and adds its amount to the account. An overdraft of the pool uses the new lot first (PRM-143).
   */
  add(kind: Pool, { source, amount, ...draft }: LotDraft, type: ConsumptionEntryType): LotRow {
    const lot = this.#newLot(kind, { source, amount, ...draft });
    const posted = amount === 0n ? this.store(lot) : this.post(lot, type, amount);
    return this.#fillOverdraft(posted);
  }

  /** Adds an amount to an open lot. */
  extend(lot: LotRow, type: ConsumptionEntryType, amount: bigint): LotRow {
    return this.#fillOverdraft(this.post(lot, type, amount, { amount: lot.amount + amount }));
  }

  /** Returns an amount to a lot that it was drawn from. Opens the lot if it was closed. */
  restore(lot: LotRow, amount: bigint): LotRow {
    return this.#fillOverdraft(this.post(lot, 'return', amount, { isOpen: true }));
  }

  /**
   * Draws an amount from the lots in draw order (PRM-20). If a feature is given, skips lots for other features. The amounts that open holds
   * reserve come last (LIM-61), and parts of ended lots that holds no longer reserve come first (LIM-62). Returns the part that no lot
   * covers. Throws `LotsNeededError` if lots that aren't loaded can cover it.
   */
  draw(kind: Pool, amount: bigint, type: ConsumptionEntryType, featureId: string | null = null): bigint {
    const { now } = this.#account.context;
    const reserved = reservedByLot(this.#account, kind);
    const usable = (lot: LotRow): bigint =>
      isExpired(lot, now) || !isFor(lot, featureId) ? 0n : lot.remaining;
    const unreserved = (lot: LotRow): bigint => usable(lot) - (reserved.get(lot.id) ?? 0n);
    const freed = (lot: LotRow): bigint => {
      const part = isFor(lot, featureId) ? endedPartOf(this.#account, lot) : null;
      return part === null ? 0n : minOf(part, lot.remaining) - (reserved.get(lot.id) ?? 0n);
    };
    let left = amount;
    if (this.#account.pools[kind]?.endedLots !== undefined) left = this.#drawFrom(kind, left, type, freed);
    left = this.#drawFrom(kind, left, type, unreserved, true);
    return reserved.size === 0 ? left : this.#drawFrom(kind, left, type, usable);
  }

  /**
   * Draws an amount from the given parts of the lots, in draw order. Returns the rest of the amount. If `needsAll` is true, throws
   * `LotsNeededError` if lots that aren't loaded come next.
   */
  #drawFrom(
    kind: Pool,
    amount: bigint,
    type: ConsumptionEntryType,
    partOf: (lot: LotRow) => bigint,
    needsAll = false,
  ): bigint {
    const { id, unloaded } = this.#account;
    let left = amount;
    for (const lot of this.#account.lots) {
      if (left === 0n) break;
      if (!isOfKind(lot, kind)) continue;
      const part = minOf(left, partOf(lot));
      if (part > 0n) {
        this.#use(lot, type, part);
        left -= part;
      }
      if (needsAll && left > 0n && unloaded?.after.has(lot.id)) throw new LotsNeededError(id);
    }
    return left;
  }

  /** Draws an amount that no lot covers, which makes the pool negative (PRM-143). */
  overdraw(kind: Pool, amount: bigint, type: ConsumptionEntryType): void {
    if (amount === 0n) return;
    const overdraft = this.#overdraftOf(kind) ?? this.#newLot(kind, { source: 'overdraft', amount: 0n });
    this.post(overdraft, type, -amount);
  }

  /**
   * Returns an amount to the lots that the window's usage drew on, last lot first (PRM-101). Amounts drawn from
   * lots that have been closed aren't returned. Throws `LotsNeededError` if a lot isn't loaded.
   */
  giveBack(kind: Pool, amount: bigint, featureId: string | null = null): void {
    if (this.#account.unloaded !== null) throw new LotsNeededError(this.#account.id);
    let left = amount;
    for (const lot of this.#account.lots.toReversed()) {
      if (left === 0n) break;
      if (!isOfKind(lot, kind) || !isFor(lot, featureId)) continue;
      const drawn = lot.source === 'overdraft' ? -lot.remaining : this.#drawnInWindow(lot);
      const part = minOf(left, drawn);
      this.post(lot, 'return', part, { drawnInWindow: drawn - part });
      left -= part;
    }
  }

  /**
   * Moves draws of up to the given amount from an earlier window to the current window, last lot first, so that
   * it can return to the lots. The part that an overdraft covers returns to the lot that fills the overdraft. Lots that end with
   * the window aren't changed.
   */
  carryDraws(kind: Pool, amount: bigint, earlier: Date): void {
    let left = amount + (this.#overdraftOf(kind)?.remaining ?? 0n);
    for (const lot of this.lotsOf(kind).toReversed()) {
      if (lot.endsWithWindow || lot.drawnWindow?.getTime() !== earlier.getTime()) continue;
      const part = maxOf(0n, minOf(left, lot.drawnInWindow));
      left -= part;
      this.store({ ...lot, drawnWindow: this.#account.context.windowStart, drawnInWindow: part });
    }
  }

  /** Returns true if usage of the current window drew on a lot. */
  isDrawn = (lot: LotRow): boolean => this.#drawnInWindow(lot) > 0n;

  /** Clears the overdraft of a pool by up to the given amount. Returns the rest of the amount. */
  clearOverdraft(kind: Pool, amount: bigint, type: ConsumptionEntryType): bigint {
    const overdraft = this.#overdraftOf(kind);
    if (overdraft === undefined) return amount;
    const part = minOf(amount, -overdraft.remaining);
    this.post(overdraft, type, part);
    return amount - part;
  }

  /** Removes the remaining amount of a lot and ends the lot, so that nothing can return to it. */
  close(lot: LotRow, type: ConsumptionEntryType): void {
    const { now } = this.#account.context;
    const expiresAt = lot.endsWithWindow || isExpired(lot, now) ? lot.expiresAt : now;
    const closed = { isOpen: false, expiresAt };
    if (lot.remaining === 0n) this.store({ ...lot, ...closed });
    else this.post(lot, type, -lot.remaining, closed);
  }

  /** Returns the part of a lot that open holds reserve, as if the lot hadn't ended. */
  #reservedIn(lot: LotRow): bigint {
    return reservedByLot(this.#account, poolOfAsset(lot.asset), lot.id).get(lot.id) ?? 0n;
  }

  /** Returns the part of a lot that no hold reserves. */
  freeOf(lot: LotRow): bigint {
    return lot.remaining - this.#reservedIn(lot);
  }

  /**
   * Ends a lot, and returns the removed amount. The part that open holds reserve stays in the lot, which only their settlements can use
   * (LIM-62). Without holds, closes the lot.
   */
  end(lot: LotRow, type: ConsumptionEntryType): bigint {
    const reserved = this.#reservedIn(lot);
    if (reserved <= 0n) {
      this.close(lot, type);
      return lot.remaining;
    }
    const { now } = this.#account.context;
    const expiresAt = lot.expiresAt !== null && lot.expiresAt <= now ? lot.expiresAt : now;
    const ended = { endsWithWindow: false, expiresAt };
    const next =
      reserved === lot.remaining
        ? this.store({ ...lot, ...ended })
        : this.post(lot, type, reserved - lot.remaining, ended);
    this.#account = withEndedPart(this.#account, next, reserved);
    return lot.remaining - reserved;
  }

  /** Removes an amount from a lot because usage of the window drew on it. */
  #use(lot: LotRow, type: ConsumptionEntryType, amount: bigint): LotRow {
    const drawnInWindow = this.#drawnInWindow(lot) + amount;
    return this.post(lot, type, -amount, { drawnWindow: this.#account.context.windowStart, drawnInWindow });
  }

  #drawnInWindow({ drawnWindow, drawnInWindow }: LotRow): bigint {
    const { windowStart } = this.#account.context;
    return drawnWindow?.getTime() === windowStart?.getTime() ? drawnInWindow : 0n;
  }

  #overdraftOf(kind: Pool): LotRow | undefined {
    return this.#account.lots.find((lot) => lot.source === 'overdraft' && isOfKind(lot, kind));
  }

  #fillOverdraft(lot: LotRow): LotRow {
    const isShared = lot.features.length === 0 && !paysLines(lot);
    const overdraft = isShared ? this.#overdraftOf(poolOfAsset(lot.asset)) : undefined;
    if (overdraft === undefined || overdraft.remaining === 0n) return lot;
    const part = minOf(lot.remaining, -overdraft.remaining);
    const used = this.#use(lot, 'applied', part);
    this.post(overdraft, 'applied', part);
    return used;
  }

  #newLot(kind: Pool, draft: LotDraft): LotRow {
    const { id, customerId, context } = this.#account;
    const endsWithWindow = draft.endsWithWindow ?? false;
    return {
      id: draft.id ?? context.newId('lot'),
      seq: null,
      customerId,
      subscriptionId: draft.source === 'customer_credit' ? null : id,
      asset: assetOf(kind, context.currency),
      source: draft.source,
      creditSource: draft.creditSource ?? null,
      sourceId: draft.sourceId ?? null,
      description: draft.description ?? null,
      priority: draft.priority ?? priorities[draft.source],
      features: draft.features ?? [],
      amount: draft.amount,
      remaining: 0n,
      paidMinor: draft.paidMinor ?? null,
      commitment: draft.commitment ?? null,
      isOpen: true,
      endsWithWindow,
      effectiveAt: context.now,
      expiresAt: endsWithWindow ? context.windowEnd : (draft.expiresAt ?? null),
      drawnWindow: null,
      drawnInWindow: 0n,
    };
  }
}
