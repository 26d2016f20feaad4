// How what was read for many customers is handed to each: grouped once, looked up per customer.
import type { Aggregate } from '../domain/subscription/state/aggregate.ts';

/** What of an aggregate tells which rows are its own. */
export type Owner = Pick<Aggregate, 'customer' | 'subscriptions' | 'invoices'>;

/** What an owner gets. */
export type Share<V> = (owner: Owner) => V;

/** The same for all customers. */
export const toAll =
  <V>(value: V): Share<V> =>
  () =>
    value;

/** The customer's own rows. */
export function toCustomer<R extends { readonly customerId: string }>(
  rows: readonly R[],
): Share<readonly R[]> {
  const groups = Map.groupBy(rows, ({ customerId }) => customerId);
  return ({ customer }) => groups.get(customer.id) ?? [];
}

/** The rows of the customer's subscriptions, by the column with the subscription's id. */
export const toSubscriptionBy =
  <K extends string>(column: K) =>
  <R extends { readonly [C in K]: string }>(rows: readonly R[]): Share<readonly R[]> => {
    const groups = Map.groupBy<string, R>(rows, (row) => row[column]);
    return ({ subscriptions }) => subscriptions.flatMap(({ id }) => groups.get(id) ?? []);
  };

/** The rows of the customer's subscriptions. */
export const toSubscription = toSubscriptionBy('subscriptionId');

/** The rows of the customer's invoices. */
export function toInvoice<R extends { readonly invoiceId: string }>(rows: readonly R[]): Share<readonly R[]> {
  const groups = Map.groupBy(rows, ({ invoiceId }) => invoiceId);
  return ({ invoices }) => invoices.flatMap(({ id }) => groups.get(id) ?? []);
}
