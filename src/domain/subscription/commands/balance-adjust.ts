import type { Rejection } from '../../errors.ts';
import { balanceAlert, creditsAlert, type PoolAlert } from '../../usage/alerts.ts';
import { creditsGranted, poolAlertEvents } from '../../usage/event-data.ts';
import { adjustBalance, adjustCredits, creditsOf } from '../../usage/pools.ts';
import type { ConsumptionAccountRow } from '../../usage/rows.ts';
import { isBlocking } from '../../usage/terms.ts';
import { moveAccount, raisedAccount } from '../allowances/allowance.ts';
import { planOf } from '../pricing/lookup.ts';
import { largestPool } from '../purchases/purchase-credits.ts';
import type { Decision } from '../state/aggregate.ts';
import { type OnSubscription, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { fieldRejection, statusRejection } from '../state/rejections.ts';
import type { SubscriptionRow } from '../state/rows.ts';

/** A pool of a subscription: whole credits, or a balance at rate scale. */
export type PoolKind = 'credits' | 'balance';

type Input = OnSubscription & {
  /** Defaults to the pool of the plan. */
  readonly pool: PoolKind | null;
  /** Not 0. */
  readonly amount: bigint;
  readonly reason: string | null;
};

/** The pool of the plan, or the rejection of another one and of a plan without. */
function poolOf(
  draft: Draft,
  subscription: SubscriptionRow,
  requested: PoolKind | null,
): PoolKind | Rejection {
  const { consumptionModel } = planOf(draft, subscription);
  if (consumptionModel === 'metered')
    return fieldRejection('type', 'A metered plan has neither credits nor a balance.');
  if (requested === null || requested === consumptionModel) return consumptionModel;
  return fieldRejection(
    'type',
    `A ${consumptionModel} plan has no ${requested === 'credits' ? 'credits' : 'balance'}.`,
  );
}

const isCountable = (account: ConsumptionAccountRow): boolean =>
  creditsOf(account) <= largestPool &&
  account.balanceRate <= largestPool &&
  account.balanceRate >= -largestPool;

/**
 * Makes a manual correction of credits or balance, without a charge (CON-21, CON-26). Rejects the status, a
 * pool the plan does not have, what would go below 0 where that is not possible, and what could not be
 * counted; nothing has changed then. Emits events of added credits and of a pool that runs low or out.
 */
export const balanceAdjust = subscriptionCommand({
  kind: 'balance.adjust',
  decide(draft: Draft, subscription: SubscriptionRow, { pool, amount, reason }: Input): Decision {
    const rejection = statusRejection('adjust', subscription);
    if (rejection !== null) return draft.reject(rejection);
    const kind = poolOf(draft, subscription, pool);
    if (typeof kind === 'object') return draft.reject(kind);
    const raised = raisedAccount(draft, subscription);
    const isBlocked = isBlocking({ plan: planOf(draft, subscription), subscription });
    const moved =
      kind === 'credits'
        ? adjustCredits(raised.account, amount)
        : adjustBalance(raised.account, amount, isBlocked);
    if ('code' in moved) return draft.reject(moved);
    if (!isCountable(moved.account))
      return draft.reject(fieldRejection('amount', 'The result would be larger than can be counted.'));
    moveAccount(draft, subscription, raised, { sourceId: null, description: null });
    const alert = amount > 0n ? null : lossAlert(kind, raised.account, moved.account);
    const account = alert === 'credits.low' ? { ...moved.account, isLowSent: true } : moved.account;
    moveAccount(draft, subscription, { ...moved, account }, { sourceId: null, description: reason });
    const consumer = { customer: draft.customer, subscription };
    if (kind === 'credits' && amount > 0n) draft.emit(creditsGranted(consumer, amount, 'manual_adjustment'));
    if (alert !== null) for (const event of poolAlertEvents(alert, consumer, account)) draft.emit(event);
    return draft.done('done', subscription.id);
  },
});

const lossAlert = (
  kind: PoolKind,
  before: ConsumptionAccountRow,
  after: ConsumptionAccountRow,
): PoolAlert | null => (kind === 'credits' ? creditsAlert(before, after) : balanceAlert(before, after));
