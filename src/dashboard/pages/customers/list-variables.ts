import type { ListState } from '../../kit/list/list-address.ts';
import { chosen, dateRange, filterBy, searchOf, sortOf } from '../../lists/range.ts';
import { subscriptionStatuses } from '../../parts/billing/subscription-statuses.ts';
import type { CustomersQueryVariables } from './list.graphql';

// What the list of customers asks the service for, by its view, search, filters and sorting.

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

/** The columns the service sorts by. */
export const sortKeys = { name: 'name', email: 'email', created: 'created_at' } as const;

/** The variables of the list. A search of fewer than three characters does not count yet. */
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
