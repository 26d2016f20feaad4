// Creates ledger transfers for invoices, charges, refunds, disputes, and credits.

import { chargeOf } from '../invoicing/credit-note.ts';
import { divideRounded } from '../money/money.ts';
import { stepOf } from '../payments/amount-step.ts';
import { capturedUsdMinor, disputedUsdMinor, refundedUsdMinor } from '../payments/funds.ts';
import type {
  CreditNoteRow,
  InvoiceRow,
  LedgerTransferRow,
  ReceiptRow,
  TransactionRow,
} from '../rows/rows.ts';
import type { LotRow } from '../rows/usage-rows.ts';
import { type LedgerContext, type LedgerFact, post } from './post.ts';

type AmountFact = readonly [fact: LedgerFact, amount: bigint];

function postAll(
  details: readonly AmountFact[],
  invoice: InvoiceRow,
  newId: LedgerContext['newId'],
  occurredAt: Date,
  transactionId: string | null,
): LedgerTransferRow[] {
  const ctx = {
    newId,
    occurredAt,
    customerId: invoice.customerId,
    subscriptionId: invoice.subscriptionId,
    invoiceId: invoice.id,
    transactionId,
  };
  return details.flatMap(([fact, amount]) => post(fact, amount, invoice.currency, ctx));
}

/**
 * Posts an issued invoice: its charges, discounts, and credits as revenue, and its tax. The receivable increases by the
 * total. `fromCredits` is the amount paid with customer credits. Other credits reverse the revenue from a base price
 * or a prepaid commitment that was already paid (SUB-39, PRM-24).
 */
export const postIssued = (
  invoice: InvoiceRow,
  fromCredits: bigint,
  newId: LedgerContext['newId'],
  at: Date,
): LedgerTransferRow[] =>
  postAll(
    [
      ['invoice.issued', invoice.subtotal],
      ['invoice.discounted', invoice.discountAmount],
      ['invoice.prorated', invoice.creditApplied - fromCredits],
      ['invoice.credit_applied', fromCredits],
      ['invoice.taxed', invoice.taxAmount],
    ],
    invoice,
    newId,
    at,
    null,
  );

/**
 * Posts the customer credit that an open invoice reserves (`credit.reserved`) or releases
 * (`credit.released`). Before an invoice is final, it has no other transfers (BIL-30).
 */
export const postReservation = (
  fact: 'credit.reserved' | 'credit.released',
  invoice: InvoiceRow,
  fromCredits: bigint,
  newId: LedgerContext['newId'],
  at: Date,
): LedgerTransferRow[] => postAll([[fact, fromCredits]], invoice, newId, at, null);

/** Posts a credit note for an outstanding invoice. Reduces revenue and tax together with the amount due. */
export const postCredited = (
  invoice: InvoiceRow,
  { subtotal, taxAmount }: Pick<CreditNoteRow, 'subtotal' | 'taxAmount'>,
  newId: LedgerContext['newId'],
  at: Date,
): LedgerTransferRow[] =>
  postAll(
    [
      ['invoice.credited', -subtotal],
      ['invoice.tax_credited', -taxAmount],
    ],
    invoice,
    newId,
    at,
    null,
  );

/**
 * Posts a voided invoice by reversing its credit notes and the transfers that were made when the invoice was issued.
 * `fromCredits` must be the same as when the invoice was issued.
 */
export const postVoided = (
  invoice: InvoiceRow,
  fromCredits: bigint,
  newId: LedgerContext['newId'],
  at: Date,
): LedgerTransferRow[] =>
  postAll(
    [
      ['invoice.voided', invoice.subtotal],
      ['invoice.discount_voided', invoice.discountAmount],
      ['invoice.proration_voided', invoice.creditApplied - fromCredits],
      ['invoice.credit_returned', fromCredits],
      ['invoice.tax_voided', invoice.taxAmount],
      ['invoice.credit_voided', invoice.creditedAmount - invoice.creditedTax],
      ['invoice.tax_credit_voided', invoice.creditedTax],
    ],
    invoice,
    newId,
    at,
    null,
  );

/** Returns the part of an invoice's total that a charge leaves out, because the provider charges only whole steps (INS-153). */
function belowStep(invoice: InvoiceRow, { provider, currency, amountMinor }: TransactionRow): bigint {
  const rest = chargeOf(invoice).total - amountMinor;
  return rest > 0n && rest < stepOf(provider, currency) ? rest : 0n;
}

/**
 * Posts a settled charge, and writes off the part below the provider's smallest unit. The platform keeps its fee in US cents (PAY-25) and the tax that it remits, and
 * owes the remaining amount to the organization. That amount is first on hold, or immediately available if
 * there is no hold period (PAY-35).
 */
export const postSettled = (
  invoice: InvoiceRow,
  transaction: TransactionRow,
  newId: LedgerContext['newId'],
  at: Date,
): LedgerTransferRow[] => [
  ...postAll(
    [
      ['payment.settled', transaction.amountMinor],
      ['invoice.below_minimum', belowStep(invoice, transaction)],
    ],
    invoice,
    newId,
    at,
    transaction.id,
  ),
  ...post('payment.fee_kept', transaction.feeUsdMinor, 'usd', aboutTransaction(transaction, newId, at)),
  ...post('funds.captured', capturedUsdMinor(transaction), 'usd', aboutTransaction(transaction, newId, at)),
  ...(isHeld(transaction)
    ? []
    : post('funds.released', capturedUsdMinor(transaction), 'usd', aboutTransaction(transaction, newId, at))),
];

/**
 * Posts a payment that the payer's bank returned. Reverses the settlement and removes the funds from the available
 * balance, even while they're on hold. The fee isn't returned (INS-40).
 */
export const postReturned = (
  invoice: InvoiceRow,
  transaction: TransactionRow,
  newId: LedgerContext['newId'],
  at: Date,
): LedgerTransferRow[] => [
  ...postAll([['payment.returned', transaction.amountMinor]], invoice, newId, at, transaction.id),
  ...post('funds.returned', capturedUsdMinor(transaction), 'usd', aboutTransaction(transaction, newId, at)),
];

/** Returns true if the funds of a settled transaction are held before they become available. */
const isHeld = ({ availableAt, paidAt }: TransactionRow): boolean =>
  availableAt !== null && paidAt !== null && availableAt > paidAt;

const aboutTransaction = (
  { id, customerId, subscriptionId, invoiceId }: TransactionRow,
  newId: LedgerContext['newId'],
  occurredAt: Date,
): LedgerContext => ({ newId, occurredAt, customerId, subscriptionId, invoiceId, transactionId: id });

/**
 * Returns the tax that is included in the refunded amount, rounded half up. A full refund includes all of
 * the tax.
 */
const returnedTax = ({ amountMinor, refundedMinor, taxMinor }: TransactionRow): bigint =>
  refundedMinor === 0n ? 0n : divideRounded(taxMinor * refundedMinor, amountMinor);

/**
 * Posts a refund as a reversal of revenue and tax. The refund immediately reduces the organization's available balance
 * by the organization's share of the refund, even while the funds of the charge are on hold. `before` and `after` are
 * the transaction with the previous and the new refunded amount.
 */
export function postRefunded(
  before: TransactionRow,
  after: TransactionRow,
  newId: LedgerContext['newId'],
  at: Date,
): LedgerTransferRow[] {
  const tax = returnedTax(after) - returnedTax(before);
  const ctx = aboutTransaction(after, newId, at);
  return [
    ...post('payment.refunded', after.refundedMinor - before.refundedMinor - tax, after.currency, ctx),
    ...post('payment.tax_refunded', tax, after.currency, ctx),
    ...post('funds.refunded', refundedUsdMinor(after) - refundedUsdMinor(before), 'usd', ctx),
  ];
}

/** Posts a dispute. The amount that wasn't refunded is put on hold, released, or lost. */
export const postDispute = (
  fact: 'dispute.opened' | 'dispute.won' | 'dispute.lost',
  transaction: TransactionRow,
  newId: LedgerContext['newId'],
  at: Date,
): LedgerTransferRow[] => {
  const ctx = aboutTransaction(transaction, newId, at);
  return [
    ...post(fact, transaction.amountMinor - transaction.refundedMinor, transaction.currency, ctx),
    ...post(fundsOfDispute[fact], disputedUsdMinor(transaction), 'usd', ctx),
  ];
};

/** Effects of a dispute on the organization's balance (PAY-32). */
const fundsOfDispute = {
  'dispute.opened': 'funds.frozen',
  'dispute.won': 'funds.unfrozen',
  'dispute.lost': 'funds.lost',
} as const satisfies { readonly [fact: string]: LedgerFact };

/** Posts a movement of money on account, or of an unmatched receipt (INS-73). */
export const postReceipt = (
  fact: Extract<LedgerFact, `receipt.${string}`>,
  { customerId, currency, invoiceId }: Pick<ReceiptRow, 'customerId' | 'currency' | 'invoiceId'>,
  amountMinor: bigint,
  newId: LedgerContext['newId'],
  occurredAt: Date,
): LedgerTransferRow[] =>
  post(fact, amountMinor, currency, {
    newId,
    occurredAt,
    customerId,
    subscriptionId: null,
    invoiceId,
    transactionId: null,
  });

export const postSettledOutside = (
  invoice: InvoiceRow,
  newId: LedgerContext['newId'],
  at: Date,
): LedgerTransferRow[] =>
  postAll([['invoice.settled_outside', chargeOf(invoice).total]], invoice, newId, at, null);

/**
 * Posts a write-off: `invoice.uncollectible` after dunning, or `invoice.below_minimum` if the total is too
 * small to charge (BIL-35).
 */
export const postWrittenOff = (
  invoice: InvoiceRow,
  fact: 'invoice.uncollectible' | 'invoice.below_minimum',
  newId: LedgerContext['newId'],
  at: Date,
): LedgerTransferRow[] => postAll([[fact, chargeOf(invoice).total]], invoice, newId, at, null);

/** Changes of a customer credit that don't belong to an invoice. */
type CreditFact = Extract<
  LedgerFact,
  `credit.${'granted' | 'prorated' | 'revoked' | 'returned' | 'expired'}`
>;

/**
 * Posts a change of a customer credit, which is a liability to the customer. Invoices that use the credit reduce the
 * liability. `credit.returned` is the amount of a plan change's credit that is revoked because the payment that funded
 * the credit is refunded.
 */
export const postCredit = (
  fact: CreditFact,
  { customerId, asset }: Pick<LotRow, 'customerId' | 'asset'>,
  amountMinor: bigint,
  newId: LedgerContext['newId'],
  occurredAt: Date,
): LedgerTransferRow[] =>
  post(fact, amountMinor, asset, {
    newId,
    occurredAt,
    customerId,
    subscriptionId: null,
    invoiceId: null,
    transactionId: null,
  });
