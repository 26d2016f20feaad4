import { explain } from '../../invoicing/explanation.ts';
import { minorToRate } from '../../money.ts';
import { raisedAccount } from '../allowances/allowance.ts';
import { planOf } from '../pricing/lookup.ts';
import { buy } from '../purchases/purchase.ts';
import { largestPool } from '../purchases/purchase-credits.ts';
import type { Decision } from '../state/aggregate.ts';
import { type OnSubscription, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { fieldRejection, statusRejection } from '../state/rejections.ts';
import type { SubscriptionRow } from '../state/rows.ts';

type Input = OnSubscription & {
  readonly amountMinor: bigint;
};

/**
 * Buys balance for an amount, which stays until the next reset (CON-24, CON-25). Rejects, in this order, the
 * status, a plan that is not paid for by balance, a balance that could not be counted, and what `buy`
 * rejects.
 */
export const balanceTopup = subscriptionCommand({
  kind: 'balance.topup',
  decide(draft: Draft, subscription: SubscriptionRow, { amountMinor }: Input): Decision {
    const rejection = statusRejection('purchase', subscription);
    if (rejection !== null) return draft.reject(rejection);
    const { consumptionModel } = planOf(draft, subscription);
    if (consumptionModel !== 'balance') {
      return draft.reject(
        fieldRejection(
          'amount',
          `A balance can be topped up on balance plans only; this is a ${consumptionModel} plan.`,
        ),
      );
    }
    const amountRate = minorToRate(amountMinor, subscription.currency);
    const { balanceRate } = raisedAccount(draft, subscription).account;
    if (amountRate > largestPool || balanceRate + amountRate > largestPool) {
      return draft.reject(fieldRejection('amount', 'The balance would become larger than can be counted.'));
    }
    const price = explain('CON-25', 'price', { price: amountMinor });
    return buy(draft, subscription, {
      type: 'balance_topup',
      description: 'Balance top-up',
      price,
      purchase: null,
    });
  },
});
