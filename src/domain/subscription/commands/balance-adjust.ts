import type { Rejection } from '../../errors/errors.ts';
import { adjustBalance, adjustCredits } from '../../lots/movements.ts';
import type { Pool } from '../../pricing/feature-cell.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import type { ConsumptionAccountRow } from '../../rows/usage-rows.ts';
import { alertedAccount, poolAlert } from '../../usage/alerts.ts';
import { creditsGranted, poolAlertEvents } from '../../usage/event-data.ts';
import { isBlocking } from '../../usage/terms.ts';
import { applyRaise, moveAccount, raisedAccount } from '../allowances/allowance.ts';
import { planOf } from '../pricing/lookup.ts';
import { largestPool } from '../purchases/purchase-credits.ts';
import type { Decision } from '../state/aggregate.ts';
import { type OnSubscription, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { fieldRejection, statusRejection } from '../state/rejections.ts';

type Input = OnSubscription & {
  /** Balance type to adjust. `null` selects the balance type of the plan. */
  readonly pool: Pool | null;
  /** Amount to add, or to remove if negative. Never 0. */
  readonly amount: bigint;
  readonly reason: string | null;
};

/**
 * Returns the balance type of the plan. Returns a rejection if the plan has neither credits nor a balance, or
 * if another type is requested.
 */
function poolOf(draft: Draft, subscription: SubscriptionRow, requested: Pool | null): Pool | Rejection {
  const { consumptionModel } = planOf(draft, subscription);
  if (consumptionModel === 'metered')
    return fieldRejection('type', 'A metered plan has neither credits nor a balance to adjust.');
  if (requested === null || requested === consumptionModel) return consumptionModel;
  return fieldRejection(
    'type',
    `A ${consumptionModel} plan has no ${requested === 'credits' ? 'credits' : 'balance'} to adjust.`,
  );
}

const isCountable = (account: ConsumptionAccountRow): boolean =>
  account.credits <= largestPool && account.balanceRate <= largestPool && account.balanceRate >= -largestPool;

/**
 * Adjusts credits or balance manually, without a charge (CON-21, CON-26). Checks, in this order: the status,
 * the balance type, a result below 0 if the plan doesn't allow it, and the largest supported amount. Emits
 * events for added credits, and if credits or balance are low or empty.
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
        ? adjustCredits(raised.account, amount, reason)
        : adjustBalance(raised.account, amount, isBlocked, reason);
    if ('code' in moved) return draft.reject(moved);
    if (!isCountable(moved.account))
      return draft.reject(
        fieldRejection(
          'amount',
          'The adjustment would move the balance outside the allowed range. Choose a smaller adjustment.',
        ),
      );
    applyRaise(draft, subscription);
    const alert = amount > 0n ? null : poolAlert(kind, raised.account, moved.account);
    const account = alertedAccount(moved.account, alert);
    moveAccount(draft, subscription, { ...moved, account }, { sourceId: null, description: reason });
    const consumer = { customer: draft.customer, subscription };
    if (kind === 'credits' && amount > 0n) draft.emit(creditsGranted(consumer, amount, 'manual_adjustment'));
    if (alert !== null) for (const event of poolAlertEvents(alert, consumer, account)) draft.emit(event);
    return draft.done('done', subscription.id);
  },
});
