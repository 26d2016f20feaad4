import { unavailableProviders } from '../../../domain/rows/enums.ts';
import type { ListState } from '../../kit/list/list-address.ts';
import { amountRange, chosen, dateRange, filterBy, searchOf, sortOf } from '../../lists/range.ts';
import type { PaymentsQueryVariables } from './links.graphql';
import type { TransactionsQueryVariables } from './page.graphql';
import type { RefundsQueryVariables } from './refunds.graphql';

// Query variables for the lists of payments, payment links and refunds.

type Filter = NonNullable<TransactionsQueryVariables['filter']>;

const viewFilters: Readonly<Record<string, Filter>> = {
  all: {},
  succeeded: { statuses: ['succeeded'] },
  failed: { statuses: ['failed'] },
  refunded: { statuses: ['refunded'] },
  disputed: { isDisputed: true },
  pending: { statuses: ['pending'] },
};

export const statuses = ['succeeded', 'failed', 'pending', 'refunded', 'disputed'] as const;
export const providers = (['platform', 'stripe', 'dlocal'] as const).filter(
  (provider) => !unavailableProviders.has(provider),
);
export const linkStatuses = [
  'pending',
  'requires_action',
  'processing',
  'succeeded',
  'failed',
  'canceled',
] as const;
export const kinds = ['link', 'charge'] as const;
export const refundStatuses = ['succeeded', 'pending', 'requires_action', 'failed', 'canceled'] as const;
export const refundReasons = ['requested_by_customer', 'duplicate', 'fraudulent'] as const;

const sortKeys = { time: 'created_at', amount: 'amount' } as const;
const transactionSortKeys = { ...sortKeys, status: 'status' } as const;

/** Returns the payment list's query variables for a view, search, filters and sort order. */
export function transactionVariables(
  view: string,
  state: ListState,
  now: Date,
): Pick<TransactionsQueryVariables, 'filter' | 'search' | 'sort'> {
  const [status, provider, created, amount] = ['status', 'provider', 'time', 'amount'].map((field) =>
    filterBy(state, field),
  );
  const filter: Filter = {
    ...viewFilters[view],
    ...(status && { statuses: chosen(status, statuses) }),
    ...(provider && { providers: chosen(provider, providers) }),
    ...(created && { createdAt: dateRange(created, now) }),
    ...(amount && { amount: amountRange(amount) }),
  };
  const sort = sortOf(state, transactionSortKeys);
  const search = searchOf(state);
  return { filter, ...(sort && { sort }), ...(search !== undefined && { search }) };
}

/** Returns the query variables for the list of payment links and one-time payments. */
export function paymentVariables(
  _view: string,
  state: ListState,
  now: Date,
): Pick<PaymentsQueryVariables, 'filter' | 'search' | 'sort'> {
  const [status, kind, created, amount] = ['status', 'kind', 'time', 'amount'].map((field) =>
    filterBy(state, field),
  );
  const filter: NonNullable<PaymentsQueryVariables['filter']> = {
    ...(status && { statuses: chosen(status, linkStatuses) }),
    ...(kind && { kinds: chosen(kind, kinds) }),
    ...(created && { createdAt: dateRange(created, now) }),
    ...(amount && { amount: amountRange(amount) }),
  };
  const sort = sortOf(state, sortKeys);
  const search = searchOf(state);
  return { filter, ...(sort && { sort }), ...(search !== undefined && { search }) };
}

/** Returns the query variables for the refund list. */
export function refundVariables(
  _view: string,
  state: ListState,
  now: Date,
): Pick<RefundsQueryVariables, 'filter' | 'search'> {
  const [status, reason, created] = ['status', 'reason', 'time'].map((field) => filterBy(state, field));
  const filter: NonNullable<RefundsQueryVariables['filter']> = {
    ...(status && { statuses: chosen(status, refundStatuses) }),
    ...(reason && { reasons: chosen(reason, refundReasons) }),
    ...(created && { createdAt: dateRange(created, now) }),
  };
  const search = searchOf(state);
  return { filter, ...(search !== undefined && { search }) };
}
