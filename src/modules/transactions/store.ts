import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.ts';
import type { TransactionStatus } from '../../domain/enums.ts';
import { QuittanceError } from '../../domain/errors.ts';
import type { Page } from '../../graphql/connections.ts';
import { newestFirst } from '../../graphql/cursors.ts';
import { loadRow } from '../../graphql/loaders.ts';
import { emptyPage, listRows, type PageArguments, readPage } from '../../graphql/pages.ts';
import { type Row, readBy } from '../../platform/db/rows.ts';

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

/** A page of attempts, newest first. One statement, and one more where the e-mail address has to be looked up. */
export async function listTransactions(
  ctx: Context,
  args: PageArguments & TransactionFilter,
  info: GraphQLResolveInfo,
): Promise<Page<TransactionRow>> {
  const { status, customerEmail } = args;
  const filter = { status: status ?? undefined };
  if (!customerEmail) return listRows(ctx, 'Transaction', args, { filter, info });
  const customers = await readBy(ctx.sql, 'Customer', 'email', [customerEmail], { columns: new Set(['id']) });
  const among = { column: 'customerId', values: customers.map(({ id }) => id) };
  const list = { model: 'Transaction', filter, among, order: newestFirst } as const;
  return customers.length === 0 ? emptyPage() : readPage(ctx, list, args, { info });
}
