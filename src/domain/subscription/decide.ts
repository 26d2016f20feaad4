import { TaxNotComputedError } from '../tax.ts';
import { activateAddon, deactivateAddon } from './addons.ts';
import { adjust } from './adjust.ts';
import { adjustPool } from './adjust-pool.ts';
import type { Aggregate, Command, Decision, Tools } from './aggregate.ts';
import { chargeAnswered } from './answer.ts';
import { applyOffer, quoteExpiry, removeOffer } from './apply-offer.ts';
import { cancel, uncancel } from './cancel.ts';
import { changePlan } from './change-plan.ts';
import { authenticate, pay } from './checkout.ts';
import { changeCounts } from './counts.ts';
import { create, start } from './create.ts';
import { grantCredit, revokeCredit } from './credits.ts';
import { periodEnd, windowReset } from './cycle.ts';
import { openDispute, resolveDispute } from './dispute.ts';
import { dunningRetry } from './dunning.ts';
import { mark } from './mark.ts';
import { dailyScan } from './notices.ts';
import { authenticateLink, cancelPayment, chargePayment, createLink, payLink } from './payments.ts';
import { createGrant, grantExpiry, revokeGrant, updateGrant } from './plan-grants.ts';
import { purchaseCredits } from './purchase-credits.ts';
import { reactivate } from './reactivate.ts';
import { payRecovery, updateMethod } from './recovery.ts';
import { refund } from './refund.ts';
import { retry, retryTransaction } from './retry.ts';
import type { SubscriptionRow } from './rows.ts';
import { revokeChange } from './scheduled-change.ts';
import { taxRefusal } from './taxing.ts';
import { topUp } from './top-up.ts';
import { trialEnd } from './trial.ts';
import { Work } from './work.ts';

/**
 * Decides a command on one customer's billing state. Pure: it reads nothing but its arguments, writes nothing and leaves the aggregate as
 * it was. Throws only for states that must not exist; whatever a caller can do wrong is an outcome.
 */
export function decide(aggregate: Aggregate, command: Command, tools: Tools): Decision {
  try {
    return decideCommand(new Work(aggregate, command, tools), command);
  } catch (error) {
    // The tax is asked for in the midst of issuing; what was decided so far is left behind, so that nothing changes (BIL-20).
    if (error instanceof TaxNotComputedError) return new Work(aggregate, command, tools).refuse(taxRefusal(error));
    throw error;
  }
}

function decideCommand(work: Work, command: Command): Decision {
  if (command.kind === 'subscription.create') return create(work, command);
  if (command.kind === 'charge.result') return chargeAnswered(work, command);
  if (command.kind === 'invoice.adjust') return adjust(work, command);
  if (command.kind === 'invoice.mark') return mark(work, command);
  if (command.kind === 'credit.grant') return grantCredit(work, command);
  if (command.kind === 'credit.revoke') return revokeCredit(work, command);
  if (command.kind === 'counts.change') return changeCounts(work, command);
  if (command.kind === 'transaction.refund') return refund(work, command);
  if (command.kind === 'transaction.retry') return retryTransaction(work, command);
  if (command.kind === 'dispute.open') return openDispute(work, command);
  if (command.kind === 'dispute.resolve') return resolveDispute(work, command);
  if (command.kind === 'payment.create') return createLink(work, command);
  if (command.kind === 'payment.charge') return chargePayment(work, command);
  if (command.kind === 'payment.pay') return payLink(work, command);
  if (command.kind === 'payment.authenticate') return authenticateLink(work, command);
  if (command.kind === 'payment.cancel') return cancelPayment(work, command);
  if (command.kind === 'grant.update') return updateGrant(work, command);
  if (command.kind === 'grant.revoke') return revokeGrant(work, command);
  const { subscriptionId } = command;
  if (command.kind === 'daily_scan' && subscriptionId === null) return dailyScan(work, null, command);
  const subscription = subscriptionId === null ? null : work.subscriptions.find(subscriptionId);
  if (subscription === null) {
    return work.refuse({ code: 'subscription_not_found', message: `There is no subscription ${subscriptionId}.` });
  }
  return decideOne(work, subscription, command);
}

type Addressed = Extract<Command, { readonly subscriptionId: string | null }>;

function decideOne(work: Work, subscription: SubscriptionRow, command: Addressed): Decision {
  switch (command.kind) {
    case 'subscription.cancel':
      return cancel(work, subscription, command);
    case 'subscription.uncancel':
      return uncancel(work, subscription);
    case 'subscription.change_plan':
      return changePlan(work, subscription, command);
    case 'subscription.revoke_change':
      return revokeChange(work, subscription);
    case 'subscription.retry':
      return retry(work, subscription);
    case 'subscription.reactivate':
      return reactivate(work, subscription, command);
    case 'recovery.pay':
      return payRecovery(work, subscription, command);
    case 'method.update':
      return updateMethod(work, subscription, command);
    case 'offer.apply':
      return applyOffer(work, subscription, command);
    case 'offer.remove':
      return removeOffer(work, subscription);
    case 'checkout.pay':
      return pay(work, subscription, command);
    case 'checkout.authenticate':
      return authenticate(work, subscription, command);
    case 'quote_expiry':
      return quoteExpiry(work, subscription, command);
    case 'balance.adjust':
      return adjustPool(work, subscription, command);
    case 'balance.topup':
      return topUp(work, subscription, command);
    case 'credits.purchase':
      return purchaseCredits(work, subscription, command);
    case 'addon.activate':
      return activateAddon(work, subscription, command);
    case 'addon.deactivate':
      return deactivateAddon(work, subscription, command);
    case 'grant.create':
      return createGrant(work, subscription, command);
    case 'grant_expiry':
      return grantExpiry(work, subscription, command);
    case 'start':
      return start(work, subscription, command);
    case 'trial_end':
      return trialEnd(work, subscription, command);
    case 'period_end':
      return periodEnd(work, subscription, command);
    case 'window_reset':
      return windowReset(work, subscription, command);
    case 'dunning_retry':
      return dunningRetry(work, subscription, command);
    case 'daily_scan':
      return dailyScan(work, subscription, command);
  }
}
