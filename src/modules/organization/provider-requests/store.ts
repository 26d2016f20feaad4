import type { ProviderRequestRow } from '../../../domain/payments/provider-request.ts';
import { columnList, insertRows, updateRows } from '../../../platform/db/bulk.ts';
import type { Query } from '../../../platform/db/pool.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';

/** Locks and returns the requests that are due at `now`, longest overdue first. Skips requests that another transaction has locked. */
export const lockDueRequests = (sql: Query, now: Date, limit: number): Promise<ProviderRequestRow[]> =>
  sql<ProviderRequestRow>(
    `SELECT ${columnList('ProviderRequest', 't')} FROM "ProviderRequest" t WHERE t."environmentId" = $1 AND t."inquireAt" <= $2
     ORDER BY t."inquireAt", t.id LIMIT $3 FOR UPDATE SKIP LOCKED`,
    [now, limit],
  );

/** Locks a request until the transaction ends. `null` if the request doesn't exist. */
export async function lockRequest(sql: Query, id: string): Promise<ProviderRequestRow | null> {
  const [row] = await sql<ProviderRequestRow>(
    `SELECT ${columnList('ProviderRequest', 't')} FROM "ProviderRequest" t WHERE t."environmentId" = $1 AND t.id = $2 FOR UPDATE`,
    [id],
  );
  return row ?? null;
}

export const insertRequest = (sql: Query, row: ProviderRequestRow): Promise<void> =>
  insertRows(sql, 'ProviderRequest', [row]);

export const updateRequests = (sql: Query, rows: readonly ProviderRequestRow[]): Promise<void> =>
  updateRows(sql, 'ProviderRequest', rows);

/** True if the customer has another stored payment method that refers to the same payment method at the provider. */
export const hasStoredDuplicate = async (
  { db }: Context,
  { id, customerId, reference }: Pick<Row<'PaymentMethod'>, 'id' | 'customerId' | 'reference'>,
): Promise<boolean> =>
  (await db.paymentMethod.count({ where: { customerId, reference, removedAt: null, id: { not: id } } })) > 0;
