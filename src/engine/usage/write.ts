import { type Context, hintEvents } from '../../context.ts';
import type { UsageBook } from '../../domain/consumption/book.ts';
import type { ConsumptionAccountRow, UsageCounterRow } from '../../domain/consumption/rows.ts';
import { insertPart, type WritePart, writeTogether } from '../../infra/bulk.ts';
import { eventsPart, takeNumbers } from '../../infra/outbox.ts';
import { writeTokenCost } from './token-cost.ts';

/** Puts counters that exist where they now stand: only what moves, so that their indexes are left alone. */
const countersPart = (counters: readonly UsageCounterRow[]): WritePart => ({
  text: `UPDATE "UsageCounter" t SET "windowStart" = r."windowStart", total = r.total, consumed = r.consumed, "alertLevel" = r."alertLevel",
       covered = r.covered
     FROM unnest($2::text[], $3::timestamptz[], $4::bigint[], $5::bigint[], $6::integer[], $7::bigint[])
       AS r(id, "windowStart", total, consumed, "alertLevel", covered)
     WHERE t."environmentId" = $1 AND t.id = r.id`,
  params: [
    counters.map(({ id }) => id),
    counters.map(({ windowStart }) => windowStart.toISOString()),
    counters.map(({ total }) => total.toString()),
    counters.map(({ consumed }) => consumed.toString()),
    counters.map(({ alertLevel }) => alertLevel),
    counters.map(({ covered }) => covered.toString()),
  ],
});

/** Puts accounts, which are locked, where they now stand. */
const accountsPart = (accounts: readonly ConsumptionAccountRow[]): WritePart => ({
  text: `UPDATE "ConsumptionAccount" t SET "planCredits" = r."planCredits", "purchasedCredits" = r."purchasedCredits",
       "balanceRate" = r."balanceRate", "grantedCredits" = r."grantedCredits", "grantedRate" = r."grantedRate",
       "isLowSent" = r."isLowSent", "lastRefillRate" = r."lastRefillRate", "updatedAt" = r."updatedAt"
     FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::boolean[], $9::bigint[], $10::timestamptz[])
       AS r(id, "planCredits", "purchasedCredits", "balanceRate", "grantedCredits", "grantedRate", "isLowSent", "lastRefillRate", "updatedAt")
     WHERE t."environmentId" = $1 AND t.id = r.id`,
  params: [
    accounts.map(({ id }) => id),
    accounts.map(({ planCredits }) => planCredits.toString()),
    accounts.map(({ purchasedCredits }) => purchasedCredits.toString()),
    accounts.map(({ balanceRate }) => balanceRate.toString()),
    accounts.map(({ grantedCredits }) => grantedCredits.toString()),
    accounts.map(({ grantedRate }) => grantedRate.toString()),
    accounts.map(({ isLowSent }) => isLowSent),
    accounts.map(({ lastRefillRate }) => lastRefillRate.toString()),
    accounts.map(({ updatedAt }) => updatedAt.toISOString()),
  ],
});

/** Writes what the book holds in an open transaction, events, entries, counters, accounts and outbox, by two statements. */
export async function writeUsage(tx: Context, book: UsageBook): Promise<void> {
  const { transaction } = tx;
  if (transaction === null) throw new Error('Usage is written inside a transaction.');
  const counters = [...book.counters.values()];
  const accounts = [...book.accounts.values()];
  const isNew = ({ seq }: { readonly seq: bigint | null }): boolean => seq === null;
  const seqCount = book.events.length + book.entries.length + book.adjustments.length + counters.filter(isNew).length;
  if (seqCount + accounts.length + counters.length + book.outbox.length === 0) return;
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
  const parts: [count: number, prepare: () => WritePart][] = [
    [events.length, () => insertPart('UsageEvent', events)],
    [adjustments.length, () => insertPart('UsageAdjustment', adjustments)],
    [entries.length, () => insertPart('ConsumptionEntry', entries)],
    [opened.length, () => insertPart('UsageCounter', opened)],
    [moved.length, () => countersPart(moved)],
    [accounts.length, () => accountsPart(accounts)],
    [book.outbox.length, () => eventsPart(numbers.position, book.outbox)],
  ];
  await writeTogether(
    tx.sql,
    parts.filter(([count]) => count > 0).map(([, prepare]) => prepare()),
  );
  hintEvents(tx);
}
