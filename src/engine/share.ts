// Distributes rows that were loaded for many customers. Rows are grouped once and then looked up per
// customer.
import type { Aggregate } from '../domain/subscription/state/aggregate.ts';

/** Fields in an aggregate that determine which rows belong to it. */
export type Owner = Pick<Aggregate, 'customer' | 'subscriptions' | 'invoices'>;

/** Function that returns the value for one customer. */
export type Share<V> = (owner: Owner) => V;

/** Uses the same value for every customer. */
export const toAll =
  <V>(value: V): Share<V> =>
  () =>
    value;

/** Selects a customer's rows by customer ID. */
export function toCustomer<R extends { readonly customerId: string }>(
  rows: readonly R[],
): Share<readonly R[]> {
  const groups = Map.groupBy(rows, ({ customerId }) => customerId);
  return ({ customer }) => groups.get(customer.id) ?? [];
}

/** Selects a customer's rows, and the rows that belong to no customer. */
export function toPayer<R extends { readonly customerId: string | null }>(
  rows: readonly R[],
): Share<readonly R[]> {
  const groups = Map.groupBy<string | null, R>(rows, ({ customerId }) => customerId);
  return ({ customer }) => [...(groups.get(customer.id) ?? []), ...(groups.get(null) ?? [])];
}

/** Selects the rows of a customer's subscriptions by the given column. */
export const toSubscriptionBy =
  <K extends string>(column: K) =>
  <R extends { readonly [C in K]: string | null }>(rows: readonly R[]): Share<readonly R[]> => {
    const groups = Map.groupBy<string | null, R>(rows, (row) => row[column]);
    return ({ subscriptions }) => subscriptions.flatMap(({ id }) => groups.get(id) ?? []);
  };

/** Selects the rows of a customer's subscriptions by `subscriptionId`. */
export const toSubscription = toSubscriptionBy('subscriptionId');

/** Selects the rows of a customer's invoices by `invoiceId`. */
export function toInvoice<R extends { readonly invoiceId: string }>(rows: readonly R[]): Share<readonly R[]> {
  const groups = Map.groupBy(rows, ({ invoiceId }) => invoiceId);
  return ({ invoices }) => invoices.flatMap(({ id }) => groups.get(id) ?? []);
}
