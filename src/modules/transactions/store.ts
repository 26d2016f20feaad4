import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.ts';
import type { TransactionStatus } from '../../domain/enums.ts';
import { QuittanceError } from '../../domain/errors.ts';
import type { Page } from '../../graphql/connections.ts';
import { type ListArguments, single, withMembers } from '../../graphql/list-rows.ts';
import { readList } from '../../graphql/lists.ts';
import { loadRow } from '../../graphql/loaders.ts';
import type { Query } from '../../platform/db/pool.ts';
import { type Row, readBy } from '../../platform/db/rows.ts';
import { transactionList } from './list.ts';

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

/** A page of attempts, newest first unless they are sorted otherwise. One statement, and one more where the email address has to be looked up. */
export async function listTransactions(
  ctx: Context,
  args: ListArguments & TransactionFilter,
  info: GraphQLResolveInfo,
): Promise<Page<TransactionRow>> {
  const { status, customerEmail } = args;
  const customers = customerEmail
    ? await readBy(ctx.sql, 'Customer', 'email', [customerEmail], { columns: new Set(['id']) })
    : undefined;
  const members = { statuses: single(status), customerIds: customers?.map(({ id }) => id) };
  return readList(ctx, transactionList, withMembers(args, members), { info });
}

/** What a customer has paid and owes in one currency, minor units. */
export type CustomerTotalRow = {
  readonly customerId: string;
  readonly currency: string;
  readonly collected: bigint;
  readonly refunded: bigint;
  readonly open: bigint;
};

/** The totals of customers, by currency in the order of their codes. One statement. */
export const readCustomerTotals = (sql: Query, customerIds: readonly string[]): Promise<CustomerTotalRow[]> =>
  sql<CustomerTotalRow>(
    `SELECT "customerId", currency, sum(collected)::bigint AS collected, sum(refunded)::bigint AS refunded, sum(open)::bigint AS open FROM (
       SELECT t."customerId", t.currency, t."amountMinor" AS collected, t."refundedMinor" AS refunded, 0::bigint AS open
       FROM "Transaction" t WHERE t."environmentId" = $1 AND t."customerId" = ANY($2) AND t."paidAt" IS NOT NULL
       UNION ALL
       SELECT i."customerId", i.currency, 0, 0, i.total
       FROM "Invoice" i WHERE i."environmentId" = $1 AND i."customerId" = ANY($2) AND i.status = 'outstanding' AND i.total > 0) amounts
     GROUP BY 1, 2 ORDER BY 1, 2`,
    [customerIds],
  );

/** The transaction with this id as it is now; null for none. */
export const findTransaction = (ctx: Context, id: string): Promise<TransactionRow | null> =>
  ctx.db.transaction.findFirst({ where: { id } });

/** The refunds of these ids that exist. */
export const findRefunds = (ctx: Context, ids: readonly string[]): Promise<Row<'Refund'>[]> =>
  ctx.db.refund.findMany({ where: { id: { in: [...ids] } } });
