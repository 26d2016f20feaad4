import { explain } from '../invoice/explanation.ts';
import { minorToRate } from '../money.ts';
import type { Decision, TopUpCommand } from './aggregate.ts';
import { raisedAccount } from './allowance.ts';
import { planOf } from './lookup.ts';
import { buy } from './purchase.ts';
import { largestPool } from './purchase-credits.ts';
import { fieldRefusal, statusRefusal } from './refusals.ts';
import type { SubscriptionRow } from './rows.ts';
import type { Work } from './work.ts';

/**
 * Buys balance for an amount, which stays until the next reset (CON-24, CON-25). Refuses, in this order, the status, a plan that is not paid
 * for by balance, a balance that could not be counted, and what `buy` refuses.
 */
export function topUp(work: Work, subscription: SubscriptionRow, { amountMinor }: TopUpCommand): Decision {
  const refusal = statusRefusal('purchase', subscription);
  if (refusal !== null) return work.refuse(refusal);
  const { consumptionModel } = planOf(work, subscription);
  if (consumptionModel !== 'balance') {
    return work.refuse(fieldRefusal('amount', `A balance can be topped up on balance plans only; this is a ${consumptionModel} plan.`));
  }
  const amountRate = minorToRate(amountMinor, subscription.currency);
  const { balanceRate } = raisedAccount(work, subscription).account;
  if (amountRate > largestPool || balanceRate + amountRate > largestPool) {
    return work.refuse(fieldRefusal('amount', 'The balance would become larger than can be counted.'));
  }
  const price = explain('CON-25', 'price', { price: amountMinor });
  return buy(work, subscription, { type: 'balance_topup', description: 'Balance top-up', price, purchase: null });
}
