import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.ts';
import type { TransactionStatus } from '../../domain/enums.ts';
import { QuittanceError } from '../../domain/errors.ts';
import type { Page } from '../../graphql/connections.ts';
import { type ListArguments, readList, single, withMembers } from '../../graphql/lists.ts';
import { loadRow } from '../../graphql/loaders.ts';
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

/** A page of attempts, newest first unless they are sorted otherwise. One statement, and one more where the e-mail address has to be looked up. */
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
