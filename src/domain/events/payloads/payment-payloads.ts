import { flag, id, listOf, minor, object, oneOf, orAbsent, orNull, text, time } from './fields.ts';
import {
  aboutInvoice,
  aboutPlan,
  aboutSubscription,
  billingInterval,
  card,
  currency,
  customerId,
  invoiceTotal,
  provider,
  subscriptionId,
} from './shared.ts';

const subscriptionOrNull = orNull(subscriptionId, "the object doesn't belong to a subscription");
const payer = { customerId, subscriptionId: subscriptionOrNull };

const invoice = {
  ...aboutInvoice,
  invoiceStatus: oneOf('InvoiceStatus', 'Status of the invoice.', 'outstanding'),
  periodStart: time('Start of the invoiced period.', '2026-08-01T00:00:00.000Z'),
  periodEnd: time('End of the invoiced period.', '2026-09-01T00:00:00.000Z'),
  issueDate: time('Issue date of the invoice.'),
  dueDate: time('Due date of the invoice.', '2026-09-03T09:30:00.000Z'),
  currency,
  subtotal: minor('Total before tax, in the smallest currency unit.'),
  total: minor('Total including tax, in the smallest currency unit.'),
  ...payer,
};

const paid = { ...aboutInvoice, invoiceTotal, ...payer };

const transactionId = id('txn', 'ID of the charge.');

const returned = {
  paymentTransactionId: transactionId,
  provider,
  paymentLinkId: orNull(id('pay', 'ID of the payment link.'), "the charge doesn't belong to a payment link"),
  invoiceId: orNull(aboutInvoice.invoiceId, 'the charge has no invoice'),
  invoiceNumber: orNull(aboutInvoice.invoiceNumber, 'the charge has no invoice'),
  ...payer,
  currency,
};

const disputed = {
  ...returned,
  disputeAmount: minor('Disputed amount, in the smallest currency unit.'),
  disputeReason: orNull(
    text('Reason of the dispute, as stated by the bank.', 'fraudulent'),
    'no reason is known',
  ),
};

const link = {
  paymentId: id('pay', 'ID of the one-time payment.'),
  status: oneOf('PaymentStatus', 'Status of the one-time payment.', 'pending'),
  amount: minor('Amount including the known tax, in the smallest currency unit.', 12_000),
  currency,
  description: text('Description of the one-time payment.', 'Consulting'),
  customerId: orNull(customerId, 'the payment link has no customer'),
};

const failureCode = text('Code of the failure.', 'card_declined');
const failureMessage = text('Message about the failure.', 'The card was declined.');

const payout = {
  payoutId: id('po', 'ID of the payout.'),
  amount: minor('Amount of the payout, in US cents.', 100_000),
  fee: minor('Fee of the payout, in US cents.', 100),
  netAmount: minor('Amount that arrives at the bank, in US cents: `amount` minus `fee`.', 99_900),
  currency,
  status: oneOf('PayoutStatus', 'Status of the payout.', 'pending'),
  destinationBank: orNull(
    object(
      {
        name: 'EventBank',
        description: 'A bank account in an event.',
        fields: {
          bankName: orNull(text('Name of the bank.', 'First Bank'), 'the provider reports no name'),
          last4: text('Last digits of the account number.', '6789'),
        },
      },
      'Bank account that receives the payout.',
    ),
    'the bank account was deleted',
  ),
};

const connection = {
  connectionId: id('con', 'ID of the payment connection.'),
  provider: oneOf('PaymentProvider', 'Payment provider of the connection.', 'stripe'),
  name: text('Name of the payment connection.', 'Main'),
  isDefault: flag('Whether the connection is the default.'),
};

const cardOrNull = orNull(card, "the payment method isn't a card");
const instrument = text('Instrument of the payment method.', 'sepa_debit');
const accountLast4 = text('Last four characters of the account number.', '3000');
const mandateReference = text('Reference of the mandate.', 'MDT-1JNKCNXR6WYNGWJZKY8DEJ');

const debit = {
  ...aboutInvoice,
  ...payer,
  paymentTransactionId: transactionId,
  provider,
  instrument,
  amount: minor('Amount of the debit including tax, in the smallest currency unit.'),
  currency,
  collectionOn: time('Date on which the debit is collected.', '2026-08-28T00:00:00.000Z'),
  expectedOn: time('Date on which the result is expected.', '2026-09-04T00:00:00.000Z'),
  mandateReference: orNull(mandateReference, 'the mandate ended'),
  last4: orNull(accountLast4, 'the payment method was removed'),
};

const mandate = {
  mandateId: id('mdt', 'ID of the mandate.'),
  reference: mandateReference,
  instrument,
  last4: accountLast4,
  paymentMethodId: id('pm', 'ID of the payment method.'),
  customerId,
  subscriptionId: orNull(subscriptionId, 'no subscription uses the payment method'),
  endedBy: orNull(oneOf('MandateEnder', 'Party that ended the mandate.', 'bank'), 'the mandate is active'),
  reason: orNull(
    text('Code of the bank for the end of the mandate.', 'MD01'),
    "the bank didn't end the mandate",
  ),
};

const unmatched = "the receipt isn't matched";

const receipt = {
  receiptId: id('rcp', 'ID of the receipt.'),
  status: oneOf('ReceiptStatus', 'Status of the receipt.', 'applied'),
  instrument: text('Instrument that the payer used.', 'bank_transfer'),
  amount: minor('Received amount, in the smallest currency unit.'),
  appliedAmount: minor('Part of the amount that was applied to invoices, in the smallest currency unit.'),
  returnedAmount: minor(
    'Part of the amount that was returned to the payer, in the smallest currency unit.',
    0,
  ),
  currency,
  reference: orNull(text('Text that the payer entered.', 'RF97INV0042'), 'the payer entered no text'),
  invoiceId: orNull(aboutInvoice.invoiceId, unmatched),
  invoiceNumber: orNull(aboutInvoice.invoiceNumber, unmatched),
  invoiceStatus: orNull(oneOf('InvoiceStatus', 'Status of the invoice.', 'paid'), unmatched),
  customerId: orNull(customerId, unmatched),
  lateOfTransactionId: orNull(
    id('txn', 'ID of the payment attempt that had ended before the money arrived.'),
    "the money isn't late",
  ),
};

/** Payloads of events about invoices, payments, and payouts. */
export const paymentPayloads = {
  'payment.scheduled': debit,
  'payment.processing': debit,
  'payment.returned': { ...debit, failureCode },
  'receipt.recorded': receipt,
  'receipt.applied': receipt,
  'receipt.returned': receipt,
  'payment.received': {
    ...paid,
    paymentTransactionId: transactionId,
    provider,
    grossAmount: orNull(
      minor('Amount of the charge, in US cents.'),
      'there is no exchange rate to US dollars',
    ),
    currency,
    orgNetAmount: orNull(
      minor('Amount of the charge after fees, in US cents.', 4_600),
      'there is no exchange rate to US dollars',
    ),
    customerEmail: text('Email address of the customer.', 'ada@example.com'),
    paidAt: orAbsent(time('Time of the payment.'), 'the provider reports no time'),
  },
  'payment.failed': {
    ...aboutInvoice,
    ...payer,
    provider,
    failureCode,
    failureMessage,
    recoveryUrl: orNull(
      text('URL of the page where the customer can pay.', 'https://billing.example.com/recover/tok_1'),
      "the customer can't pay on a page",
    ),
  },
  'payment.recovered': { ...paid, provider: orNull(provider, 'the invoice was paid without a charge') },
  'payment.retry_failed': {
    ...aboutInvoice,
    customerId,
    subscriptionId,
    provider,
    reason: text('Decline code of the last attempt.', 'insufficient_funds'),
  },
  'payment.refunded': {
    ...returned,
    refundAmount: minor("Refunded amount, in the smallest unit of the charge's currency."),
  },
  'payment.disputed': disputed,
  'payment.dispute_resolved': {
    ...disputed,
    outcome: oneOf('DisputeOutcome', 'Outcome of the dispute.', 'won'),
  },
  'payment_link.created': link,
  'payment_link.completed': {
    ...link,
    ...aboutInvoice,
    paymentTransactionId: orNull(transactionId, 'nothing was charged'),
  },
  'payment_link.failed': { ...link, failureCode, failureMessage },
  'payment_link.canceled': link,
  'invoice.created': invoice,
  'invoice.updated': invoice,
  'invoice.reopened': invoice,
  'invoice.voided': invoice,
  'invoice.overdue': invoice,
  'invoice.upcoming': {
    ...aboutSubscription,
    ...aboutPlan,
    billingInterval,
    currentPeriodEnd: time('End of the current period.', '2026-08-30T09:30:00.000Z'),
  },
  'credit_note.created': {
    creditNoteId: id('crn', 'ID of the credit note.'),
    creditNoteNumber: text('Number of the credit note.', 'CN-0002'),
    reason: oneOf('CreditNoteReason', 'Reason for the credit note.', 'refund'),
    ...aboutInvoice,
    invoiceStatus: oneOf('InvoiceStatus', 'Status of the invoice after the credit note.', 'paid'),
    issueDate: time('Issue date of the credit note.'),
    currency,
    subtotal: minor('Total before tax, in the smallest currency unit. Negative.', -4_900),
    taxAmount: minor('Tax, in the smallest currency unit. 0 or negative.', 0),
    total: minor('Total including tax, in the smallest currency unit. Negative.', -4_900),
    refundId: orNull(id('rfd', 'ID of the refund.'), 'nothing was refunded'),
    ...payer,
  },
  'payment_method.attached': { subscriptionId, customerId, card: cardOrNull },
  'payment_method.updated': { customerId, card: cardOrNull },
  'payment_method.detached': { customerId, card: cardOrNull },
  'mandate.created': mandate,
  'mandate.revoked': mandate,
  'payment_method.expiring': {
    ...aboutSubscription,
    ...aboutPlan,
    paymentMethodId: id('pm', 'ID of the payment method.'),
    card,
    renewsAt: time('Time of the next charge.', '2026-09-26T09:30:00.000Z'),
  },
  'payout.available': {
    availableAmount: minor('Amount available for payouts, in US cents.', 100_000),
    currency,
  },
  'payout.created': { ...payout, createdAt: time('Time of the request.') },
  'payout.paid': { ...payout, paidAt: time('Time of the arrival at the bank.') },
  'payout.failed': {
    ...payout,
    failedAt: time('Time of the failure.'),
    failureCode: orNull(failureCode, 'no code is known'),
    failureMessage: orNull(failureMessage, 'no message is known'),
  },
  'payout.canceled': { ...payout, canceledAt: time('Time of the cancellation.') },
  'payout_bank_account.created': {
    bankAccountId: id('pba', 'ID of the bank account.'),
    last4: text('Last digits of the account number.', '6789'),
    country: text('Country of the bank account, as an ISO 3166-1 code.', 'US'),
    currency,
    isDefault: flag('Whether payouts go to this bank account by default.'),
  },
  'payment_connection.created': connection,
  'payment_connection.updated': {
    ...connection,
    changedFields: listOf(text('Names of the changed fields.', 'name')),
  },
  'payment_route.updated': {
    country: text('Country of the route, as an ISO 3166-1 code.', 'DE'),
    provider: orNull(
      text('ID of the payment connection, or `platform`.', 'con_1JNkcnXR6WYnGWJZKY8DeJ'),
      'the country has no route',
    ),
    previousProvider: orNull(
      text('ID of the payment connection before the change, or `platform`.', 'platform'),
      'the country had no route',
    ),
  },
};
