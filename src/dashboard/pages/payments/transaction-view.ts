import type { TransactionQuery } from './transaction.graphql';

/** A payment as its page reads it. */
export type TransactionView = Extract<
  NonNullable<TransactionQuery['node']>,
  { readonly grossAmount: number | null }
>;

/** The payment of an answer; null when the id names nothing, or something else. */
export const transactionOf = ({ node }: TransactionQuery): TransactionView | null =>
  node !== null && 'grossAmount' in node ? node : null;

/** What can still be refunded, minor units of the charge's currency. */
export const refundableOf = (
  transaction: Pick<TransactionView, 'status' | 'amount' | 'refundedAmount'>,
): number => (transaction.status === 'succeeded' ? transaction.amount - transaction.refundedAmount : 0);
