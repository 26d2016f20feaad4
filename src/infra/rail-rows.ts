import type { RailRequestRow } from '../domain/rail-request.ts';
import { columnList, insertRows, updateRows } from './bulk.ts';
import type { Query } from './db.ts';

/** Requests the rail is to be asked about by `now`, those due longest first, locked until the transaction ends; what another holds is left to it. */
export const lockDueRequests = (sql: Query, now: Date, limit: number): Promise<RailRequestRow[]> =>
  sql<RailRequestRow>(
    `SELECT ${columnList('RailRequest', 't')} FROM "RailRequest" t WHERE t."environmentId" = $1 AND t."askAt" <= $2
     ORDER BY t."askAt", t.id LIMIT $3 FOR UPDATE SKIP LOCKED`,
    [now, limit],
  );

/** Locks a request until the transaction ends; null where the rail was never to be asked. */
export async function lockRequest(sql: Query, id: string): Promise<RailRequestRow | null> {
  const [row] = await sql<RailRequestRow>(
    `SELECT ${columnList('RailRequest', 't')} FROM "RailRequest" t WHERE t."environmentId" = $1 AND t.id = $2 FOR UPDATE`,
    [id],
  );
  return row ?? null;
}

/** Stores a new request. */
export const insertRequest = (sql: Query, row: RailRequestRow): Promise<void> => insertRows(sql, 'RailRequest', [row]);

/** Stores requests as they now are. */
export const updateRequests = (sql: Query, rows: readonly RailRequestRow[]): Promise<void> => updateRows(sql, 'RailRequest', rows);
