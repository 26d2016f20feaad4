// Compares the ledger with invoices and customer credits.
import type { InvoiceRow, LedgerTransferRow } from '../rows/rows.ts';
import { customerAccounts, type LedgerFact, postings } from './post.ts';

/** Fields that the comparison reads from a transfer, or from the total of several transfers. */
export type LedgerEntry = Pick<
  LedgerTransferRow,
  'id' | 'fact' | 'debitAccount' | 'creditAccount' | 'currency' | 'amountMinor' | 'customerId'
>;

/** Amounts that the comparison reads from an invoice, or from the totals of a customer's invoices. */
export type OwedAmount = Pick<
  InvoiceRow,
  | 'customerId'
  | 'currency'
  | 'status'
  | 'total'
  | 'creditApplied'
  | 'finalizedAt'
  | 'creditedAmount'
  | 'paidInParts'
>;

/**
 * Remaining amount of a customer credit, or of all credits of a customer in a currency, in minor units. Includes credits
 * whose end has passed, until their deadline is executed.
 */
export type HeldCredit = {
  readonly customerId: string;
  readonly currency: string;
  readonly remainingMinor: bigint;
};

/**
 * Returns debits minus credits per account. The key is `account currency` for environment accounts and
 * `account currency customerId` for customer accounts.
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

/** Difference between the ledger and the documents. */
export type LedgerMismatch = { readonly account: string; readonly expected: bigint; readonly actual: bigint };

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
 * Returns true if an invoice is outstanding and final. Invoices that aren't final have no receivable
 * (BIL-30).
 */
const isOwed = ({ status, finalizedAt }: OwedAmount): boolean =>
  status === 'outstanding' && finalizedAt !== null;

/** Returns true if an open invoice reserves customer credits. The credits are used when the invoice is finalized. */
const isReserving = ({ status, finalizedAt }: OwedAmount): boolean =>
  status === 'outstanding' && finalizedAt === null;

/**
 * Compares the ledger with the documents per customer and currency. The receivable must equal the outstanding
 * finalized invoices minus their credit notes and paid parts. The reserved credit must equal the credits used by open invoices.
 * The customer credit must equal the remaining credits. Also reports negative transfers, transfers without a
 * required customer, and transfers with the wrong accounts for their fact. Returns an empty list if
 * everything matches.
 */
export function verify(
  transfers: readonly LedgerEntry[],
  invoices: readonly OwedAmount[],
  credits: readonly HeldCredit[],
): LedgerMismatch[] {
  const unsound = transfers.filter((transfer) => !isSound(transfer));
  const documents = summed([
    ...invoices.map(
      (invoice) =>
        [
          `receivable ${invoice.currency} ${invoice.customerId}`,
          isOwed(invoice) ? invoice.total - invoice.creditedAmount - invoice.paidInParts : 0n,
        ] as const,
    ),
    ...invoices.map(
      (invoice) =>
        [
          `reserved_credit ${invoice.currency} ${invoice.customerId}`,
          isReserving(invoice) ? -invoice.creditApplied : 0n,
        ] as const,
    ),
    ...credits.map(
      ({ currency, customerId, remainingMinor }) =>
        [`customer_credit ${currency} ${customerId}`, -remainingMinor] as const,
    ),
  ]);
  const balances = replay(transfers);
  const compared = [...balances.keys()].filter((key) =>
    ['receivable ', 'customer_credit ', 'reserved_credit '].some((account) => key.startsWith(account)),
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
