import type { Rejection } from '../../domain/errors/errors.ts';
import { accountWith, lotContext } from '../../domain/lots/account.ts';
import type { FeatureRow } from '../../domain/pricing/catalog.ts';
import type { EndedUsageRow } from '../../domain/rows/ended-usage.ts';
import type { SubscriptionRow } from '../../domain/rows/rows.ts';
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
import type { PendingOf } from '../../domain/usage/ended-pending.ts';
import type { EndedWindow } from '../../domain/usage/ended-settlement.ts';
import type { UsageEventRow } from '../../domain/usage/record.ts';
import { columnList } from '../../platform/db/bulk.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { TransactionContext } from '../../request/context.ts';
import { execute } from '../execute.ts';
import { readHeldLevel } from './level-history.ts';
import { readDraws } from './read-draws.ts';
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

type StoredSubscription = SubscriptionRow & { readonly seq: bigint };

/** Reads the rows of an ended window. The customer must be locked. Locks the account. */
async function readWindow(
  tx: TransactionContext,
  book: UsageBook,
  customer: ConsumingCustomer,
  corrected: CorrectedEvent,
): Promise<EndedWindow> {
  const { sql } = tx;
  const { event } = corrected;
  const { subscriptionId, featureId } = event;
  const [account] = await sql<ConsumptionAccountRow>(
    `SELECT ${columnList('ConsumptionAccount', 't')} FROM "ConsumptionAccount" t WHERE t."environmentId" = $1 AND t.id = $2 FOR UPDATE`,
    [subscriptionId],
  );
  const [[subscription], [feature], lots, usage, [counter]] = await Promise.all([
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
  ]);
  if (account === undefined || subscription === undefined || feature === undefined)
    throw new Error(`The event ${event.id} has no account, subscription, or feature.`);
  const own = usage.find((one) => one.featureId === featureId) ?? null;
  return {
    customer,
    subscription,
    feature,
    account: accountWith(account, lots, lotContext(subscription, book.details)),
    counter: counter ?? null,
    usage,
    level: corrected.levels === null ? null : await readHeldLevel(sql, event),
    ...(await readDraws(sql, corrected, own)),
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
  customerId: string,
  { subscriptionId, correction }: PendingOf,
): Promise<void> {
  const [row] = await tx.sql<Pick<SubscriptionRow, 'status'>>(
    `UPDATE "Subscription" SET corrections = corrections || $3::jsonb WHERE "environmentId" = $1 AND id = $2 RETURNING status`,
    [subscriptionId, JSON.stringify([correction])],
  );
  if (row?.status === 'canceled')
    await execute(tx, [{ customerId, input: { kind: 'corrections.end', subscriptionId } }]);
}

/** Corrects an event of an ended usage window. The customer must be locked. Writes nothing if the correction is rejected or repeated. */
export async function correctEndedUsage(
  tx: TransactionContext,
  book: UsageBook,
  customer: ConsumingCustomer,
  corrected: CorrectedEvent,
  request: CorrectionRequest,
): Promise<Corrected | { readonly rejection: Rejection }> {
  const window = await readWindow(tx, book, customer, corrected);
  const result = correctEnded(book, window, corrected, request);
  if ('rejection' in result || result.isRepetition) return result;
  await writeUsage(tx, book);
  await writeEnded(tx.sql, result.usage);
  for (const pending of result.pending) await addPending(tx, customer.id, pending);
  return result;
}
