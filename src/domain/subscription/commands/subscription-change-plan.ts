import { invoiceEvent } from '../../events/payment-events.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import { owedRejection } from '../allowances/arrears.ts';
import { requestCharge } from '../invoicing/charging.ts';
import { lateRejection } from '../invoicing/debit-terms.ts';
import { isBelowMinimum } from '../invoicing/invoicing.ts';
import { addInvoice } from '../invoicing/open-invoice.ts';
import { changeDraft, changePurchase } from '../plan-change/change-amounts.ts';
import { openChangeCheckout } from '../plan-change/change-checkout.ts';
import { changeFree, changeSettled } from '../plan-change/change-settled.ts';
import { type ChangeRequest, type ChangeTarget, changeTarget } from '../plan-change/change-target.ts';
import {
  asChanged,
  changedCountRejection,
  changedRateRejection,
  seatRejection,
} from '../plan-change/change-terms.ts';
import { revokeChange, scheduleChange } from '../plan-change/scheduled-change.ts';
import { isCharging, isCollectingDebit, methodOf } from '../pricing/lookup.ts';
import { quote } from '../pricing/quotes.ts';
import type { Decision } from '../state/aggregate.ts';
import { type OnSubscription, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { chargeInProgress, noPaymentMethod } from '../state/rejections.ts';

type Input = OnSubscription & {
  readonly request: ChangeRequest;
  readonly successUrl: string | null;
};

/**
 * Changes the plan or interval immediately or at the end of the period. A request for the current plan and
 * interval cancels a scheduled change. Immediate changes are charged first: if the charge is declined, the
 * command fails with `charge_failed` and the plan doesn't change (SUB-43).
 */
export const subscriptionChangePlan = subscriptionCommand({
  kind: 'subscription.change_plan',
  needs: ({ request: { newPlanId, offerId } }: Input) => ({
    plans: newPlanId === null ? [] : [newPlanId],
    countries: [null],
    offers: [{ offerId }],
  }),
  decide(draft: Draft, subscription: SubscriptionRow, { request, successUrl }: Input): Decision {
    const target = changeTarget(draft, subscription, request);
    if (target === 'same') return revokeChange(draft, subscription);
    if ('code' in target) return draft.reject(target);
    const tooMany = changedCountRejection(draft, asChanged(draft, subscription, target));
    if (tooMany !== null) return draft.reject(tooMany);
    if (target.direction === 'scheduled') return scheduleChange(draft, subscription, target);
    const seats = seatRejection(draft, subscription, target);
    if (seats !== null) return draft.reject(seats);
    if (isCharging(draft, subscription) || isCollectingDebit(draft, subscription))
      return draft.reject(chargeInProgress);
    const { plan, price, terms } = target;
    if (price === null) return changeFree(draft, subscription, plan.id);
    const priced = { plan, price, terms };
    return target.direction === 'checkout'
      ? openChangeCheckout(draft, subscription, priced, successUrl)
      : changeNow(draft, subscription, priced);
  },
});

type Priced = Pick<ChangeTarget, 'plan' | 'terms'> & { readonly price: NonNullable<ChangeTarget['price']> };

function changeNow(draft: Draft, subscription: SubscriptionRow, target: Priced): Decision {
  const method = methodOf(draft, subscription);
  if (method === null) return draft.reject(noPaymentMethod);
  const rejection =
    lateRejection(method) ??
    owedRejection(draft, subscription) ??
    changedRateRejection(draft, asChanged(draft, subscription, target));
  if (rejection !== null) return draft.reject(rejection);
  const { terms, price } = target;
  const issued = changeDraft(draft, subscription, target, terms);
  const purchase = changePurchase(draft, subscription, target, terms, issued, false);
  if (terms !== null) quote(draft, subscription, terms, price);
  const invoice = addInvoice(draft, { ...issued.invoice, purchase }, issued.lines);
  if (isBelowMinimum(draft, { planId: target.plan.id }, invoice)) {
    changeSettled(draft, subscription, invoice, { by: 'nothing', isInvoiceEmitted: false });
    return draft.done('done', subscription.id, invoice.id);
  }
  draft.emit(invoiceEvent('invoice.created', draft.customer, invoice));
  requestCharge(draft, subscription, invoice, method, false);
  return draft.done('charging', subscription.id, invoice.id);
}
