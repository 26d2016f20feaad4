import type { GraphQLResolveInfo } from 'graphql';
import { QuittanceError, specificError } from '../../../domain/errors/errors.ts';
import type { TransactionStatus } from '../../../domain/rows/enums.ts';
import { collectedSql } from '../../../engine/collected-payments.ts';
import { isOwed } from '../../../engine/owed-invoices.ts';
import type { Page } from '../../../graphql/reading/connections.ts';
import { type ListArguments, single, withMembers } from '../../../graphql/reading/list-rows.ts';
import { readList } from '../../../graphql/reading/lists.ts';
import { loadRow } from '../../../graphql/reading/loaders.ts';
import type { Query } from '../../../platform/db/pool.ts';
import { type Row, readOne } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { customerIdsByEmail, findCustomer } from '../../customers/customers/store.ts';
import { transactionList } from './list.ts';

export type TransactionRow = Row<'Transaction'>;

/** Returns the payment attempt with this ID. Throws `transaction_not_found`. */
export async function requireTransaction(ctx: Context, id: string): Promise<TransactionRow> {
  const transaction = await loadRow(ctx, 'Transaction', id);
  if (transaction === null) throw new QuittanceError('transaction_not_found', { param: 'id' });
  return transaction;
}

/** Functions that load the payment attempt before an operation and reload the attempt for the response. */
export const onTransaction = {
  find: (ctx: Context, { id }: { readonly id: string }): Promise<TransactionRow> =>
    requireTransaction(ctx, id),
  result: (ctx: Context, { subject }: { readonly subject: TransactionRow }): Promise<TransactionRow> => {
    // The operation changed the attempt, so the cached attempt is outdated.
    ctx.forget();
    return requireTransaction(ctx, subject.id);
  },
};

/** Filter for payment attempts. Absent fields match every attempt. */
type TransactionFilter = {
  readonly status?: TransactionStatus | null | undefined;
  readonly customerId?: string | null | undefined;
  readonly customerEmail?: string | null | undefined;
};

/**
 * Returns a page of payment attempts, newest first by default. Runs one SQL statement, plus another statement each to look
 * up a customer and an email address.
 */
export async function listTransactions(
  ctx: Context,
  args: ListArguments & TransactionFilter,
  info: GraphQLResolveInfo,
): Promise<Page<TransactionRow>> {
  const { status, customerId, customerEmail } = args;
  const named = customerId
    ? [(await findCustomer(ctx, customerId))?.id].filter((id) => id !== undefined)
    : null;
  const addressed = customerEmail ? await customerIdsByEmail(ctx.sql, customerEmail) : null;
  const customerIds = named === null ? addressed : named.filter((id) => addressed?.includes(id) !== false);
  const members = { statuses: single(status), customerIds: customerIds ?? undefined };
  return readList(ctx, transactionList, withMembers(args, members), { info });
}

/** Payment totals of a customer in one currency, in minor units. */
export type CustomerTotalRow = {
  readonly customerId: string;
  readonly currency: string;
  readonly collected: bigint;
  readonly refunded: bigint;
  readonly open: bigint;
};

/** Returns payment totals per customer, sorted by currency code. Runs one SQL statement. */
export const readCustomerTotals = (sql: Query, customerIds: readonly string[]): Promise<CustomerTotalRow[]> =>
  sql<CustomerTotalRow>(
    `SELECT "customerId", currency, sum(collected)::bigint AS collected, sum(refunded)::bigint AS refunded, sum(open)::bigint AS open FROM (
       SELECT t."customerId", t.currency, t."amountMinor" AS collected, t."refundedMinor" AS refunded, 0::bigint AS open
       FROM "Transaction" t WHERE t."environmentId" = $1 AND t."customerId" = ANY($2) AND ${collectedSql('t')}
       UNION ALL
       SELECT i."customerId", i.currency, 0, 0, i.total - i."creditedAmount" - i."paidInParts"
       FROM "Invoice" i WHERE i."environmentId" = $1 AND i."customerId" = ANY($2) AND ${isOwed('i')} AND i.total > 0) amounts
     GROUP BY 1, 2 ORDER BY 1, 2`,
    [customerIds],
  );

/** Returns the current state of a transaction. `null` if it doesn't exist. */
export const findTransaction = (ctx: Context, id: string): Promise<TransactionRow | null> =>
  readOne(ctx.sql, 'Transaction', { id });

/** Returns the refunds with these IDs. Unknown IDs are ignored. */
export const findRefunds = (ctx: Context, ids: readonly string[]): Promise<Row<'Refund'>[]> =>
  ctx.db.refund.findMany({ where: { id: { in: [...ids] } } });

/** Returns a refund that was just stored. */
export async function requireRefund(ctx: Context, refundId: string): Promise<Row<'Refund'>> {
  // The refund changed the attempt, so the cached attempt is outdated.
  ctx.forget();
  const [refund] = await findRefunds(ctx, [refundId]);
  if (refund === undefined) throw specificError('internal_error', 'refund_lost', { values: { refundId } });
  return refund;
}
