import type { Context } from '../../context.ts';
import type { CustomerOrder, Order } from '../../engine/execute.ts';
import { throwIssues } from '../../graphql/rules.ts';
import { requireCustomer } from '../customers/service.ts';
import { changeIssues, changeOrder } from '../subscriptions/change-plan.ts';
import { selectionOf } from '../subscriptions/create.ts';
import { choiceIssues } from '../subscriptions/create-input.ts';
import { requireSubscription } from '../subscriptions/find.ts';
import type { PreviewInput } from './input.ts';

type Addressed = Extract<Order, { readonly subscriptionId: string | null }>;

/** The order a call about a subscription that exists gives to the engine; null where the input names none of them. */
function orderAbout({
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
    return { kind: 'subscription.cancel', subscriptionId: id, reason: reason ?? null, immediate: immediate ?? false };
  }
  if (uncancel) return { kind: 'subscription.uncancel', subscriptionId: uncancel.id };
  if (changePlan) return changeOrder(changePlan.id, changePlan);
  if (scheduledChangeRevoke) return { kind: 'subscription.revoke_change', subscriptionId: scheduledChangeRevoke.id };
  if (reactivate) return { kind: 'subscription.reactivate', subscriptionId: reactivate.id, offerId: reactivate.offerId ?? null };
  if (offerApply) {
    const { id, offerId, expiresAt } = offerApply;
    return { kind: 'offer.apply', subscriptionId: id, offerId, expiresAt: expiresAt ?? null };
  }
  if (offerRemove) return { kind: 'offer.remove', subscriptionId: offerRemove.id };
  if (creditsPurchase) {
    return { kind: 'credits.purchase', subscriptionId: creditsPurchase.id, creditPackId: creditsPurchase.creditPackId };
  }
  if (balanceTopUp) return { kind: 'balance.topup', subscriptionId: balanceTopUp.id, amountMinor: BigInt(balanceTopUp.amount) };
  if (addonActivate) return { kind: 'addon.activate', subscriptionId: addonActivate.id, addonId: addonActivate.addonId };
  if (addonDeactivate) return { kind: 'addon.deactivate', subscriptionId: addonDeactivate.id, addonId: addonDeactivate.addonId };
  return null;
}

/**
 * The order that the call named by the input would execute, and of whom. Throws what that call throws before it decides: `validation_error`,
 * `customer_not_found` and `subscription_not_found`.
 */
export async function orderOf(context: Context, input: PreviewInput): Promise<CustomerOrder> {
  if (input.create) {
    throwIssues(choiceIssues(input.create).map(({ field, message }) => ({ field: `create.${field}`, message })));
    const { id } = await requireCustomer(context, input.create.customerId, 'create.customerId');
    return { customerId: id, order: { kind: 'subscription.create', selection: selectionOf(input.create) } };
  }
  if (input.changePlan) throwIssues(changeIssues(input.changePlan).map((issue) => ({ ...issue, field: `changePlan.${issue.field}` })));
  const order = orderAbout(input);
  if (order === null) throw new Error('The input names no call.');
  const { customerId } = await requireSubscription(context, order.subscriptionId);
  return { customerId, order };
}
