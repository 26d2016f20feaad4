// Whether the ledger and the documents agree.
import type { CustomerCreditRow, InvoiceRow, LedgerTransferRow } from '../subscription/state/rows.ts';
import { customerAccounts, type LedgerFact, postings } from './post.ts';

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
