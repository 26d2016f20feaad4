import type { Context } from '../../context.ts';
import type { ProviderRequestRow } from '../../domain/provider-request.ts';
import { columnList, insertRows, updateRows } from '../../platform/db/bulk.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { Row } from '../../platform/db/rows.ts';

/** Requests the provider is to be asked about by `now`, those due longest first, locked until the transaction ends; what another holds is left to it. */
export const lockDueRequests = (sql: Query, now: Date, limit: number): Promise<ProviderRequestRow[]> =>
  sql<ProviderRequestRow>(
    `SELECT ${columnList('ProviderRequest', 't')} FROM "ProviderRequest" t WHERE t."environmentId" = $1 AND t."inquireAt" <= $2
     ORDER BY t."inquireAt", t.id LIMIT $3 FOR UPDATE SKIP LOCKED`,
    [now, limit],
  );

/** Locks a request until the transaction ends; null where the provider was never to be asked. */
export async function lockRequest(sql: Query, id: string): Promise<ProviderRequestRow | null> {
  const [row] = await sql<ProviderRequestRow>(
    `SELECT ${columnList('ProviderRequest', 't')} FROM "ProviderRequest" t WHERE t."environmentId" = $1 AND t.id = $2 FOR UPDATE`,
    [id],
  );
  return row ?? null;
}

/** Stores a new request. */
export const insertRequest = (sql: Query, row: ProviderRequestRow): Promise<void> =>
  insertRows(sql, 'ProviderRequest', [row]);

/** Stores requests as they now are. */
export const updateRequests = (sql: Query, rows: readonly ProviderRequestRow[]): Promise<void> =>
  updateRows(sql, 'ProviderRequest', rows);

/** Whether a customer has another stored method that is the same one at the provider. */
export const hasStoredTwin = async (
  { db }: Context,
  { id, customerId, reference }: Pick<Row<'PaymentMethod'>, 'id' | 'customerId' | 'reference'>,
): Promise<boolean> =>
  (await db.paymentMethod.count({ where: { customerId, reference, removedAt: null, id: { not: id } } })) > 0;
