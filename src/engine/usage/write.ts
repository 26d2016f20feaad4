import { type Context, hintEvents } from '../../context.ts';
import type { UsageBook } from '../../domain/consumption/book.ts';
import type { UsageCounterRow } from '../../domain/consumption/rows.ts';
import { type BulkWrite, inserting, updating, writeInOrder } from '../../infra/bulk.ts';
import { storeEvents, takeNumbers } from '../../infra/outbox.ts';
import { writeTokenCost } from './token-cost.ts';

/** Puts counters that exist where they now stand: only what moves, so that their indexes are left alone. */
async function moveCounters({ sql }: Context, counters: readonly UsageCounterRow[]): Promise<void> {
  if (counters.length === 0) return;
  await sql(
    `UPDATE "UsageCounter" t SET "windowStart" = r."windowStart", total = r.total, consumed = r.consumed, "alertLevel" = r."alertLevel"
     FROM unnest($2::text[], $3::timestamptz[], $4::bigint[], $5::bigint[], $6::integer[]) AS r(id, "windowStart", total, consumed, "alertLevel")
     WHERE t."environmentId" = $1 AND t.id = r.id`,
    [
      counters.map(({ id }) => id),
      counters.map(({ windowStart }) => windowStart.toISOString()),
      counters.map(({ total }) => total.toString()),
      counters.map(({ consumed }) => consumed.toString()),
      counters.map(({ alertLevel }) => alertLevel),
    ],
  );
}

/** Writes what the book holds in an open transaction: events, entries, counters, accounts and outbox, each kind by one statement. */
export async function writeUsage(tx: Context, book: UsageBook): Promise<void> {
  const { transaction } = tx;
  if (transaction === null) throw new Error('Usage is written inside a transaction.');
  const counters = [...book.counters.values()];
  const isNew = ({ seq }: { readonly seq: bigint | null }): boolean => seq === null;
  const seqCount = book.events.length + book.entries.length + book.adjustments.length + counters.filter(isNew).length;
  if (seqCount + book.accounts.size + counters.length + book.outbox.length === 0) return;
  const numbers = await takeNumbers(transaction.query, tx.environment.id, { seq: seqCount, positions: book.outbox.length });
  let next = numbers.seq;
  const numbered = <T extends { readonly seq: bigint | null }>(row: T): T & { readonly seq: bigint } => ({
    ...row,
    seq: row.seq ?? next++,
  });
  const events = book.events.map(numbered).map((row) => ({ ...row, tokenCost: writeTokenCost(row.tokenCost) }));
  const entries = book.entries.map(numbered);
  const adjustments = book.adjustments.map(numbered);
  const opened = counters.filter(isNew).map(numbered);
  const moved = counters.filter((row) => !isNew(row));
  const accounts = [...book.accounts.values()].map(numbered);
  const steps: [count: number, prepare: () => BulkWrite][] = [
    [events.length, () => inserting('UsageEvent', events)],
    [adjustments.length, () => inserting('UsageAdjustment', adjustments)],
    [entries.length, () => inserting('ConsumptionEntry', entries)],
    [opened.length, () => inserting('UsageCounter', opened)],
    [accounts.length, () => updating('ConsumptionAccount', accounts)],
  ];
  await writeInOrder(
    tx.sql,
    steps.filter(([count]) => count > 0).map(([, prepare]) => prepare),
  );
  await moveCounters(tx, moved);
  await storeEvents(transaction.query, tx.environment.id, numbers.position, book.outbox);
  hintEvents(tx);
}
