import type { TransactionContext } from '../../request/context.ts';
import { withStoredParts } from './cells.ts';
import { bookWithoutDue } from './decide.ts';
import { readUsage, usageDetailsOf } from './load.ts';
import { lockHolds, readDueHoldsById, withDueHolds } from './load-holds.ts';
import { writeUsage } from './write.ts';

/** Maximum number of holds that expire in one transaction. */
const mostHolds = 1_000;

/**
 * Expires a batch of an environment's holds whose time has come, the earliest first, and frees their reserved amounts (LIM-60). Runs a constant
 * number of statements.
 */
export async function expireHolds(tx: TransactionContext, now: Date): Promise<void> {
  const due = await tx.sql<{ id: string; customerId: string; code: string }>(
    `SELECT h.id, h."customerId", f.code FROM (
       SELECT id, "customerId", "featureId" FROM "UsageHold" WHERE "environmentId" = $1 AND "dueAt" <= $2 ORDER BY "dueAt" LIMIT $3) h
     CROSS JOIN LATERAL (SELECT code FROM "Feature" WHERE "environmentId" = $1 AND id = h."featureId" OFFSET 0) f`,
    [now, mostHolds],
  );
  if (due.length === 0) return;
  const ids = due.map(({ id }) => id);
  const needs = {
    customers: [...new Set(due.map(({ customerId }) => customerId))],
    featureCodes: [...new Set(due.map(({ code }) => code))],
    eventIds: [],
    models: [],
  };
  const rows = await readUsage(tx.sql, tx.transaction.query, needs, 'record');
  await lockHolds(tx.sql, ids);
  const requests = needs.customers.map((customerId) => ({ customerId, featureCode: '', properties: [] }));
  const details = { ...(await usageDetailsOf(tx, needs, rows, true)), now };
  const limited = await withStoredParts(tx.sql, details, requests);
  const current = withDueHolds(limited, await readDueHoldsById(tx.sql, ids, now));
  await writeUsage(tx, bookWithoutDue(current));
}
