import type { TransactionQuery } from './transaction.graphql';

/** Payment with the fields that the page loads. */
export type TransactionView = Extract<
  NonNullable<TransactionQuery['node']>,
  { readonly grossAmount: number | null }
>;

/** Returns the payment in a response. `null` if the ID doesn't exist or belongs to an object of another type. */
export const transactionOf = ({ node }: TransactionQuery): TransactionView | null =>
  node !== null && 'grossAmount' in node ? node : null;

/** Returns the amount that can still be refunded, in minor units of the charge's currency. */
export const refundableOf = (
  transaction: Pick<TransactionView, 'status' | 'amount' | 'refundedAmount'>,
): number => (transaction.status === 'succeeded' ? transaction.amount - transaction.refundedAmount : 0);
