import type { Rejection } from '../../errors/errors.ts';
import { amountsIn } from '../../lots/account.ts';
import { adjustPool } from '../../lots/movements.ts';
import { isCustom, type Pool, poolsOf } from '../../pricing/pools.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import type { ConsumptionAccountRow } from '../../rows/usage-rows.ts';
import { creditsGranted, poolAlertEvents } from '../../usage/event-data.ts';
import { crossedPool } from '../../usage/system-limits.ts';
import { canOverdraw } from '../../usage/terms.ts';
import { applyRaise, moveAccount, raisedAccount } from '../allowances/allowance.ts';
import { planOf } from '../pricing/lookup.ts';
import { largestPool } from '../purchases/purchase-credits.ts';
import type { Decision } from '../state/aggregate.ts';
import { type OnSubscription, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { fieldRejection, statusRejection } from '../state/rejections.ts';

type Input = OnSubscription & {
  /** Pool to adjust. `null` selects the first pool of the plan. */
  readonly pool: Pool | null;
  /** Amount to add, or to remove if negative. Never 0. */
  readonly amount: bigint;
  readonly reason: string | null;
};

/**
 * Returns the pool to adjust, by default the plan's first pool. Returns a rejection if the plan has no pool, or if another
 * pool is requested.
 */
function poolOf(draft: Draft, subscription: SubscriptionRow, requested: Pool | null): Pool | Rejection {
  const plan = planOf(draft, subscription);
  const pools = poolsOf(plan).map(({ pool }) => pool);
  const [first] = pools;
  if (first === undefined)
    return fieldRejection('type', 'A metered plan has neither credits nor a balance to adjust.');
  if (requested === null || pools.includes(requested)) return requested ?? first;
  return fieldRejection(
    'type',
    `A ${plan.consumptionModel} plan has no ${requested === 'credits' ? 'credits' : 'balance'} to adjust.`,
  );
}

const isCountable = (account: ConsumptionAccountRow, pool: Pool): boolean => {
  const { amount } = amountsIn(account, pool);
  return amount <= largestPool && amount >= -largestPool;
};

/**
 * Adjusts credits or balance manually, without a charge (CON-21, CON-26). Checks, in this order: the status,
 * the pool, a result below 0 if the plan doesn't allow it, and the largest supported amount. Emits
 * events for added credits, and if credits or balance are low or empty.
 */
export const balanceAdjust = subscriptionCommand({
  kind: 'balance.adjust',
  ignoresUsage: true,
  decide(draft: Draft, subscription: SubscriptionRow, { pool, amount, reason }: Input): Decision {
    const rejection = statusRejection('adjust', subscription);
    if (rejection !== null) return draft.reject(rejection);
    const kind = poolOf(draft, subscription, pool);
    if (typeof kind === 'object') return draft.reject(kind);
    const raised = raisedAccount(draft, subscription);
    const mayOverdraw = canOverdraw({ plan: planOf(draft, subscription), subscription }, kind);
    const moved = adjustPool(raised.account, kind, amount, mayOverdraw, reason);
    if ('code' in moved) return draft.reject(moved);
    if (!isCountable(moved.account, kind))
      return draft.reject(
        fieldRejection(
          'amount',
          'The adjustment would move the balance outside the allowed range. Choose a smaller adjustment.',
        ),
      );
    applyRaise(draft, subscription);
    const [account, alert] = crossedPool(kind, raised.account, moved.account);
    moveAccount(draft, subscription, { ...moved, account }, { sourceId: null, description: reason });
    const consumer = { customer: draft.customer, subscription };
    if (isCustom(kind) && amount > 0n)
      draft.emit(creditsGranted(consumer, kind, amount, 'manual_adjustment'));
    if (alert !== null)
      for (const event of poolAlertEvents(alert, consumer, account, kind)) draft.emit(event);
    return draft.done('done', subscription.id);
  },
});
