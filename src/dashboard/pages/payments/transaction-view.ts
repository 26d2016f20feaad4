import type { TransactionQuery } from './transaction.graphql';

/** A payment as its page reads it. */
export type TransactionView = Extract<
  NonNullable<TransactionQuery['node']>,
  { readonly grossAmount: number | null }
>;

/** The payment of an answer; null when the id names nothing, or something else. */
export const transactionOf = ({ node }: TransactionQuery): TransactionView | null =>
  node !== null && 'grossAmount' in node ? node : null;

/** What can still be refunded, minor units. */
export const refundableOf = ({
  status,
  grossAmount,
  refundedAmount,
}: Pick<TransactionView, 'status' | 'grossAmount' | 'refundedAmount'>): number =>
  status === 'succeeded' ? (grossAmount ?? 0) - refundedAmount : 0;
