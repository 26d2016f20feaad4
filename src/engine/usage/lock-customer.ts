import type { Query } from '../../platform/db/pool.ts';

/** Locks a customer, so that usage waits, no invoice is issued, and the tree of budgets doesn't change at the same time. */
export const lockCustomer = (sql: Query, id: string): Promise<unknown> =>
  sql('SELECT id FROM "Customer" WHERE "environmentId" = $1 AND id = $2 FOR UPDATE', [id]);
