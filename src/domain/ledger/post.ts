// Double-entry ledger. Each transfer moves an amount from a credit account to a debit account. For customer
// accounts, debits minus credits are the outstanding amount (receivable) or, negated, the customer's credit
// or balance.
import type { LedgerTransferRow } from '../rows/rows.ts';

/** Accounts that have a separate balance for each customer. */
export const customerAccounts = [
  'receivable',
  'customer_credit',
  'reserved_credit',
  'plan_credits',
  'purchased_credits',
  'balance',
  'customer_money',
] as const;

/** Accounts that have one balance per environment. */
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
  'receipts_held',
  'unmatched_money',
] as const;

/** Account name. For customer accounts, the `customerId` of the transfer identifies the customer. */
export type Account = (typeof customerAccounts)[number] | (typeof environmentAccounts)[number];

/** Debit and credit account of each business fact that moves money. */
export const postings = {
  'invoice.issued': { debit: 'receivable', credit: 'revenue' },
  'invoice.discounted': { debit: 'offers_given', credit: 'receivable' },
  'invoice.taxed': { debit: 'receivable', credit: 'tax_payable' },
  'invoice.credit_applied': { debit: 'customer_credit', credit: 'receivable' },
  'invoice.prorated': { debit: 'revenue', credit: 'receivable' },
  'payment.settled': { debit: 'processor_clearing', credit: 'receivable' },
  'payment.fee_kept': { debit: 'fees', credit: 'processor_clearing' },
  'payment.returned': { debit: 'receivable', credit: 'processor_clearing' },
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
  'invoice.credited': { debit: 'revenue', credit: 'receivable' },
  'invoice.tax_credited': { debit: 'tax_payable', credit: 'receivable' },
  'invoice.credit_voided': { debit: 'receivable', credit: 'revenue' },
  'invoice.tax_credit_voided': { debit: 'receivable', credit: 'tax_payable' },
  'invoice.uncollectible': { debit: 'write_off', credit: 'receivable' },
  'credit.granted': { debit: 'offers_given', credit: 'customer_credit' },
  'credit.prorated': { debit: 'revenue', credit: 'customer_credit' },
  'credit.reserved': { debit: 'customer_credit', credit: 'reserved_credit' },
  'credit.released': { debit: 'reserved_credit', credit: 'customer_credit' },
  'credit.revoked': { debit: 'customer_credit', credit: 'offers_given' },
  'credit.returned': { debit: 'customer_credit', credit: 'revenue' },
  'credit.expired': { debit: 'customer_credit', credit: 'offers_given' },
  'funds.captured': { debit: 'merchant_pending', credit: 'merchant_settlement' },
  'funds.released': { debit: 'merchant_available', credit: 'merchant_pending' },
  'funds.refunded': { debit: 'merchant_settlement', credit: 'merchant_available' },
  'funds.returned': { debit: 'merchant_settlement', credit: 'merchant_available' },
  'funds.frozen': { debit: 'merchant_frozen', credit: 'merchant_available' },
  'funds.unfrozen': { debit: 'merchant_available', credit: 'merchant_frozen' },
  'funds.lost': { debit: 'merchant_settlement', credit: 'merchant_frozen' },
  'payout.requested': { debit: 'payouts_in_transit', credit: 'merchant_available' },
  'payout.paid': { debit: 'paid_out', credit: 'payouts_in_transit' },
  'payout.returned': { debit: 'merchant_available', credit: 'payouts_in_transit' },
  'invoice.below_minimum': { debit: 'write_off', credit: 'receivable' },
  'receipt.held': { debit: 'receipts_held', credit: 'customer_money' },
  'receipt.applied': { debit: 'customer_money', credit: 'receipts_held' },
  'receipt.released': { debit: 'receipts_held', credit: 'customer_money' },
  'receipt.returned': { debit: 'customer_money', credit: 'receipts_held' },
  'receipt.unmatched': { debit: 'receipts_held', credit: 'unmatched_money' },
  'receipt.assigned': { debit: 'unmatched_money', credit: 'receipts_held' },
  'receipt.sent_back': { debit: 'unmatched_money', credit: 'receipts_held' },
} as const satisfies Record<string, { readonly debit: Account; readonly credit: Account }>;

export type LedgerFact = keyof typeof postings;

/** Time of a ledger transfer, and the objects that it refers to. */
export type LedgerContext = {
  readonly newId: (prefix: string) => string;
  readonly occurredAt: Date;
  readonly customerId: string | null;
  readonly subscriptionId: string | null;
  readonly invoiceId: string | null;
  readonly transactionId: string | null;
};

/**
 * Returns the transfer for a fact. Empty if the amount is 0. Throws for a negative amount, because a reversal
 * is a separate fact.
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
