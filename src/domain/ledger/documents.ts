// What documents and payments move: the transfers of each thing that happens to an invoice, a charge or a credit.
import { capturedUsdMinor, disputedUsdMinor, refundedUsdMinor } from '../funds.ts';
import { divideRounded } from '../money.ts';
import type {
  CustomerCreditRow,
  InvoiceRow,
  LedgerTransferRow,
  TransactionRow,
} from '../subscription/state/rows.ts';
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
 * Posts an issued invoice: its positive lines as revenue, less discounts and credits, plus tax. The
 * receivable rises by its total. `fromCredits` is what its lines take from customer credits; what else lowers
 * it is revenue of a base that was paid before (SUB-39).
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

/** Posts a voided invoice: the exact opposite of its issue, with the same `fromCredits`. */
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
    ],
    invoice,
    newId,
    at,
    null,
  );

/**
 * Posts a settled charge: the invoice is paid, the platform keeps its fee in US cents (PAY-25) and owes the
 * organization the rest, held for a while, or available at once where nothing is held (PAY-35).
 */
export const postSettled = (
  invoice: InvoiceRow,
  transaction: TransactionRow,
  newId: LedgerContext['newId'],
  at: Date,
): LedgerTransferRow[] => [
  ...postAll([['payment.settled', transaction.amountMinor]], invoice, newId, at, transaction.id),
  ...post('payment.fee_kept', transaction.feeUsdMinor, 'usd', aboutTransaction(transaction, newId, at)),
  ...post('funds.captured', capturedUsdMinor(transaction), 'usd', aboutTransaction(transaction, newId, at)),
  ...(isHeld(transaction)
    ? []
    : post('funds.released', capturedUsdMinor(transaction), 'usd', aboutTransaction(transaction, newId, at))),
];

/** Whether the funds of a settled attempt are held before they are available. */
const isHeld = ({ availableAt, paidAt }: TransactionRow): boolean =>
  availableAt !== null && paidAt !== null && availableAt > paidAt;

const aboutTransaction = (
  { id, customerId, subscriptionId, invoiceId }: TransactionRow,
  newId: LedgerContext['newId'],
  occurredAt: Date,
): LedgerContext => ({ newId, occurredAt, customerId, subscriptionId, invoiceId, transactionId: id });

/** The tax in what has been returned of a transaction, rounded half up; all of it once everything is. */
const returnedTax = ({ amountMinor, refundedMinor, taxMinor }: TransactionRow): bigint =>
  refundedMinor === 0n ? 0n : divideRounded(taxMinor * refundedMinor, amountMinor);

/**
 * Posts a refund: revenue, and its share of the tax; the organization's share leaves what is available to it
 * at once, released or not. The two rows differ in what has been returned.
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

/** Posts a dispute that freezes, returns or takes what a transaction has not returned. */
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

/** What a dispute does to the balance of the organization (PAY-32). */
const fundsOfDispute = {
  'dispute.opened': 'funds.frozen',
  'dispute.won': 'funds.unfrozen',
  'dispute.lost': 'funds.lost',
} as const satisfies { readonly [fact: string]: LedgerFact };

/** Posts an invoice that was paid outside the platform (BIL-25). */
export const postSettledOutside = (
  invoice: InvoiceRow,
  newId: LedgerContext['newId'],
  at: Date,
): LedgerTransferRow[] => postAll([['invoice.settled_outside', invoice.total]], invoice, newId, at, null);

/**
 * Posts an invoice that is written off: `invoice.uncollectible` after dunning, `invoice.below_minimum` when
 * it is too small to charge (BIL-35).
 */
export const postWrittenOff = (
  invoice: InvoiceRow,
  fact: 'invoice.uncollectible' | 'invoice.below_minimum',
  newId: LedgerContext['newId'],
  at: Date,
): LedgerTransferRow[] => postAll([[fact, invoice.total]], invoice, newId, at, null);

const aboutCredit = (
  { customerId }: CustomerCreditRow,
  newId: LedgerContext['newId'],
  occurredAt: Date,
): LedgerContext => ({
  newId,
  occurredAt,
  customerId,
  subscriptionId: null,
  invoiceId: null,
  transactionId: null,
});

/** Posts a granted credit: the customer is owed it until invoices use it. */
export const postCreditGranted = (
  credit: CustomerCreditRow,
  fact: 'credit.granted' | 'credit.prorated',
  newId: LedgerContext['newId'],
  at: Date,
): LedgerTransferRow[] => post(fact, credit.amountMinor, credit.currency, aboutCredit(credit, newId, at));

/** Posts an amount withdrawn from a credit. */
export const postCreditRevoked = (
  credit: CustomerCreditRow,
  amountMinor: bigint,
  newId: LedgerContext['newId'],
  at: Date,
): LedgerTransferRow[] =>
  post('credit.revoked', amountMinor, credit.currency, aboutCredit(credit, newId, at));
