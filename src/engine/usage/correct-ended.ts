import type { Rejection } from '../../domain/errors/errors.ts';
import { accountWith, lotContext } from '../../domain/lots/account.ts';
import type { FeatureRow } from '../../domain/pricing/catalog.ts';
import { poolOfStored } from '../../domain/pricing/pools.ts';
import type { EndedUsageRow } from '../../domain/rows/ended-usage.ts';
import type { PendingCorrection, SubscriptionRow } from '../../domain/rows/rows.ts';
import type {
  ConsumingCustomer,
  ConsumptionAccountRow,
  LotRow,
  UsageCounterRow,
} from '../../domain/rows/usage-rows.ts';
import type { UsageBook } from '../../domain/usage/book.ts';
import type { Corrected, CorrectedEvent, CorrectionRequest } from '../../domain/usage/correction-request.ts';
import { counterId } from '../../domain/usage/counter.ts';
import { correctEnded } from '../../domain/usage/ended-correction.ts';
import type { EndedWindow } from '../../domain/usage/ended-settlement.ts';
import type { UsageEventRow } from '../../domain/usage/record.ts';
import { columnList } from '../../platform/db/bulk.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { TransactionContext } from '../../request/context.ts';
import { execute } from '../execute.ts';
import { writeUsage } from './write.ts';

/** Event whose usage window may have ended. */
type Windowed = Pick<UsageEventRow, 'customerId' | 'subscriptionId' | 'featureId' | 'windowStart'>;

/**
 * Returns true if the usage window of an event has ended. The last window of a subscription ends with its invoice, although the
 * subscription ends when the charge settles. Later events aren't invoiced.
 */
export async function hasEnded(
  sql: Query,
  { subscriptionId, windowStart, seq }: Windowed & { readonly seq: bigint },
): Promise<boolean> {
  const [row] = await sql<{ readonly isOpen: boolean }>(
    `SELECT s.status <> 'canceled' AND s."windowStart" = $3 AND NOT EXISTS (SELECT FROM "EndedUsage" u
         WHERE u."environmentId" = $1 AND u."subscriptionId" = s.id AND u."windowStart" = $3 AND u.seq > $4) AS "isOpen"
     FROM "Subscription" s WHERE s."environmentId" = $1 AND s.id = $2`,
    [subscriptionId, windowStart, seq],
  );
  return row?.isOpen !== true;
}

/** Reads the usage of all features in the event's window, as it was last ended. */
const readEndedUsage = (sql: Query, { subscriptionId, windowStart }: Windowed): Promise<EndedUsageRow[]> =>
  sql<EndedUsageRow>(
    `SELECT DISTINCT ON (t."featureId") ${columnList('EndedUsage', 't')} FROM "EndedUsage" t
     WHERE t."environmentId" = $1 AND t."subscriptionId" = $2 AND t."windowStart" = $3 ORDER BY t."featureId", t.seq DESC`,
    [subscriptionId, windowStart],
  );

/** Returns the usage of an ended window if the event belongs to it. */
export const readEnded = async (sql: Query, event: Windowed): Promise<EndedUsageRow | null> =>
  (await readEndedUsage(sql, event)).find(({ featureId }) => featureId === event.featureId) ?? null;

/** Number that exceeds the size of a batch of usage. Rows of a batch have consecutive numbers. */
const maxNumbers = 100_000n;

/**
 * Reads the amounts that an event and the events that it replaced drew from lots, last drawn lot first. An entry has a
 * number after its event or correction, which was recorded in the same batch.
 */
const readDraws = (
  sql: Query,
  { id, seq, subscriptionId }: CorrectedEvent['event'],
): Promise<(LotRow & { readonly drawn: bigint })[]> =>
  sql<LotRow & { readonly drawn: bigint }>(
    `WITH RECURSIVE chain AS (
       SELECT $2::text AS id, $3::bigint AS seq, ARRAY[$3::bigint] AS numbers
       UNION ALL
       SELECT e.id, e.seq, chain.numbers || e.seq || c.seq FROM chain
       JOIN "UsageCorrection" c ON c."environmentId" = $1 AND c."replacementId" = chain.id
       JOIN "UsageEvent" e ON e."environmentId" = $1 AND e.id = c."usageEventId"),
     numbers AS (SELECT DISTINCT unnest(numbers) AS first FROM chain),
     entries AS (
       SELECT DISTINCT t.id, t."lotId", t.amount, t.seq FROM numbers
       JOIN "ConsumptionEntry" t ON t."environmentId" = $1 AND t."subscriptionId" = $4 AND t.seq > numbers.first AND t.seq < numbers.first + $5
       WHERE t.type IN ('consumption', 'return') AND t."sourceId" IN (SELECT chain.id FROM chain)),
     draws AS (SELECT "lotId", -sum(amount)::bigint AS drawn, max(seq) AS last FROM entries GROUP BY "lotId" HAVING sum(amount) < 0)
     SELECT ${columnList('Lot', 'l')}, draws.drawn FROM draws
     JOIN "Lot" l ON l."environmentId" = $1 AND l.id = draws."lotId" ORDER BY draws.last DESC`,
    [id, seq, subscriptionId, maxNumbers],
  );

type StoredSubscription = SubscriptionRow & { readonly seq: bigint };

/** Reads the rows of an ended window. The customer must be locked. Locks the account. */
async function readWindow(
  tx: TransactionContext,
  book: UsageBook,
  customer: ConsumingCustomer,
  event: CorrectedEvent['event'],
): Promise<EndedWindow & { readonly subscription: StoredSubscription }> {
  const { sql } = tx;
  const { subscriptionId, featureId } = event;
  const [account] = await sql<ConsumptionAccountRow>(
    `SELECT ${columnList('ConsumptionAccount', 't')} FROM "ConsumptionAccount" t WHERE t."environmentId" = $1 AND t.id = $2 FOR UPDATE`,
    [subscriptionId],
  );
  const [[subscription], [feature], lots, usage, [counter], draws] = await Promise.all([
    sql<StoredSubscription>(
      `SELECT ${columnList('Subscription', 't')} FROM "Subscription" t WHERE t."environmentId" = $1 AND t.id = $2`,
      [subscriptionId],
    ),
    sql<FeatureRow>(
      `SELECT ${columnList('Feature', 't')} FROM "Feature" t WHERE t."environmentId" = $1 AND t.id = $2`,
      [featureId],
    ),
    sql<LotRow>(
      `SELECT ${columnList('Lot', 't')} FROM "Lot" t WHERE t."environmentId" = $1 AND t."subscriptionId" = $2 AND t."isOpen" ORDER BY t.seq`,
      [subscriptionId],
    ),
    readEndedUsage(sql, event),
    sql<UsageCounterRow>(
      `SELECT ${columnList('UsageCounter', 't')} FROM "UsageCounter" t WHERE t."environmentId" = $1 AND t.id = $2 AND t."windowStart" = $3`,
      [counterId(subscriptionId, featureId), event.windowStart],
    ),
    poolOfStored(event) === null ? [] : readDraws(sql, event),
  ]);
  if (account === undefined || subscription === undefined || feature === undefined)
    throw new Error(`The event ${event.id} has no account, subscription, or feature.`);
  return {
    customer,
    subscription,
    feature,
    account: accountWith(account, lots, lotContext(subscription, book.details)),
    counter: counter ?? null,
    usage,
    draws: draws.map(({ drawn, ...lot }) => ({ lot, amount: drawn })),
  };
}

/** Writes the totals of an ended window. */
async function writeEnded(sql: Query, rows: readonly EndedUsageRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql(
    `UPDATE "EndedUsage" t SET total = r.total, covered = r.covered, "deficitRate" = r.deficit, cells = r.cells::jsonb
     FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[]) AS r(id, total, covered, deficit, cells)
     WHERE t."environmentId" = $1 AND t.id = r.id`,
    [
      rows.map(({ id }) => id),
      rows.map(({ total }) => total.toString()),
      rows.map(({ covered }) => covered.toString()),
      rows.map(({ deficitRate }) => deficitRate.toString()),
      rows.map(({ cells }) => (cells === null ? null : JSON.stringify(cells))),
    ],
  );
}

/** Adds the difference to the next invoice. If the subscription has ended, grants a customer credit instead. */
async function addPending(
  tx: TransactionContext,
  { id, customerId, status, corrections }: SubscriptionRow,
  pending: PendingCorrection,
): Promise<void> {
  await tx.sql('UPDATE "Subscription" SET corrections = $3 WHERE "environmentId" = $1 AND id = $2', [
    id,
    JSON.stringify([...corrections, pending]),
  ]);
  if (status === 'canceled')
    await execute(tx, [{ customerId, input: { kind: 'corrections.end', subscriptionId: id } }]);
}

/** Corrects an event of an ended usage window. The customer must be locked. Writes nothing if the correction is rejected or repeated. */
export async function correctEndedUsage(
  tx: TransactionContext,
  book: UsageBook,
  customer: ConsumingCustomer,
  corrected: CorrectedEvent,
  request: CorrectionRequest,
): Promise<Corrected | { readonly rejection: Rejection }> {
  const window = await readWindow(tx, book, customer, corrected.event);
  const result = correctEnded(book, window, corrected, request);
  if ('rejection' in result || result.isRepetition) return result;
  await writeUsage(tx, book);
  await writeEnded(tx.sql, result.usage);
  if (result.pending !== null) await addPending(tx, window.subscription, result.pending);
  return result;
}
