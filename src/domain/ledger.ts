// Every movement of value is one transfer from a credit account to a debit account. Debits
// minus credits of the accounts of a customer are what it owes (receivable) or, negated, what it holds.
import { capturedUsdMinor, disputedUsdMinor, refundedUsdMinor } from './funds.ts';
import { divideRounded } from './money.ts';
import type {
  CustomerCreditRow,
  InvoiceRow,
  LedgerTransferRow,
  TransactionRow,
} from './subscription/state/rows.ts';

/** Accounts kept per customer. */
export const customerAccounts = [
  'receivable',
  'customer_credit',
  'plan_credits',
  'purchased_credits',
  'balance',
] as const;

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
  'disputes_held',
  'merchant_frozen',
  'merchant_settlement',
  'paid_out',
] as const;

/** The name of an account; those of customers are told apart by the transfer's `customerId`. */
export type Account = (typeof customerAccounts)[number] | (typeof environmentAccounts)[number];

/** Every business fact that moves value, with the account it debits and the one it credits. */
export const postings = {
  'invoice.issued': { debit: 'receivable', credit: 'revenue' },
  'invoice.discounted': { debit: 'offers_given', credit: 'receivable' },
  'invoice.taxed': { debit: 'receivable', credit: 'tax_payable' },
  'invoice.credit_applied': { debit: 'customer_credit', credit: 'receivable' },
  'invoice.prorated': { debit: 'revenue', credit: 'receivable' },
  'payment.settled': { debit: 'processor_clearing', credit: 'receivable' },
  'payment.fee_kept': { debit: 'fees', credit: 'processor_clearing' },
  'payment.refunded': { debit: 'revenue', credit: 'processor_clearing' },
  'payment.tax_refunded': { debit: 'tax_payable', credit: 'processor_clearing' },
  'dispute.opened': { debit: 'disputes_held', credit: 'processor_clearing' },
  'dispute.won': { debit: 'processor_clearing', credit: 'disputes_held' },
  'dispute.lost': { debit: 'write_off', credit: 'disputes_held' },
  'invoice.settled_outside': { debit: 'settled_outside', credit: 'receivable' },
  'invoice.voided': { debit: 'revenue', credit: 'receivable' },
  'invoice.discount_voided': { debit: 'receivable', credit: 'offers_given' },
  'invoice.tax_voided': { debit: 'tax_payable', credit: 'receivable' },
  'invoice.credit_returned': { debit: 'receivable', credit: 'customer_credit' },
  'invoice.proration_voided': { debit: 'receivable', credit: 'revenue' },
  'invoice.uncollectible': { debit: 'write_off', credit: 'receivable' },
  'credit.granted': { debit: 'offers_given', credit: 'customer_credit' },
  'credit.prorated': { debit: 'revenue', credit: 'customer_credit' },
  'credit.revoked': { debit: 'customer_credit', credit: 'offers_given' },
  'funds.captured': { debit: 'merchant_pending', credit: 'merchant_settlement' },
  'funds.released': { debit: 'merchant_available', credit: 'merchant_pending' },
  'funds.refunded': { debit: 'merchant_settlement', credit: 'merchant_available' },
  'funds.frozen': { debit: 'merchant_frozen', credit: 'merchant_available' },
  'funds.unfrozen': { debit: 'merchant_available', credit: 'merchant_frozen' },
  'funds.lost': { debit: 'merchant_settlement', credit: 'merchant_frozen' },
  'payout.requested': { debit: 'payouts_in_transit', credit: 'merchant_available' },
  'payout.paid': { debit: 'paid_out', credit: 'payouts_in_transit' },
  'payout.returned': { debit: 'merchant_available', credit: 'payouts_in_transit' },
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

/**
 * The transfer of one fact, or none for the amount 0. Throws for a negative amount: the opposite has an event
 * of its own.
 */
export function post(
  fact: LedgerFact,
  amountMinor: bigint,
  currency: string,
  ctx: LedgerContext,
): LedgerTransferRow[] {
  if (amountMinor < 0n)
    throw new RangeError(`The fact ${fact} cannot move the negative amount ${amountMinor}.`);
  if (amountMinor === 0n) return [];
  const { debit, credit } = postings[fact];
  const { newId, ...about } = ctx;
  return [
    {
      id: newId('led'),
      seq: null,
      fact,
      debitAccount: debit,
      creditAccount: credit,
      currency,
      amountMinor,
      ...about,
    },
  ];
}

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

/** What of a transfer, or of a sum of equal ones, is added up. */
export type LedgerEntry = Pick<
  LedgerTransferRow,
  'id' | 'fact' | 'debitAccount' | 'creditAccount' | 'currency' | 'amountMinor' | 'customerId'
>;

/** What of an invoice, or of a sum of a customer's, is compared. */
export type OwedAmount = Pick<InvoiceRow, 'customerId' | 'currency' | 'status' | 'total'>;

/**
 * What of a customer credit, or of a sum of a customer's, is compared. Expired ones count: what remains of
 * them was never moved.
 */
export type HeldCredit = Pick<CustomerCreditRow, 'customerId' | 'currency' | 'remainingMinor'>;

/**
 * Debits minus credits of every account, keyed `account currency` for the environment's and `account currency
 * customerId` for customers'.
 */
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

/** Adds amounts up by account. */
function summed(amounts: readonly (readonly [account: string, amount: bigint])[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const [account, amount] of amounts) sums.set(account, (sums.get(account) ?? 0n) + amount);
  return sums;
}

const isSound = (transfer: LedgerEntry): boolean => {
  const posting = Object.hasOwn(postings, transfer.fact) ? postings[transfer.fact as LedgerFact] : null;
  return (
    posting !== null &&
    posting.debit === transfer.debitAccount &&
    posting.credit === transfer.creditAccount &&
    transfer.amountMinor > 0n
  );
};

/**
 * Compares the ledger with the documents: the receivable of each customer and currency is the sum of its
 * outstanding invoices, its customer credit what remains of its credits, and no transfer is negative, without
 * owner where one is needed, or between accounts its fact does not name. Empty when they agree.
 */
export function verify(
  transfers: readonly LedgerEntry[],
  invoices: readonly OwedAmount[],
  credits: readonly HeldCredit[],
): LedgerMismatch[] {
  const unsound = transfers.filter((transfer) => !isSound(transfer));
  const documents = summed([
    ...invoices.map(
      ({ currency, customerId, status, total }) =>
        [`receivable ${currency} ${customerId}`, status === 'outstanding' ? total : 0n] as const,
    ),
    ...credits.map(
      ({ currency, customerId, remainingMinor }) =>
        [`customer_credit ${currency} ${customerId}`, -remainingMinor] as const,
    ),
  ]);
  const balances = replay(transfers);
  const compared = [...balances.keys()].filter(
    (key) => key.startsWith('receivable ') || key.startsWith('customer_credit '),
  );
  return [
    ...unsound.map(({ id, amountMinor }) => ({
      account: `transfer ${id}`,
      expected: 0n,
      actual: amountMinor,
    })),
    ...[...new Set([...documents.keys(), ...compared])]
      .map((account) => ({
        account,
        expected: documents.get(account) ?? 0n,
        actual: balances.get(account) ?? 0n,
      }))
      .filter(({ expected, actual }) => expected !== actual),
  ];
}
