import type { ListState } from '../../kit/list/list-address.ts';
import { chosen, dateRange, filterBy, searchOf, sortOf } from '../../lists/range.ts';
import { subscriptionStatuses } from '../../parts/billing/subscription-statuses.ts';
import type { CustomersQueryVariables } from './list.graphql';

// Query variables for the customer list.

type Filter = NonNullable<CustomersQueryVariables['filter']>;
type Variables = Pick<CustomersQueryVariables, 'filter' | 'sort' | 'search'>;

const viewFilters: Readonly<Record<string, Filter>> = {
  paying: { subscriptionStatuses: ['active', 'past_due'] },
  trialing: { subscriptionStatuses: ['trialing'] },
  pastDue: { subscriptionStatuses: ['past_due'] },
  canceled: { subscriptionStatuses: ['canceled'] },
  none: { hasSubscription: false },
  overdue: { isOverdue: true },
};

/** Sort keys of the API, by column. */
const sortKeys = {
  name: 'name',
  email: 'email',
  status: 'status',
  plan: 'plan',
  mrr: 'mrr',
  open: 'outstanding',
  paid: 'total_paid',
  country: 'country',
  created: 'created_at',
} as const;

/**
 * Returns the query variables for a view, search, filters and sort order. Ignores search text with fewer than 2
 * characters.
 */
export function listVariables(view: string, state: ListState, now: Date): Variables {
  const of = (field: string) => filterBy(state, field);
  const [status, plan, country, created] = ['status', 'plan', 'country', 'created'].map(of);
  const filter: Filter = {
    ...viewFilters[view],
    ...(status && { subscriptionStatuses: chosen(status, subscriptionStatuses) }),
    ...(plan && { planIds: plan.values }),
    ...(country && { countries: country.values }),
    ...(created && { createdAt: dateRange(created, now) }),
  };
  const [sort, search] = [sortOf(state, sortKeys), searchOf(state)];
  return { filter, ...(sort && { sort }), ...(search !== undefined && { search }) };
}
