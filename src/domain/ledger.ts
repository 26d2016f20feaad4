// Every movement of value is one transfer from a credit account to a debit account (protocols D7). Debits minus credits of the accounts of a
// customer are what it owes (receivable) or, negated, what it holds.
import type { InvoiceRow, LedgerTransferRow, TransactionRow } from './subscription/rows.ts';

/** Accounts kept per customer. */
export const customerAccounts = ['receivable', 'customer_credit', 'plan_credits', 'purchased_credits', 'balance'] as const;

/** Accounts kept per environment. */
export const environmentAccounts = [
  'revenue',
  'tax_payable',
  'processor_clearing',
  'fees',
  'merchant_pending',
  'merchant_available',
  'payouts_in_transit',
  'write_off',
  'offers_given',
  'settled_outside',
] as const;

/** The name of an account; those of customers are told apart by the transfer's `customerId`. */
export type Account = (typeof customerAccounts)[number] | (typeof environmentAccounts)[number];

/** Every business fact that moves value, with the account it debits and the one it credits. */
export const postings = {
  'invoice.issued': { debit: 'receivable', credit: 'revenue' },
  'invoice.discounted': { debit: 'offers_given', credit: 'receivable' },
  'invoice.taxed': { debit: 'receivable', credit: 'tax_payable' },
  'invoice.credit_applied': { debit: 'customer_credit', credit: 'receivable' },
  'payment.settled': { debit: 'processor_clearing', credit: 'receivable' },
  'invoice.settled_outside': { debit: 'settled_outside', credit: 'receivable' },
  'invoice.voided': { debit: 'revenue', credit: 'receivable' },
  'invoice.discount_voided': { debit: 'receivable', credit: 'offers_given' },
  'invoice.tax_voided': { debit: 'tax_payable', credit: 'receivable' },
  'invoice.credit_returned': { debit: 'receivable', credit: 'customer_credit' },
  'invoice.uncollectible': { debit: 'write_off', credit: 'receivable' },
  'invoice.below_minimum': { debit: 'write_off', credit: 'receivable' },
} as const satisfies Record<string, { readonly debit: Account; readonly credit: Account }>;

/** A business fact that moves value. */
export type LedgerFact = keyof typeof postings;

/** What a transfer is about, and when. */
export type LedgerContext = {
  readonly newId: (prefix: string) => string;
  readonly occurredAt: Date;
  readonly customerId: string | null;
  readonly subscriptionId: string | null;
  readonly invoiceId: string | null;
  readonly transactionId: string | null;
};

/** The transfer of one fact, or none for the amount 0. Throws for a negative amount: the opposite is a fact of its own. */
export function post(fact: LedgerFact, amountMinor: bigint, currency: string, context: LedgerContext): LedgerTransferRow[] {
  if (amountMinor < 0n) throw new RangeError(`The fact ${fact} cannot move the negative amount ${amountMinor}.`);
  if (amountMinor === 0n) return [];
  const { debit, credit } = postings[fact];
  const { newId, ...about } = context;
  return [{ id: newId('led'), seq: null, fact, debitAccount: debit, creditAccount: credit, currency, amountMinor, ...about }];
}

type AmountFact = readonly [fact: LedgerFact, amount: bigint];

function postAll(
  facts: readonly AmountFact[],
  invoice: InvoiceRow,
  newId: LedgerContext['newId'],
  occurredAt: Date,
  transactionId: string | null,
): LedgerTransferRow[] {
  const context = {
    newId,
    occurredAt,
    customerId: invoice.customerId,
    subscriptionId: invoice.subscriptionId,
    invoiceId: invoice.id,
    transactionId,
  };
  return facts.flatMap(([fact, amount]) => post(fact, amount, invoice.currency, context));
}

/** The invoice is owed: its positive lines as revenue, less discounts and credits, plus tax. The receivable rises by its total. */
export const postIssued = (invoice: InvoiceRow, newId: LedgerContext['newId'], at: Date): LedgerTransferRow[] =>
  postAll(
    [
      ['invoice.issued', invoice.subtotal],
      ['invoice.discounted', invoice.discountAmount],
      ['invoice.credit_applied', invoice.creditApplied],
      ['invoice.taxed', invoice.taxAmount],
    ],
    invoice,
    newId,
    at,
    null,
  );

/** The invoice is no longer owed: the exact opposite of its issue. */
export const postVoided = (invoice: InvoiceRow, newId: LedgerContext['newId'], at: Date): LedgerTransferRow[] =>
  postAll(
    [
      ['invoice.voided', invoice.subtotal],
      ['invoice.discount_voided', invoice.discountAmount],
      ['invoice.credit_returned', invoice.creditApplied],
      ['invoice.tax_voided', invoice.taxAmount],
    ],
    invoice,
    newId,
    at,
    null,
  );

/** The gateway settled the invoice by this transaction. */
export const postSettled = (
  invoice: InvoiceRow,
  transaction: TransactionRow,
  newId: LedgerContext['newId'],
  at: Date,
): LedgerTransferRow[] => postAll([['payment.settled', transaction.amountMinor]], invoice, newId, at, transaction.id);

/** The invoice was settled by money the platform did not move (BIL-25). */
export const postSettledOutside = (invoice: InvoiceRow, newId: LedgerContext['newId'], at: Date): LedgerTransferRow[] =>
  postAll([['invoice.settled_outside', invoice.total]], invoice, newId, at, null);

/** Nobody will pay the invoice: `invoice.uncollectible` after dunning, `invoice.below_minimum` when it is not worth a charge (BIL-35). */
export const postWrittenOff = (
  invoice: InvoiceRow,
  fact: 'invoice.uncollectible' | 'invoice.below_minimum',
  newId: LedgerContext['newId'],
  at: Date,
): LedgerTransferRow[] => postAll([[fact, invoice.total]], invoice, newId, at, null);

/** What of a transfer, or of a sum of equal ones, is added up. */
export type LedgerEntry = Pick<
  LedgerTransferRow,
  'id' | 'fact' | 'debitAccount' | 'creditAccount' | 'currency' | 'amountMinor' | 'customerId'
>;

/** What of an invoice, or of a sum of a customer's, is compared. */
export type OwedAmount = Pick<InvoiceRow, 'customerId' | 'currency' | 'status' | 'total'>;

/** Debits minus credits of every account, keyed `account currency` for the environment's and `account currency customerId` for customers'. */
export function replay(transfers: readonly LedgerEntry[]): Map<string, bigint> {
  const balances = new Map<string, bigint>();
  const add = (account: string, transfer: LedgerEntry, amount: bigint): void => {
    const owner = (customerAccounts as readonly string[]).includes(account) ? ` ${transfer.customerId}` : '';
    const key = `${account} ${transfer.currency}${owner}`;
    balances.set(key, (balances.get(key) ?? 0n) + amount);
  };
  for (const transfer of transfers) {
    add(transfer.debitAccount, transfer, transfer.amountMinor);
    add(transfer.creditAccount, transfer, -transfer.amountMinor);
  }
  return balances;
}

/** A way in which the ledger and the documents disagree. */
export type LedgerMismatch = { readonly account: string; readonly expected: bigint; readonly actual: bigint };

/**
 * Compares the ledger with the documents: the receivable of each customer and currency is the sum of its outstanding invoices, and no
 * transfer is negative, without owner where one is needed, or between accounts its fact does not name. Empty when all is well.
 */
export function verify(transfers: readonly LedgerEntry[], invoices: readonly OwedAmount[]): LedgerMismatch[] {
  const mismatches: LedgerMismatch[] = [];
  for (const transfer of transfers) {
    const posting = Object.hasOwn(postings, transfer.fact) ? postings[transfer.fact as LedgerFact] : null;
    const isSound =
      posting !== null && posting.debit === transfer.debitAccount && posting.credit === transfer.creditAccount && transfer.amountMinor > 0n;
    if (!isSound) mismatches.push({ account: `transfer ${transfer.id}`, expected: 0n, actual: transfer.amountMinor });
  }
  const owed = new Map<string, bigint>();
  for (const invoice of invoices) {
    const key = `receivable ${invoice.currency} ${invoice.customerId}`;
    owed.set(key, (owed.get(key) ?? 0n) + (invoice.status === 'outstanding' ? invoice.total : 0n));
  }
  const balances = replay(transfers);
  const receivables = [...balances.keys()].filter((key) => key.startsWith('receivable '));
  for (const account of new Set([...owed.keys(), ...receivables])) {
    const expected = owed.get(account) ?? 0n;
    const actual = balances.get(account) ?? 0n;
    if (expected !== actual) mismatches.push({ account, expected, actual });
  }
  return mismatches;
}
