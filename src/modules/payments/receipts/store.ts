import { specificError } from '../../../domain/errors/errors.ts';
import { type ReceiptEventKind, receiptEvent } from '../../../domain/events/receipt-events.ts';
import { postReceipt } from '../../../domain/ledger/documents.ts';
import type { MatchedInvoice } from '../../../domain/payments/transfer-match.ts';
import { loadRow } from '../../../graphql/reading/loaders.ts';
import { takeNumbers } from '../../../outbox/write.ts';
import { columnList, insertRows, updateRows } from '../../../platform/db/bulk.ts';
import { lockCounter } from '../../../platform/db/locks.ts';
import type { Row } from '../../../platform/db/rows.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context, TransactionContext } from '../../../request/context.ts';
import { recordEvents } from '../../../request/transaction.ts';

export type StoredReceipt = Row<'Receipt'>;

/** Returns a receipt. Throws `not_found` if the receipt doesn't exist. */
export async function requireReceipt(ctx: Context, id: string): Promise<StoredReceipt> {
  const receipt = await loadRow(ctx, 'Receipt', id);
  if (receipt === null) throw specificError('not_found', 'receipt', { param: 'id' });
  return receipt;
}

/** Returns the receipts with these references at the bank. */
export const findByBankReference = (
  { sql }: Context,
  references: readonly string[],
): Promise<StoredReceipt[]> =>
  sql<StoredReceipt>(
    `SELECT ${columnList('Receipt', 't')} FROM "Receipt" t WHERE t."environmentId" = $1 AND t."bankReference" = ANY($2)`,
    [references],
  );

/** Returns the invoices with these numbers, with their amounts due. */
export async function findByNumber(
  { sql }: Context,
  numbers: readonly bigint[],
): Promise<ReadonlyMap<bigint, MatchedInvoice>> {
  const rows = await sql<MatchedInvoice>(
    `SELECT t.id, t."customerId", t.number, t.currency,
            CASE WHEN t.status = 'outstanding' THEN greatest(0, t.total - t."creditedDue" - t."paidInParts") ELSE 0 END::bigint AS due
     FROM "Invoice" t WHERE t."environmentId" = $1 AND t.number = ANY($2) AND t.status <> 'draft'`,
    [numbers],
  );
  return new Map(rows.map((row) => [row.number, row]));
}

/** Serializes the recording of receipts in an environment, so that a reference at the bank is recorded once. */
export const lockReceipts = ({ sql }: TransactionContext): Promise<void> => lockCounter(sql);

/** Stores receipts that aren't matched to an invoice, with their ledger transfers and events. */
export async function storeUnmatched(
  tx: TransactionContext,
  receipts: readonly Omit<StoredReceipt, 'environmentId' | 'seq'>[],
): Promise<void> {
  if (receipts.length === 0) return;
  const now = tx.clock.now();
  const transfers = receipts.flatMap((row) =>
    postReceipt('receipt.unmatched', row, row.amountMinor, newId, now),
  );
  const count = receipts.length + transfers.length;
  const { seq: first } = await takeNumbers(tx.transaction.query, tx.environment.id, { seq: count });
  const stored = receipts.map((row, index) => ({ ...row, seq: first + BigInt(index) }));
  const base = first + BigInt(receipts.length);
  await insertRows(tx.sql, 'Receipt', stored);
  await insertRows(
    tx.sql,
    'LedgerTransfer',
    transfers.map((row, index) => ({ ...row, seq: base + BigInt(index) })),
  );
  await recordEvents(
    tx,
    stored.map((row) => outboxEvent('receipt.recorded', row, now)),
  );
}

const outboxEvent = (kind: ReceiptEventKind, receipt: Omit<StoredReceipt, 'environmentId'>, at: Date) => ({
  ...receiptEvent(kind, null, receipt, null),
  occurredAt: at,
  customerId: null,
});

/** Returns an unmatched receipt to the payer. Throws `validation_error` if another request matched or returned the receipt. */
export async function returnUnmatched(tx: TransactionContext, id: string): Promise<void> {
  const [receipt] = await tx.sql<StoredReceipt>(
    `SELECT ${columnList('Receipt', 't')} FROM "Receipt" t WHERE t."environmentId" = $1 AND t.id = $2 FOR UPDATE`,
    [id],
  );
  if (receipt?.status !== 'unmatched')
    throw specificError('validation_error', 'receipt_used', { param: 'id' });
  const now = tx.clock.now();
  const returned = {
    ...receipt,
    status: 'returned' as const,
    returnedMinor: receipt.amountMinor,
    updatedAt: now,
  };
  const transfers = postReceipt('receipt.sent_back', receipt, receipt.amountMinor, newId, now);
  const { seq } = await takeNumbers(tx.transaction.query, tx.environment.id, { seq: transfers.length });
  await updateRows(tx.sql, 'Receipt', [returned]);
  await insertRows(
    tx.sql,
    'LedgerTransfer',
    transfers.map((row) => ({ ...row, seq })),
  );
  await recordEvents(tx, [outboxEvent('receipt.returned', returned, now)]);
}
