import { defaultRejection } from '../../errors.ts';
import { wireAmount } from '../../money.ts';
import { planPrice } from '../../pricing/resolve.ts';
import { creditsOf } from '../../usage/pools.ts';
import { raisedAccount } from '../allowances/allowance.ts';
import { planOf } from '../pricing/lookup.ts';
import { buy } from '../purchases/purchase.ts';
import { largestPool } from '../purchases/purchase-credits.ts';
import type { Decision } from '../state/aggregate.ts';
import { type OnSubscription, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { fieldRejection, priceRejection, statusRejection } from '../state/rejections.ts';
import type { SubscriptionRow } from '../state/rows.ts';

type Input = OnSubscription & {
  readonly creditPackId: string;
};

/**
 * Buys a credit pack at its price of now, by the plan's exchange rate in the currency of the subscription
 * (CON-20, CAT-46, CAT-47). Rejects, in this order, the status, a pack that is unknown or not for sale, a
 * plan that is not paid for by credits, more credits than can be counted, a currency without a rate, and what
 * `buy` rejects.
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
    if (plan.consumptionModel !== 'credits') {
      return draft.reject(
        fieldRejection(
          'creditPackId',
          `Credits can be bought on credits plans only; this is a ${plan.consumptionModel} plan.`,
        ),
      );
    }
    if (creditsOf(raisedAccount(draft, subscription).account) + pack.credits > largestPool) {
      return draft.reject(
        fieldRejection('creditPackId', 'The credits would become more than can be counted.'),
      );
    }
    const price = planPrice('CON-20', draft.aggregate.catalog, subscription, draft.dueAt, pack.priceMinor);
    if (price === null) return draft.reject(priceRejection('missing_regional_price'));
    const credits = wireAmount(pack.credits);
    const purchase = { creditPackName: pack.name, credits };
    return buy(draft, subscription, {
      type: 'credit_purchase',
      description: `${pack.name}: ${credits} credits`,
      price,
      purchase,
    });
  },
});
