import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import type { TransactionStatus } from '../../domain/words.ts';
import { loadRow } from '../../graphql/loaders.ts';
import { type Page, type PageArguments, pageOf, pageRequest } from '../../graphql/pagination.ts';
import type { Row } from '../../infra/rows.ts';
import { readTransactions } from '../../infra/transaction-rows.ts';

export type TransactionRow = Row<'Transaction'>;

/** The attempt with this id. Throws `transaction_not_found`. */
export async function requireTransaction(context: Context, id: string): Promise<TransactionRow> {
  const transaction = await loadRow(context, 'Transaction', id);
  if (transaction === null) throw new QuittanceError('transaction_not_found', 'No such transaction.', { param: 'id' });
  return transaction;
}

/** Which attempts to list: absent filters let all through. */
type TransactionFilter = {
  readonly status?: TransactionStatus | null | undefined;
  readonly customerEmail?: string | null | undefined;
};

/** A page of attempts, newest first. One statement. */
export async function listTransactions(context: Context, args: PageArguments & TransactionFilter): Promise<Page<TransactionRow>> {
  const { size, after } = pageRequest(args);
  const { status = null, customerEmail = null } = args;
  return pageOf(await readTransactions(context.sql, { status, customerEmail, after, limit: size + 1 }), size);
}
