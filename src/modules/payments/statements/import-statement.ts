import { createHash } from 'node:crypto';
import { leftOf } from '../../../domain/payments/receipts.ts';
import {
  type CheckedEntry,
  checkEntries,
  type EntryProblem,
  type RawEntry,
} from '../../../domain/payments/statements/entries.ts';
import { readBy } from '../../../platform/db/rows.ts';
import type { Context, TransactionContext } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { recordTransfers } from '../receipts/record-transfers.ts';
import { lockReceipts, type StoredReceipt } from '../receipts/store.ts';
import { readCamt } from './read-camt.ts';
import { type CsvTerms, readCsv } from './read-csv.ts';

/** Largest number of entries of a file. */
export const mostEntries = 5_000;

/** Outcome of an entry. */
export type EntryOutcome = 'matched' | 'partial' | 'surplus' | 'unmatched' | 'duplicate' | 'rejected';

export type ImportedEntry = {
  /** Position in the file, starting at 1. */
  readonly position: number;
  readonly outcome: EntryOutcome;
  readonly problem: EntryProblem | null;
  readonly raw: RawEntry;
  readonly receipt: StoredReceipt | null;
};

export type StatementFile = {
  readonly format: 'camt_053' | 'csv';
  readonly content: string;
  readonly csv: CsvTerms;
};

const readFile = ({ format, content, csv }: StatementFile): RawEntry[] =>
  format === 'csv' ? readCsv(content, csv, mostEntries) : readCamt(content, mostEntries);

/** Longest reference of an entry that is stored as text. Longer references are stored as a hash. */
const longestReference = 140;

const referenceOf = ({ identity }: CheckedEntry): string =>
  identity.length <= longestReference
    ? identity
    : `sha256:${createHash('sha256').update(identity).digest('hex')}`;

/** Returns the invoices that are outstanding after the import, by ID. */
async function outstandingInvoices(
  tx: TransactionContext,
  receipts: Iterable<StoredReceipt>,
): Promise<ReadonlySet<string>> {
  const ids = new Set([...receipts].flatMap(({ invoiceId }) => invoiceId ?? []));
  const invoices = ids.size === 0 ? [] : await readBy(tx.sql, 'Invoice', 'id', [...ids]);
  return new Set(invoices.filter(({ status }) => status === 'outstanding').map(({ id }) => id));
}

function outcomeOf(receipt: StoredReceipt, outstanding: ReadonlySet<string>): EntryOutcome {
  if (receipt.status === 'unmatched') return 'unmatched';
  if (receipt.invoiceId !== null && outstanding.has(receipt.invoiceId)) return 'partial';
  return leftOf(receipt) > 0n ? 'surplus' : 'matched';
}

/**
 * Imports a bank statement: records each incoming payment once, matches it to an invoice, and reports the outcome of each entry
 * (INS-76). Importing a file again changes nothing. Throws `validation_error`, and changes nothing, if the file can't be read.
 */
export function importStatement(ctx: Context, file: StatementFile): Promise<ImportedEntry[]> {
  const raws = readFile(file);
  const checked = checkEntries(raws, ctx.clock.now());
  const valid = checked.filter((entry) => 'identity' in entry);
  const transfers = [...new Map(valid.map((entry) => [referenceOf(entry), entry]))].map(
    ([bankReference, { amountMinor, currency, text, payerName, bookedOn: receivedAt }]) => ({
      bankReference,
      amountMinor,
      currency,
      text,
      payerName,
      receivedAt,
    }),
  );
  return inTransaction(ctx, async (tx) => {
    await lockReceipts(tx);
    const { receipts, known } = await recordTransfers(tx, transfers, 'statement');
    const outstanding = await outstandingInvoices(tx, receipts.values());
    const seen = new Set(known);
    return checked.map((entry, index): ImportedEntry => {
      const about = { position: index + 1, raw: raws[index] as RawEntry };
      if ('problem' in entry) return { ...about, outcome: 'rejected', problem: entry.problem, receipt: null };
      const reference = referenceOf(entry);
      const receipt = receipts.get(reference);
      if (receipt === undefined) throw new Error('An imported entry must be stored.');
      const isRepeated = seen.has(reference);
      seen.add(reference);
      const outcome = isRepeated ? 'duplicate' : outcomeOf(receipt, outstanding);
      return { ...about, outcome, problem: null, receipt };
    });
  });
}
