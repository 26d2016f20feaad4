import { creditsOf } from '../consumption/pools.ts';
import { wireAmount } from '../money.ts';
import { planPrice } from '../pricing/resolve.ts';
import type { Decision, PurchaseCreditsCommand } from './aggregate.ts';
import { raisedAccount } from './allowance.ts';
import { planOf } from './lookup.ts';
import { buy } from './purchase.ts';
import { fieldRefusal, priceRefusal, statusRefusal } from './refusals.ts';
import type { SubscriptionRow } from './rows.ts';
import type { Work } from './work.ts';

/** The largest pool an answer can hold (protocols B9). */
export const largestPool = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Buys a credit pack at its price of now, by the plan's exchange rate in the currency of the subscription (CON-20, CAT-46, CAT-47). Refuses,
 * in this order, the status, a pack that is unknown or not for sale, a plan that is not paid for by credits, more credits than can be
 * counted, a currency without a rate, and what `buy` refuses.
 */
export function purchaseCredits(work: Work, subscription: SubscriptionRow, { creditPackId }: PurchaseCreditsCommand): Decision {
  const refusal = statusRefusal('purchase', subscription);
  if (refusal !== null) return work.refuse(refusal);
  const pack = work.aggregate.creditPacks.find(({ id }) => id === creditPackId);
  if (pack === undefined || !pack.isActive || pack.deletedAt !== null) {
    return work.refuse({ code: 'credit_pack_not_found', message: 'There is no such credit pack for sale.', param: 'creditPackId' });
  }
  const plan = planOf(work, subscription);
  if (plan.consumptionModel !== 'credits') {
    return work.refuse(
      fieldRefusal('creditPackId', `Credits can be bought on credits plans only; this is a ${plan.consumptionModel} plan.`),
    );
  }
  if (creditsOf(raisedAccount(work, subscription).account) + pack.credits > largestPool) {
    return work.refuse(fieldRefusal('creditPackId', 'The credits would become more than can be counted.'));
  }
  const price = planPrice('CON-20', work.aggregate.catalog, subscription, work.dueAt, pack.priceMinor);
  if (price === null) return work.refuse(priceRefusal('missing_regional_price'));
  const credits = wireAmount(pack.credits);
  const purchase = { creditPackName: pack.name, credits };
  return buy(work, subscription, {
    type: 'credit_purchase',
    description: `${pack.name}: ${credits} credits`,
    price,
    purchase,
  });
}
