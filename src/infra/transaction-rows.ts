import type { Query } from './db.ts';
import type { Position, Row } from './rows.ts';

/** Which attempts to read; null lets all through. */
type Request = {
  readonly status: string | null;
  /** Exactly as stored; customers may share one. */
  readonly customerEmail: string | null;
  readonly after: Position | null;
  readonly limit: number;
};

/** Up to `limit` attempts, newest first by (createdAt, seq), after `after` when given. One statement. */
export function readTransactions(sql: Query, { status, customerEmail, after, limit }: Request): Promise<Row<'Transaction'>[]> {
  const params: unknown[] = [limit];
  const given = (value: unknown): string => `$${params.push(value) + 1}`;
  const conditions: string[] = [];
  if (status !== null) conditions.push(`t.status = ${given(status)}::"TransactionStatus"`);
  if (customerEmail !== null) {
    const customers = `SELECT c.id FROM "Customer" c WHERE c."environmentId" = $1 AND c.email = ${given(customerEmail)}`;
    conditions.push(`t."customerId" IN (${customers})`);
  }
  if (after !== null) conditions.push(`(t."createdAt", t.seq) < (${given(after.createdAt)}, ${given(after.seq)})`);
  const where = conditions.map((condition) => ` AND ${condition}`).join('');
  return sql<Row<'Transaction'>>(
    `SELECT t.* FROM "Transaction" t WHERE t."environmentId" = $1${where} ORDER BY t."createdAt" DESC, t.seq DESC LIMIT $2`,
    params,
  );
}
