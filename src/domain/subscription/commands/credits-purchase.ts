import { defaultRejection } from '../../errors/errors.ts';
import { amountOf } from '../../lots/account.ts';
import { planPool } from '../../pricing/pools.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import { raisedAccount } from '../allowances/allowance.ts';
import { planOf } from '../pricing/lookup.ts';
import { buy } from '../purchases/purchase.ts';
import { largestPool, packPrice, packsBought } from '../purchases/purchase-credits.ts';
import type { Decision } from '../state/aggregate.ts';
import { type OnSubscription, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { fieldRejection, priceRejection, statusRejection } from '../state/rejections.ts';

type Input = OnSubscription & {
  readonly creditPackId: string;
};

/**
 * Purchases a credit pack at its current price, converted to the subscription's currency at the plan's
 * exchange rate (CON-20, CAT-46, CAT-47). Checks, in this order: the status, the pack and its availability,
 * the plan's consumption model, the largest supported number of credits, the currency's exchange rate, and
 * the checks of `buy`.
 */
export const creditsPurchase = subscriptionCommand({
  kind: 'credits.purchase',
  needs: ({ creditPackId }: Input) => ({ creditPacks: [creditPackId] }),
  decide(draft: Draft, subscription: SubscriptionRow, { creditPackId }: Input): Decision {
    const rejection = statusRejection('purchase', subscription);
    if (rejection !== null) return draft.reject(rejection);
    const pack = draft.aggregate.creditPacks.find(({ id }) => id === creditPackId);
    if (pack === undefined || !pack.isActive || pack.deletedAt !== null) {
      return draft.reject(defaultRejection('credit_pack_not_found', { param: 'creditPackId' }));
    }
    const plan = planOf(draft, subscription);
    if (planPool(plan, pack.asset) === null) {
      return draft.reject(
        fieldRejection(
          'creditPackId',
          `Credits can only be purchased on credits plans. This is a ${plan.consumptionModel} plan.`,
        ),
      );
    }
    if (amountOf(raisedAccount(draft, subscription).account, pack.asset) + pack.credits > largestPool) {
      return draft.reject(
        fieldRejection(
          'creditPackId',
          'The purchase would exceed the maximum credit balance. Choose a smaller credit pack.',
        ),
      );
    }
    const price = packPrice(draft, subscription, pack);
    if (price === null) return draft.reject(priceRejection('missing_regional_price'));
    return buy(draft, subscription, packsBought(pack, price));
  },
});
