// A subscription moves to another plan or interval: at once, at the end of its period, or through a checkout (SUB-37 to SUB-48).
import { invoiceEvent } from '../payment-events.ts';
import type { Decision } from './aggregate.ts';
import { owedRefusal } from './arrears.ts';
import { changeDraft, changePurchase } from './change-amounts.ts';
import { openChangeCheckout } from './change-checkout.ts';
import type { ChangePlanCommand } from './change-commands.ts';
import { changeFree, changeSettled } from './change-settled.ts';
import { type ChangeTarget, changeTarget } from './change-target.ts';
import { asChanged, changedRateRefusal, seatRefusal } from './change-terms.ts';
import { requestCharge } from './charging.ts';
import { addInvoice, isBelowMinimum } from './invoicing.ts';
import { isCharging, methodOf } from './lookup.ts';
import { quote } from './quotes.ts';
import { chargeInProgress, noPaymentMethod } from './refusals.ts';
import type { SubscriptionRow } from './rows.ts';
import { revokeChange, scheduleChange } from './scheduled-change.ts';
import type { Work } from './work.ts';

/**
 * Changes plan or interval in the direction 20 §7.2 gives. Asking for what is so already withdraws a change that waits. A change at once is
 * charged first: a decline is refused with `charge_failed` and changes nothing (SUB-43).
 */
export function changePlan(work: Work, subscription: SubscriptionRow, { request, successUrl }: ChangePlanCommand): Decision {
  const target = changeTarget(work, subscription, request);
  if (target === 'same') return revokeChange(work, subscription);
  if ('code' in target) return work.refuse(target);
  if (target.direction === 'scheduled') return scheduleChange(work, subscription, target);
  const seats = seatRefusal(work, subscription, target);
  if (seats !== null) return work.refuse(seats);
  if (isCharging(work, subscription)) return work.refuse(chargeInProgress);
  const { plan, price, terms } = target;
  if (price === null) return changeFree(work, subscription, plan.id);
  const priced = { plan, price, terms };
  return target.direction === 'checkout'
    ? openChangeCheckout(work, subscription, priced, successUrl)
    : changeNow(work, subscription, priced);
}

type Priced = Pick<ChangeTarget, 'plan' | 'terms'> & { readonly price: NonNullable<ChangeTarget['price']> };

function changeNow(work: Work, subscription: SubscriptionRow, target: Priced): Decision {
  const method = methodOf(work, subscription);
  if (method === null) return work.refuse(noPaymentMethod);
  const refusal = owedRefusal(work, subscription) ?? changedRateRefusal(work, asChanged(work, subscription, target));
  if (refusal !== null) return work.refuse(refusal);
  const { terms, price } = target;
  const issued = changeDraft(work, subscription, target, terms);
  const purchase = changePurchase(work, subscription, target, terms, false);
  if (terms !== null) quote(work, subscription, terms, price);
  const invoice = addInvoice(work, { ...issued.invoice, purchase }, issued.lines);
  if (isBelowMinimum(work, { planId: target.plan.id }, invoice)) {
    changeSettled(work, subscription, invoice, { by: 'nothing', isInvoiceTold: false });
    return work.done('done', subscription.id, invoice.id);
  }
  work.emit(invoiceEvent('invoice.created', work.customer, invoice));
  requestCharge(work, subscription, invoice, method, false);
  return work.done('charging', subscription.id, invoice.id);
}
