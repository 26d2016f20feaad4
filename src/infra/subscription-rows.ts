import { type Columns, selectionOf } from './columns.ts';
import type { Query } from './db.ts';
import type { Row } from './rows.ts';

/**
 * The subscription in force of each of these customers that has one: the one that is not canceled (SUB-4), an open checkout only where
 * nothing else is. One statement for all customers.
 */
export function readCurrentSubscriptions(
  sql: Query,
  customerIds: readonly string[],
  columns: Columns = 'all',
): Promise<Row<'Subscription'>[]> {
  const { list, rowOf } = selectionOf('Subscription', columns);
  return sql<Row<'Subscription'>>(
    `SELECT DISTINCT ON (t."customerId") ${list} FROM "Subscription" t
     WHERE t."environmentId" = $1 AND t."customerId" = ANY($2) AND t.status <> 'canceled'
     ORDER BY t."customerId", (t.status = 'pending_payment'), t.seq DESC`,
    [customerIds],
    rowOf,
  );
}
