import { balanceOf } from '../../lots/account.ts';
import { minorToRate } from '../../money/money.ts';
import { moneyPool, planPool } from '../../pricing/pools.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import { raisedAccount } from '../allowances/allowance.ts';
import { planOf } from '../pricing/lookup.ts';
import { buy } from '../purchases/purchase.ts';
import { balanceBought, largestPool } from '../purchases/purchase-credits.ts';
import type { Decision } from '../state/aggregate.ts';
import { type OnSubscription, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { fieldRejection, statusRejection } from '../state/rejections.ts';

type Input = OnSubscription & {
  readonly amountMinor: bigint;
};

/**
 * Tops up a balance. The added amount expires at the next reset (CON-24, CON-25). Checks, in this order: the
 * status, the plan's consumption model, the largest supported balance, and the checks of `buy`.
 */
export const balanceTopup = subscriptionCommand({
  kind: 'balance.topup',
  decide(draft: Draft, subscription: SubscriptionRow, { amountMinor }: Input): Decision {
    const rejection = statusRejection('purchase', subscription);
    if (rejection !== null) return draft.reject(rejection);
    const plan = planOf(draft, subscription);
    if (planPool(plan, moneyPool) === null) {
      return draft.reject(
        fieldRejection(
          'amount',
          `Only balance plans have a balance to top up. This is a ${plan.consumptionModel} plan.`,
        ),
      );
    }
    const amountRate = minorToRate(amountMinor, subscription.currency);
    const balance = balanceOf(raisedAccount(draft, subscription).account);
    if (amountRate > largestPool || balance + amountRate > largestPool) {
      return draft.reject(
        fieldRejection('amount', 'The top-up would exceed the maximum balance. Choose a smaller amount.'),
      );
    }
    return buy(draft, subscription, balanceBought(amountMinor));
  },
});
