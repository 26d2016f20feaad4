// Processes checkout attempts. The payer pays the first invoice, or stores a payment method for a trial or
// an invoice with a total of 0 (SUB-15 … SUB-18).

import { specificRejection } from '../../errors/errors.ts';
import { paymentMethodStored, paymentReceived } from '../../events/payment-events.ts';
import { checkoutDuplicate } from '../../events/subscription-events.ts';
import { defaultInstrument } from '../../payments/instruments/registry.ts';
import type { ChargeResult } from '../../payments/provider.ts';
import type {
  InvoiceRow,
  PaymentMethodRow,
  PendingCheckout,
  SubscriptionRow,
  TransactionRow,
} from '../../rows/rows.ts';
import { documentTypeOf } from '../../tax/document-type.ts';
import { customerKeys } from '../../text/folding.ts';
import { awaitPayer, failTransaction, settleTransaction } from '../invoicing/charging.ts';
import { isPush } from '../invoicing/push-terms.ts';
import { finalizeInvoice, payInvoice } from '../invoicing/settling.ts';
import { activateOver, announceActivation } from '../lifecycle/activation.ts';
import { startTrial } from '../lifecycle/trial.ts';
import { changeOf } from '../plan-change/change-amounts.ts';
import { changeSettled } from '../plan-change/change-settled.ts';
import { invoiceOf, storedMethods } from '../pricing/lookup.ts';
import type { Decision } from '../state/aggregate.ts';
import type { Draft } from '../state/draft.ts';
import { chargeFailed } from '../state/rejections.ts';
import { acceptMandate } from './mandates.ts';
import { wrongCodesAfter } from './saved-method.ts';

/** Records the provider's result for a checkout attempt. A declined charge only updates the attempt (SUB-18). */
export function checkoutAnswered(
  draft: Draft,
  subscription: SubscriptionRow,
  checkout: PendingCheckout,
  result: ChargeResult,
): Decision {
  const { checkoutInvoiceId } = subscription;
  if (result.status === 'unknown') return draft.done('unanswered', subscription.id, checkoutInvoiceId);
  if (result.status === 'requires_action') {
    awaitPayer(draft, checkout.transactionId);
    draft.subscriptions.patch(subscription.id, {
      pendingCheckout: { ...checkout, state: 'requires_action' },
    });
    return draft.done('requires_action', subscription.id, checkoutInvoiceId);
  }
  const transaction =
    checkout.transactionId === null ? null : draft.transactions.find(checkout.transactionId);
  if (result.status === 'declined') {
    if (transaction?.status === 'pending') failTransaction(draft, transaction, result.declineCode);
    draft.subscriptions.patch(subscription.id, {
      pendingCheckout: null,
      ...countedCode(subscription, checkout, result.declineCode),
    });
    draft.release(subscription.id);
    return draft.reject(chargeFailed(result.declineCode, result.message));
  }
  return complete(draft, subscription, checkout);
}

/** Returns the subscription fields to update after a wrong security code for a saved card. */
function countedCode(
  { selection }: SubscriptionRow,
  { storedMethodId }: PendingCheckout,
  declineCode: string,
): Partial<SubscriptionRow> {
  const wrongCodes = wrongCodesAfter(selection.wrongCodes, declineCode, storedMethodId !== undefined);
  return wrongCodes === (selection.wrongCodes ?? 0) ? {} : { selection: { ...selection, wrongCodes } };
}

/**
 * Ends the attempt of a payer who already has a subscription. The card is verified, but nothing is purchased
 * or stored. Emits an event for the organization (CAT-64a).
 */
function blockDuplicate(draft: Draft, subscription: SubscriptionRow, heldSubscriptionId: string): Decision {
  draft.subscriptions.patch(subscription.id, { pendingCheckout: null });
  draft.release(subscription.id);
  draft.emit(checkoutDuplicate(draft.customer, subscription, heldSubscriptionId));
  return draft.reject(specificRejection('already_has_active_subscription', 'same_address'));
}

function complete(draft: Draft, subscription: SubscriptionRow, checkout: PendingCheckout): Decision {
  if (checkout.heldSubscriptionId !== undefined)
    return blockDuplicate(draft, subscription, checkout.heldSubscriptionId);
  keepBillingDetails(draft, checkout);
  const method = isPush(checkout.method) ? null : storeMethod(draft, subscription, checkout);
  if (subscription.checkoutInvoiceId === null) {
    if (method === null) throw new Error(`The checkout of ${subscription.id} stores no payment method.`);
    startTrial(draft, subscription, method.id);
    return draft.done('done', subscription.id);
  }
  const invoice = invoiceOf(draft, subscription.checkoutInvoiceId);
  completePaid(draft, subscription, invoice, checkout, method);
  return draft.done('done', subscription.id, invoice.id);
}

function completePaid(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  checkout: PendingCheckout,
  method: PaymentMethodRow | null,
): void {
  const pending = checkout.transactionId === null ? null : draft.transactions.find(checkout.transactionId);
  const transaction = pending === null ? null : settleTransaction(draft, pending, method?.id ?? null);
  const { provider } = checkout.method;
  const stored = method === null ? { provider } : { paymentMethodId: method.id, provider: method.provider };
  if (changeOf(invoice) !== null) {
    const payer = draft.subscriptions.patch(subscription.id, stored);
    changeSettled(draft, payer, invoice, { by: transaction ?? 'nothing', isInvoiceEmitted: true });
    return;
  }
  const settled = payInvoice(draft, invoice, transaction);
  const { active, paid } = activateOver(draft, subscription, settled, stored);
  if (transaction !== null) draft.emit(paymentReceived(draft.customer, paid, transaction));
  announceActivation(draft, subscription, active, paid, transaction?.provider ?? null);
}

/**
 * Activates the subscription of a checkout whose bank debit was accepted (INS-32). The invoice stays outstanding until the debit
 * settles.
 */
export function checkoutDebited(
  draft: Draft,
  subscription: SubscriptionRow,
  checkout: PendingCheckout,
  { id, provider }: TransactionRow,
): void {
  keepBillingDetails(draft, checkout);
  const method = storeMethod(draft, subscription, checkout);
  draft.transactions.patch(id, { paymentMethodId: method.id });
  const invoice = finalizeInvoice(draft, invoiceOf(draft, subscription.checkoutInvoiceId));
  const stored = { paymentMethodId: method.id, provider: method.provider };
  const { active, paid: opened } = activateOver(draft, subscription, invoice, stored);
  announceActivation(draft, subscription, active, opened, provider);
}

/**
 * Keeps the checkout open until the accepted bank debit has a result (INS-33). Stores the payment method, because the debit needs
 * its mandate.
 */
export function checkoutWaits(
  draft: Draft,
  subscription: SubscriptionRow,
  checkout: PendingCheckout,
  { id }: TransactionRow,
): void {
  const method = addMethod(draft, subscription, checkout);
  draft.transactions.patch(id, { paymentMethodId: method.id });
  draft.subscriptions.patch(subscription.id, {
    pendingCheckout: { ...checkout, state: 'collecting', storedMethodId: method.id },
  });
}

/** Saves the billing address, tax ID, and company name that the payer entered. */
export function keepBillingDetails(
  draft: Draft,
  {
    billingAddress,
    taxDocument,
    companyName,
  }: Pick<PendingCheckout, 'billingAddress' | 'taxDocument' | 'companyName'>,
): void {
  if (billingAddress === null && taxDocument === null && companyName === undefined) return;
  const { customer } = draft;
  const country = billingAddress?.country ?? customer.country;
  const document = taxDocument ?? customer.taxDocument;
  const fullName = companyName ?? customer.fullName;
  draft.customers.patch(customer.id, {
    fullName,
    ...customerKeys({ ...customer, fullName }),
    address: billingAddress ?? customer.address,
    country,
    taxDocument: document,
    documentType: documentTypeOf(document, country),
    updatedAt: draft.now,
  });
}

/**
 * Stores the entered payment method unless it's already stored. Emits an event that distinguishes the
 * subscription's first payment method from a replacement (PAY-33).
 */
export function storeMethod(
  draft: Draft,
  subscription: SubscriptionRow,
  checkout: EnteredMethod,
): PaymentMethodRow {
  const isReplacement = subscription.paymentMethodId !== null;
  const method = addMethod(draft, subscription, checkout);
  if (method.id === subscription.paymentMethodId) return method;
  draft.emit(paymentMethodStored(draft.customer, subscription, method, isReplacement));
  return method;
}

type EnteredMethod = Pick<PendingCheckout, 'method' | 'storedMethodId'>;

/** Stores the entered payment method and its mandate unless it's already stored. */
function addMethod(
  draft: Draft,
  subscription: SubscriptionRow,
  { method: typed, storedMethodId }: EnteredMethod,
): PaymentMethodRow {
  const { mandateText = null, ...details } = typed;
  const method =
    storedMethods(draft).find(({ id }) => id === storedMethodId) ??
    draft.paymentMethods.add({
      ...details,
      instrument: details.instrument ?? defaultInstrument,
      id: draft.newId('pm'),
      seq: null,
      customerId: subscription.customerId,
      createdAt: draft.now,
      removedAt: null,
    });
  if (storedMethodId === undefined) acceptMandate(draft, method, mandateText);
  return method;
}
