import type { Bought } from '../../invoicing/purchase.ts';
import { poolOfAsset } from '../../pricing/pools.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import type { AutoTopUpRow } from '../../rows/topup-rows.ts';
import { TaxNotComputedError } from '../../tax/tax.ts';
import { addDays } from '../../time/period.ts';
import { decideTopUp, type TopUpDecision } from '../../topups/decide.ts';
import { buy } from '../purchases/purchase.ts';
import { balanceBought, packPrice, packsBought } from '../purchases/purchase-credits.ts';
import {
  addAttempt,
  emitTopUp,
  noteSkip,
  packOf,
  scheduleTopUp,
  topUpState,
} from '../purchases/topup-state.ts';
import type { Decision } from '../state/aggregate.ts';
import { type Due, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';

/** Decides a top-up. If the tax can't be calculated, nothing can be sold, so that the top-up pauses for a day. */
function decided(draft: Draft, subscription: SubscriptionRow, setting: AutoTopUpRow): TopUpDecision {
  try {
    return decideTopUp(topUpState(draft, subscription, setting));
  } catch (error) {
    if (!(error instanceof TaxNotComputedError)) throw error;
    return { kind: 'pause', reason: 'not_sellable', until: addDays(draft.now, 1) };
  }
}

function boughtBy(
  draft: Draft,
  subscription: SubscriptionRow,
  { refill, asset }: AutoTopUpRow,
  amount: bigint,
): Bought {
  if (!('creditPackId' in refill)) return balanceBought(amount);
  const pack = packOf(draft, refill, asset);
  const quantity = BigInt(refill.quantity);
  const price = pack === null ? null : packPrice(draft, subscription, pack, quantity);
  if (pack === null || price === null) throw new Error(`The pack of the top-up for ${asset} has no price.`);
  return packsBought(pack, price, quantity);
}

/** Charges a purchase. The attempt counts toward the limits until its charge is declined. */
function purchase(
  draft: Draft,
  subscription: SubscriptionRow,
  setting: AutoTopUpRow,
  amount: bigint,
): Decision {
  const { outcome } = buy(draft, subscription, boughtBy(draft, subscription, setting, amount));
  if (outcome.kind !== 'ok' || outcome.status !== 'charging' || outcome.invoiceId === null)
    throw new Error(`The automatic top-up ${setting.id} was decided, but can't be charged.`);
  const { id: invoiceId, total: amountMinor } = draft.invoices.get(outcome.invoiceId);
  addAttempt(draft, setting, subscription, {
    status: 'processing',
    reason: null,
    amountMinor,
    invoiceId,
  });
  return draft.finish(outcome);
}

/** Pauses a top-up until a time. Emits events only if the reason is new. */
function pause(
  draft: Draft,
  subscription: SubscriptionRow,
  setting: AutoTopUpRow,
  { reason, until }: Extract<TopUpDecision, { readonly kind: 'pause' }>,
): void {
  noteSkip(draft, subscription, setting, { reason, nextAt: until });
  const paused = draft.topUps.patch(setting.id, {
    status: 'paused',
    pausedReason: reason,
    pausedUntil: until,
  });
  if (setting.status !== 'paused') emitTopUp(draft, subscription, paused, 'auto_topup.paused');
  if (until !== null) scheduleTopUp(draft, subscription, paused, until);
}

/** Ends a pause whose time has passed. */
function resumed(draft: Draft, subscription: SubscriptionRow, { id }: AutoTopUpRow): AutoTopUpRow {
  const setting = draft.topUps.patch(id, {
    status: 'on',
    pausedReason: null,
    pausedUntil: null,
    reason: null,
    nextAt: null,
    updatedAt: draft.now,
  });
  emitTopUp(draft, subscription, setting, 'auto_topup.resumed');
  return setting;
}

/**
 * Evaluates the automatic top-up of an account: buys, or records why it doesn't. If the account isn't low anymore, ends the
 * wait and the retries after a decline.
 */
export const autoTopUp = subscriptionCommand({
  kind: 'auto_topup',
  decide(draft: Draft, subscription: SubscriptionRow, command: Due): Decision {
    const pool = draft.aggregate.deadlines.find(({ id }) => id === command.deadlineId)?.data.pool;
    draft.complete(command);
    const found = draft.topUps
      .all()
      .find(({ subscriptionId, asset }) => subscriptionId === subscription.id && poolOfAsset(asset) === pool);
    if (found === undefined) return draft.done('unchanged', subscription.id);
    const decision = decided(draft, subscription, found);
    if (decision.kind === 'pause') {
      pause(draft, subscription, found, decision);
      return draft.done('done', subscription.id);
    }
    const isPauseOver = found.pausedUntil !== null && found.pausedUntil <= draft.now;
    const setting = isPauseOver ? resumed(draft, subscription, found) : found;
    if (decision.kind === 'buy') return purchase(draft, subscription, setting, decision.amount);
    if (decision.kind === 'enough') {
      if (setting.status === 'on')
        draft.topUps.patch(setting.id, {
          reason: null,
          nextAt: null,
          declines: 0,
          firstDeclinedAt: null,
          updatedAt: draft.now,
        });
      return draft.done('done', subscription.id);
    }
    const skipped = noteSkip(draft, subscription, setting, decision);
    if (decision.nextAt !== null) scheduleTopUp(draft, subscription, skipped, decision.nextAt);
    return draft.done('done', subscription.id);
  },
});
