import {
  invoiceNumbersIn,
  type MatchedInvoice,
  matchTransfer,
} from '../../../domain/payments/transfer-match.ts';
import type { ReceiptSource } from '../../../domain/rows/enums.ts';
import type { ReceivedMoney } from '../../../domain/subscription/commands/receipt-record.ts';
import { execute } from '../../../engine/execute.ts';
import { newId } from '../../../platform/ids.ts';
import type { TransactionContext } from '../../../request/context.ts';
import { findByBankReference, findByNumber, type StoredReceipt, storeUnmatched } from './store.ts';

/** Transfer that arrived at the bank. */
export type Transfer = {
  readonly amountMinor: bigint;
  readonly currency: string;
  /** Text that the payer entered. `null` if the payer entered no text. */
  readonly text: string | null;
  readonly payerName: string | null;
  readonly bankReference: string;
  readonly receivedAt: Date;
};

type Found = { readonly transfer: Transfer; readonly invoice: MatchedInvoice | null };

/** Matches transfers to invoices by their texts. Executes at most one SQL statement. */
async function matchTransfers(tx: TransactionContext, transfers: readonly Transfer[]): Promise<Found[]> {
  const numbers = transfers.flatMap(({ text }) => {
    const { byReference, inText } = invoiceNumbersIn(text);
    return byReference === null ? inText : [byReference, ...inText];
  });
  const invoices = numbers.length === 0 ? new Map() : await findByNumber(tx, [...new Set(numbers)]);
  return transfers.map((transfer) => ({ transfer, invoice: matchTransfer(transfer, invoices) }));
}

/**
 * Records transfers in the caller's transaction: matches them to invoices, and pays the invoices (INS-76, INS-77). A transfer whose
 * reference at the bank is known changes nothing. Returns the receipts by their references at the bank. The caller has locked the
 * receipts of the environment.
 */
export async function recordTransfers(
  tx: TransactionContext,
  transfers: readonly Transfer[],
  source: ReceiptSource,
): Promise<{ readonly receipts: ReadonlyMap<string, StoredReceipt>; readonly known: ReadonlySet<string> }> {
  const references = transfers.map(({ bankReference }) => bankReference);
  const known = new Set((await findByBankReference(tx, references)).map((row) => row.bankReference));
  const fresh = transfers.filter(({ bankReference }) => !known.has(bankReference));
  const found = await matchTransfers(tx, fresh);
  const matched = found.flatMap(({ transfer, invoice }) => (invoice === null ? [] : [{ transfer, invoice }]));
  const commands = [...Map.groupBy(matched, ({ invoice }) => invoice.customerId)].map(
    ([customerId, own]) => ({
      customerId,
      input: {
        kind: 'receipt.record' as const,
        receipts: own.map(({ transfer, invoice }) => received(transfer, invoice.id, source)),
      },
    }),
  );
  if (commands.length > 0) await execute(tx, commands);
  const now = tx.clock.now();
  await storeUnmatched(
    tx,
    found.flatMap(({ transfer, invoice }) => (invoice === null ? [unmatched(transfer, source, now)] : [])),
  );
  const receipts = await findByBankReference(tx, references);
  return { receipts: new Map(receipts.map((row) => [row.bankReference, row])), known };
}

const detailsOf = ({ text, ...transfer }: Transfer, source: ReceiptSource) => ({
  ...transfer,
  reference: text,
  source,
  instrument: 'bank_transfer' as const,
});

const received = (transfer: Transfer, invoiceId: string, source: ReceiptSource): ReceivedMoney => ({
  ...detailsOf(transfer, source),
  receiptId: newId('rcp'),
  invoiceId,
});

const unmatched = (
  transfer: Transfer,
  source: ReceiptSource,
  now: Date,
): Omit<StoredReceipt, 'environmentId' | 'seq'> => ({
  ...detailsOf(transfer, source),
  id: newId('rcp'),
  customerId: null,
  invoiceId: null,
  status: 'unmatched',
  appliedMinor: 0n,
  returnedMinor: 0n,
  lateOf: null,
  createdAt: now,
  updatedAt: now,
});
