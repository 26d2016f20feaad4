import type { CommandInput, CustomerCommand } from '../../../engine/execute.ts';
import { throwIssues } from '../../../graphql/declare/rules.ts';
import type { Context } from '../../../request/context.ts';
import { requireCustomer } from '../../customers/customers/store.ts';
import { refundCommand } from '../../payments/transactions/refund.ts';
import { changeCommand, changeIssues } from '../plan-changes/change.ts';
import { selectionOf } from '../subscriptions/create.ts';
import { choiceIssues } from '../subscriptions/rules.ts';
import { requireSubscription } from '../subscriptions/store.ts';
import type { PreviewInput } from './types/input.ts';

type Addressed = Extract<CommandInput, { readonly subscriptionId: string | null }>;

/**
 * Returns the engine command of a previewed request about an existing subscription. `null` if the request isn't about an existing
 * subscription.
 */
function commandAbout({
  cancel,
  uncancel,
  changePlan,
  scheduledChangeRevoke,
  reactivate,
  offerApply,
  offerRemove,
  creditsPurchase,
  balanceTopUp,
  addonActivate,
  addonDeactivate,
}: PreviewInput): (Addressed & { readonly subscriptionId: string }) | null {
  if (cancel) {
    const { id, reason, immediate } = cancel;
    return {
      kind: 'subscription.cancel',
      subscriptionId: id,
      reason: reason ?? null,
      immediate: immediate ?? false,
    };
  }
  if (uncancel) return { kind: 'subscription.uncancel', subscriptionId: uncancel.id };
  if (changePlan) return changeCommand(changePlan.id, changePlan);
  if (scheduledChangeRevoke)
    return { kind: 'subscription.revoke_change', subscriptionId: scheduledChangeRevoke.id };
  if (reactivate)
    return {
      kind: 'subscription.reactivate',
      subscriptionId: reactivate.id,
      offerId: reactivate.offerId ?? null,
    };
  if (offerApply) {
    const { id, offerId, expiresAt } = offerApply;
    return { kind: 'offer.apply', subscriptionId: id, offerId, expiresAt: expiresAt ?? null };
  }
  if (offerRemove) return { kind: 'offer.remove', subscriptionId: offerRemove.id };
  if (creditsPurchase) {
    return {
      kind: 'credits.purchase',
      subscriptionId: creditsPurchase.subscriptionId,
      creditPackId: creditsPurchase.creditPackId,
    };
  }
  if (balanceTopUp)
    return {
      kind: 'balance.topup',
      subscriptionId: balanceTopUp.subscriptionId,
      amountMinor: BigInt(balanceTopUp.amount),
    };
  if (addonActivate)
    return {
      kind: 'addon.activate',
      subscriptionId: addonActivate.subscriptionId,
      addonId: addonActivate.addonId,
    };
  if (addonDeactivate)
    return {
      kind: 'addon.deactivate',
      subscriptionId: addonDeactivate.subscriptionId,
      addonId: addonDeactivate.addonId,
    };
  return null;
}

/**
 * Returns the command that the previewed request would execute, with its customer. Throws the errors that occur before the command is
 * decided: `validation_error`, `customer_not_found`, `subscription_not_found` and `transaction_not_found`.
 */
export async function commandOf(ctx: Context, input: PreviewInput): Promise<CustomerCommand> {
  if (input.create) {
    throwIssues(
      choiceIssues(input.create).map(({ field, message }) => ({ field: `create.${field}`, message })),
    );
    const { id } = await requireCustomer(ctx, input.create.customerId, 'create.customerId');
    return { customerId: id, input: { kind: 'subscription.create', selection: selectionOf(input.create) } };
  }
  if (input.changePlan)
    throwIssues(
      changeIssues(input.changePlan).map((issue) => ({ ...issue, field: `changePlan.${issue.field}` })),
    );
  if (input.transactionRefund) return refundCommand(ctx, input.transactionRefund);
  const command = commandAbout(input);
  if (command === null) throw new Error('The input has no command.');
  const { customerId } = await requireSubscription(ctx, command.subscriptionId);
  return { customerId, input: command };
}
