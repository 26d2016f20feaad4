// The checkout: the payer pays the first invoice, or stores a method for a trial or an invoice of nothing (SUB-15 … SUB-18).
import { documentTypeOf } from '../document-type.ts';
import type { ChargeResult } from '../gateway.ts';
import { paymentMethodStored, paymentReceived } from '../payment-events.ts';
import { activateOver, announceActivation } from './activation.ts';
import type { CheckoutAuthenticateCommand, CheckoutPayCommand, Decision } from './aggregate.ts';
import { changeOf } from './change-amounts.ts';
import { changeLocated, noCodeForChange, openChange } from './change-checkout.ts';
import { changeSettled } from './change-settled.ts';
import { abandonAuthentication, failTransaction, requestCharge, requestSetup, settleTransaction } from './charging.ts';
import { taxedFor } from './checkout-tax.ts';
import { isBelowMinimum, payInvoice } from './invoicing.ts';
import { invoiceOf, isCharging } from './lookup.ts';
import { pricedFor } from './pricing.ts';
import { chargeFailed, chargeInProgress, statusRefusal } from './refusals.ts';
import { discoverPromotion, enterPromoCode, lostQuote } from './reprice.ts';
import type { InvoiceRow, PaymentMethodRow, PendingCheckout, SubscriptionRow } from './rows.ts';
import { typedPayer } from './taxing.ts';
import { startTrial } from './trial.ts';
import type { Work } from './work.ts';

/**
 * Asks the gateway to charge the first invoice by the method typed in, or only to store it, at the price a promo code typed in or the card
 * leads to and with the tax of the address typed in. An authentication left open is given up, if it is the one that was taken back.
 */
export function pay(work: Work, subscription: SubscriptionRow, command: CheckoutPayCommand): Decision {
  const change = openChange(work, subscription);
  const refusal = change === null ? statusRefusal('checkout', subscription) : null;
  if (refusal !== null) return work.refuse(refusal);
  const { pendingCheckout } = subscription;
  // Another authentication than was taken back could still be passed, and take money.
  const isAwaited = pendingCheckout !== null && pendingCheckout.attemptId !== command.givenUp;
  if (isAwaited || isCharging(work, subscription)) return work.refuse(chargeInProgress);
  const { method, billingAddress = null, taxDocument = null, promoCode = null } = command;
  work.payer = typedPayer(work.customer, { billingAddress, taxDocument });
  const country = billingAddress?.country ?? work.customer.country;
  if (change !== null) return payChange(work, subscription, change, { ...command, country });
  const located = pricedFor(work, subscription, country);
  if ('code' in located) return work.refuse(located);
  const priced = promoCode === null ? located : enterPromoCode(work, located, promoCode);
  if ('code' in priced) return work.refuse(priced);
  abandonAuthentication(work, subscription.pendingCheckout);
  const lost = lostQuote(work, priced, method);
  if (lost !== null) return work.refuse(lost);
  const taxed = taxedFor(work, discoverPromotion(work, priced, method));
  return 'code' in taxed ? work.refuse(taxed) : attempt(work, taxed, { method, billingAddress, taxDocument });
}

type ChangePayment = CheckoutPayCommand & { readonly country: string | null };

/** The same of a plan change, which neither a promo code nor a card makes cheaper (OFR-36). */
function payChange(work: Work, subscription: SubscriptionRow, change: InvoiceRow, command: ChangePayment): Decision {
  const { method, billingAddress = null, taxDocument = null, promoCode = null, country } = command;
  if (promoCode !== null) return work.refuse(noCodeForChange);
  const located = changeLocated(work, subscription, change, country);
  if ('code' in located) return work.refuse(located);
  abandonAuthentication(work, subscription.pendingCheckout);
  return attempt(work, located, { method, billingAddress, taxDocument });
}

type Typed = Pick<PendingCheckout, 'method' | 'billingAddress' | 'taxDocument'>;

function attempt(work: Work, subscription: SubscriptionRow, typed: Typed): Decision {
  const { method } = typed;
  const invoice = subscription.checkoutInvoiceId === null ? null : invoiceOf(work, subscription.checkoutInvoiceId);
  const change = invoice === null ? null : changeOf(invoice);
  const planId = change?.toPlanId ?? subscription.planId;
  const isSetup = invoice === null || isBelowMinimum(work, { planId }, invoice);
  const transactionId = isSetup ? null : requestCharge(work, subscription, invoice, method, true).id;
  const attemptId = transactionId ?? requestSetup(work, subscription, method);
  const about = invoice === null || change === null ? {} : { changeInvoiceId: invoice.id };
  const pendingCheckout: PendingCheckout = { attemptId, transactionId, state: 'asked', ...typed, ...about };
  work.subscriptions.put({ ...subscription, pendingCheckout });
  return work.done('charging', subscription.id, invoice?.id ?? null);
}

/** Ends the authentication an open checkout waits for: passed, it completes; failed, it is a decline (protocols D4). */
export function authenticate(work: Work, subscription: SubscriptionRow, command: CheckoutAuthenticateCommand): Decision {
  const refusal = openChange(work, subscription) === null ? statusRefusal('checkout', subscription) : null;
  if (refusal !== null) return work.refuse(refusal);
  const checkout = subscription.pendingCheckout;
  if (checkout?.state === 'asked') return work.refuse(chargeInProgress);
  if (checkout === null) return work.refuse({ code: 'payment_not_found', message: 'No authentication is awaited at this checkout.' });
  const failed: ChargeResult = { status: 'declined', declineCode: 'authentication_failed', message: 'The authentication failed.' };
  work.payer = typedPayer(work.customer, checkout);
  if (!command.succeed) return checkoutAnswered(work, subscription, checkout, failed);
  const lost = lostQuote(work, subscription, checkout.method);
  return lost === null ? checkoutAnswered(work, subscription, checkout, { status: 'settled' }) : work.refuse(lost);
}

/** Takes the gateway's answer to the attempt at an open checkout. A decline changes nothing but the record of the attempt (SUB-18). */
export function checkoutAnswered(work: Work, subscription: SubscriptionRow, checkout: PendingCheckout, result: ChargeResult): Decision {
  const { checkoutInvoiceId } = subscription;
  if (result.status === 'unknown') return work.done('unanswered', subscription.id, checkoutInvoiceId);
  if (result.status === 'requires_action') {
    work.subscriptions.put({ ...subscription, pendingCheckout: { ...checkout, state: 'requires_action' } });
    return work.done('requires_action', subscription.id, checkoutInvoiceId);
  }
  const transaction = checkout.transactionId === null ? null : work.transactions.find(checkout.transactionId);
  if (result.status === 'declined') {
    if (transaction !== null) failTransaction(work, transaction, result.declineCode);
    work.subscriptions.put({ ...subscription, pendingCheckout: null });
    work.release(subscription.id);
    return work.refuse(chargeFailed(result.declineCode, result.message));
  }
  return complete(work, subscription, checkout);
}

function complete(work: Work, subscription: SubscriptionRow, checkout: PendingCheckout): Decision {
  keepBillingFacts(work, checkout);
  const method = storeMethod(work, subscription, checkout);
  if (subscription.checkoutInvoiceId === null) {
    startTrial(work, subscription, method.id);
    return work.done('done', subscription.id);
  }
  const invoice = invoiceOf(work, subscription.checkoutInvoiceId);
  completePaid(work, subscription, invoice, checkout, method);
  return work.done('done', subscription.id, invoice.id);
}

function completePaid(
  work: Work,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  checkout: PendingCheckout,
  method: PaymentMethodRow,
): void {
  const pending = checkout.transactionId === null ? null : work.transactions.find(checkout.transactionId);
  const transaction = pending === null ? null : settleTransaction(work, pending, method.id);
  if (changeOf(invoice) !== null) {
    const payer = { ...subscription, paymentMethodId: method.id, provider: method.provider };
    changeSettled(work, payer, invoice, { by: transaction ?? 'nothing', isInvoiceTold: true });
    return;
  }
  const settled = payInvoice(work, invoice, transaction);
  const stored = { paymentMethodId: method.id, provider: method.provider };
  const { active, paid } = activateOver(work, subscription, settled, stored);
  if (transaction !== null) work.emit(paymentReceived(work.customer, paid, transaction));
  announceActivation(work, subscription, active, paid, transaction?.provider ?? null);
}

/** The billing address and tax document typed in at a page become the customer's. */
export function keepBillingFacts(
  work: Work,
  { billingAddress, taxDocument }: Pick<PendingCheckout, 'billingAddress' | 'taxDocument'>,
): void {
  if (billingAddress === null && taxDocument === null) return;
  const { customer } = work;
  const country = billingAddress?.country ?? customer.country;
  const document = taxDocument ?? customer.taxDocument;
  work.customers.put({
    ...customer,
    address: billingAddress ?? customer.address,
    country,
    taxDocument: document,
    documentType: documentTypeOf(document, country),
    updatedAt: work.now,
  });
}

/** Stores the method typed in and says whether it is the first of the subscription or takes the place of another (PAY-33). */
export function storeMethod(work: Work, subscription: SubscriptionRow, checkout: Pick<PendingCheckout, 'method'>): PaymentMethodRow {
  const isReplacement = subscription.paymentMethodId !== null;
  const method = work.paymentMethods.add({
    ...checkout.method,
    id: work.newId('pm'),
    seq: null,
    customerId: subscription.customerId,
    createdAt: work.now,
  });
  work.emit(paymentMethodStored(work.customer, subscription, method, isReplacement));
  return method;
}
