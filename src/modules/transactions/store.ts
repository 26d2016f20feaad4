import type { Context } from '../../context.ts';
import type { TransactionStatus } from '../../domain/enums.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { loadRow } from '../../graphql/loaders.ts';
import type { Page } from '../../graphql/pages.ts';
import { type PageArguments, pageOf, pageRequest } from '../../graphql/pages.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { Position, Row } from '../../platform/db/rows.ts';

/** Which attempts to read; null lets all through. */
type Request = {
  readonly status: string | null;
  /** Exactly as stored; customers may share one. */
  readonly customerEmail: string | null;
  readonly after: Position | null;
  readonly limit: number;
};

/** Up to `limit` attempts, newest first by (createdAt, seq), after `after` when given. One statement. */
export function readTransactions(
  sql: Query,
  { status, customerEmail, after, limit }: Request,
): Promise<Row<'Transaction'>[]> {
  const params: unknown[] = [limit];
  const provided = (value: unknown): string => `$${params.push(value) + 1}`;
  const conditions: string[] = [];
  if (status !== null) conditions.push(`t.status = ${provided(status)}::"TransactionStatus"`);
  if (customerEmail !== null) {
    const customers = `SELECT c.id FROM "Customer" c WHERE c."environmentId" = $1 AND c.email = ${provided(customerEmail)}`;
    conditions.push(`t."customerId" IN (${customers})`);
  }
  if (after !== null)
    conditions.push(`(t."createdAt", t.seq) < (${provided(after.createdAt)}, ${provided(after.seq)})`);
  const where = conditions.map((condition) => ` AND ${condition}`).join('');
  return sql<Row<'Transaction'>>(
    `SELECT t.* FROM "Transaction" t WHERE t."environmentId" = $1${where} ORDER BY t."createdAt" DESC, t.seq DESC LIMIT $2`,
    params,
  );
}

export type TransactionRow = Row<'Transaction'>;

/** The attempt with this id. Throws `transaction_not_found`. */
export async function requireTransaction(ctx: Context, id: string): Promise<TransactionRow> {
  const transaction = await loadRow(ctx, 'Transaction', id);
  if (transaction === null) throw new QuittanceError('transaction_not_found', { param: 'id' });
  return transaction;
}

/** Which attempts to list: absent filters let all through. */
type TransactionFilter = {
  readonly status?: TransactionStatus | null | undefined;
  readonly customerEmail?: string | null | undefined;
};

/** A page of attempts, newest first. One statement. */
export async function listTransactions(
  ctx: Context,
  args: PageArguments & TransactionFilter,
): Promise<Page<TransactionRow>> {
  const { size, after } = pageRequest(args);
  const { status = null, customerEmail = null } = args;
  return pageOf(await readTransactions(ctx.sql, { status, customerEmail, after, limit: size + 1 }), size);
}
