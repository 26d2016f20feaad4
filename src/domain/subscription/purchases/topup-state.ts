// State of automatic top-ups in a decision: prices, limits, and marks on accounts.

import { type TopUpEventDetails, type TopUpEventKind, topUpEvent } from '../../events/topup-events.ts';
import { amountOf, markedPools } from '../../lots/account.ts';
import { instrumentOf } from '../../payments/instruments/registry.ts';
import type { CreditPackRow } from '../../pricing/catalog.ts';
import { assetOf, type Pool, planPool, poolOfAsset } from '../../pricing/pools.ts';
import { recompute } from '../../rows/explanation.ts';
import type { PaymentMethodRow, SubscriptionRow } from '../../rows/rows.ts';
import type { AutoTopUpAttemptRow, AutoTopUpRow, Refill } from '../../rows/topup-rows.ts';
import type { TopUpMark } from '../../rows/usage-rows.ts';
import { taxOn } from '../../tax/tax.ts';
import { monthOf, type TopUpState } from '../../topups/decide.ts';
import type { FixedPrice } from '../../topups/price.ts';
import { raisedAccount } from '../allowances/allowance.ts';
import { minimumCharge } from '../invoicing/invoicing.ts';
import { customerTax } from '../invoicing/taxing.ts';
import { isCharging, planOf, purchaseMethod } from '../pricing/lookup.ts';
import { deadlineId, topUpDeadline } from '../state/deadlines.ts';
import type { Draft } from '../state/draft.ts';
import { largestPool, packPrice } from './purchase-credits.ts';

/** Fields of a top-up that neither waits nor is paused. */
export const idle = {
  pausedReason: null,
  pausedUntil: null,
  reason: null,
  nextAt: null,
  declines: 0,
  firstDeclinedAt: null,
} as const satisfies Partial<AutoTopUpRow>;

export const topUpPool = ({ asset }: Pick<AutoTopUpRow, 'asset'>): Pool => poolOfAsset(asset);

/** Returns true if the plan has a pool of the asset, in the subscription's currency if the asset is money. */
export const hasAsset = (draft: Draft, subscription: SubscriptionRow, asset: string): boolean => {
  const pool = poolOfAsset(asset);
  return (
    planPool(planOf(draft, subscription), pool) !== null && asset === assetOf(pool, subscription.currency)
  );
};

export const attemptsOf = (draft: Draft, { id }: Pick<AutoTopUpRow, 'id'>): AutoTopUpAttemptRow[] =>
  draft.topUpAttempts.all().filter(({ autoTopUpId }) => autoTopUpId === id);

/** Returns true if the result of a purchase isn't known yet. */
export const isProcessing = (draft: Draft, setting: AutoTopUpRow): boolean =>
  attemptsOf(draft, setting).some(({ status }) => status === 'processing');

/** Returns the pack of a refill that can be sold. `null` if there's none. */
export function packOf(draft: Draft, refill: Refill, asset: string): CreditPackRow | null {
  if (!('creditPackId' in refill)) return null;
  const pack = draft.aggregate.creditPacks.find(({ id }) => id === refill.creditPackId);
  return pack === undefined || !pack.isActive || pack.deletedAt !== null || pack.asset !== asset
    ? null
    : pack;
}

/** Returns the current price of a fixed refill, or the reason why the refill can't be purchased. `null` if the refill is a target. */
export function refillPrice(
  draft: Draft,
  subscription: SubscriptionRow,
  { refill, asset }: Pick<AutoTopUpRow, 'refill' | 'asset'>,
): FixedPrice {
  if ('target' in refill) return null;
  if ('amount' in refill) return BigInt(refill.amount);
  const pack = packOf(draft, refill, asset);
  if (pack === null) return 'not_sellable';
  const quantity = BigInt(refill.quantity);
  const available = availableIn(draft, subscription, poolOfAsset(asset));
  if (available + pack.credits * quantity > largestPool) return 'not_sellable';
  const price = packPrice(draft, subscription, pack, quantity);
  return price === null ? 'no_exchange_rate' : recompute(price);
}

/** Returns the available amount of an account, with the amounts that were added to the plan. */
export const availableIn = (draft: Draft, subscription: SubscriptionRow, pool: Pool): bigint =>
  amountOf(raisedAccount(draft, subscription).account, pool);

/** Returns true if a payment method can be charged while the payer is absent. */
export const isOffSession = (method: PaymentMethodRow | null): boolean =>
  method !== null && instrumentOf(method.instrument).offSession;

/** Returns the state on which the decision about an automatic top-up is based. */
export function topUpState(draft: Draft, subscription: SubscriptionRow, setting: AutoTopUpRow): TopUpState {
  const { currency, status } = subscription;
  const method = purchaseMethod(draft, subscription);
  return {
    setting,
    attempts: attemptsOf(draft, setting),
    available: availableIn(draft, subscription, topUpPool(setting)),
    currency,
    isRunning: status === 'trialing' || status === 'active',
    isCharging: isCharging(draft, subscription),
    hasMethod: method !== null,
    isOffSession: isOffSession(method),
    price: refillPrice(draft, subscription, setting),
    totalOf: totalWithTax(draft),
    minimum: minimumCharge(draft, subscription, currency),
    timeZone: draft.customer.timezone,
    now: draft.now,
  };
}

/** Returns a function that adds the customer's tax to an amount in minor units. */
export function totalWithTax(draft: Draft): (amount: bigint) => bigint {
  const tax = customerTax(draft);
  return (amount) => amount + taxOn(amount, tax);
}

/** Emits an event with the current values of a top-up. */
export function emitTopUp(
  draft: Draft,
  subscription: SubscriptionRow,
  setting: AutoTopUpRow,
  kind: TopUpEventKind,
  details: Pick<TopUpEventDetails, 'invoice' | 'attempt'> = {},
): void {
  draft.emit(
    topUpEvent(kind, draft.customer, setting, {
      currency: subscription.currency,
      available: availableIn(draft, subscription, topUpPool(setting)),
      used: monthOf(attemptsOf(draft, setting), draft.customer.timezone, draft.now),
      ...details,
    }),
  );
}

type NewAttempt = Pick<AutoTopUpAttemptRow, 'status' | 'reason' | 'amountMinor' | 'invoiceId'>;

/** Adds an attempt of a top-up. */
export const addAttempt = (
  draft: Draft,
  { id, customerId }: AutoTopUpRow,
  { id: subscriptionId, currency }: SubscriptionRow,
  attempt: NewAttempt,
): AutoTopUpAttemptRow =>
  draft.topUpAttempts.add({
    ...attempt,
    id: draft.newId('ata'),
    seq: null,
    autoTopUpId: id,
    customerId,
    subscriptionId,
    declineCode: null,
    currency,
    createdAt: draft.now,
    updatedAt: draft.now,
  });

/**
 * Records that a trigger doesn't lead to a purchase. The event and the attempt are added once until the reason changes or a
 * purchase succeeds.
 */
export function noteSkip(
  draft: Draft,
  subscription: SubscriptionRow,
  { id, reason: before }: AutoTopUpRow,
  { reason, nextAt }: Pick<AutoTopUpRow, 'reason' | 'nextAt'>,
): AutoTopUpRow {
  const setting = draft.topUps.patch(id, { reason, nextAt, updatedAt: draft.now });
  if (reason !== before) {
    addAttempt(draft, setting, subscription, { status: 'skipped', reason, amountMinor: 0n, invoiceId: null });
    emitTopUp(draft, subscription, setting, 'auto_topup.skipped');
  }
  return setting;
}

/** Schedules the next evaluation of a top-up. Replaces the previous one. */
export function scheduleTopUp(
  draft: Draft,
  subscription: SubscriptionRow,
  setting: AutoTopUpRow,
  at: Date,
): void {
  draft.schedule(topUpDeadline(subscription, topUpPool(setting), at));
}

const deadlineOf = ({ subscriptionId, asset }: AutoTopUpRow): string =>
  deadlineId('auto_topup', subscriptionId, poolOfAsset(asset));

export const unscheduleTopUp = (draft: Draft, setting: AutoTopUpRow): void =>
  draft.unschedule(deadlineOf(setting));

/** Returns true if the next evaluation is scheduled or a purchase is in progress. */
export const isWaiting = (draft: Draft, setting: AutoTopUpRow): boolean =>
  isProcessing(draft, setting) ||
  draft.deadlinesOf(setting.subscriptionId).some(({ id }) => id === deadlineOf(setting));

/** Returns the mark of a top-up on its account. `null` if the account isn't topped up anymore. */
function markOf(draft: Draft, setting: AutoTopUpRow): TopUpMark | null {
  const { status, threshold, reason } = setting;
  if (status === 'off' && !isProcessing(draft, setting)) return null;
  return { below: status === 'on' ? `${threshold}` : null, waits: isWaiting(draft, setting), reason };
}

const isSame = (a: TopUpMark | undefined, b: TopUpMark | null): boolean =>
  a?.below === b?.below && a?.waits === b?.waits && a?.reason === b?.reason;

/** Writes the mark of a top-up to its account if it changed. Returns true if it did. */
export function writeMark(draft: Draft, setting: AutoTopUpRow): boolean {
  const account = draft.accounts.find(setting.subscriptionId);
  const pool = topUpPool(setting);
  const mark = markOf(draft, setting);
  if (account === null || isSame(account.pools[pool]?.topUp, mark)) return false;
  draft.accounts.patch(account.id, { pools: markedPools(account, pool, mark), updatedAt: draft.now });
  return true;
}
