import type { ListState } from '../../kit/list/list-address.ts';
import { chosen, chosenOf, dateRange, filterBy, searchOf, sortOf } from '../../lists/range.ts';
import { subscriptionStatuses } from '../../parts/billing/subscription-statuses.ts';
import type { SubscriptionsQueryVariables } from './list.graphql';

// Query variables for the subscription list.

type Filter = NonNullable<SubscriptionsQueryVariables['filter']>;
type Variables = Pick<SubscriptionsQueryVariables, 'filter' | 'sort' | 'search'>;

export const intervals = ['weekly', 'monthly', 'quarterly', 'yearly', 'one_time'] as const;

/** Returns the time range from a time to the end of its month, in UTC. */
function monthOf(now: Date) {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return { from: now.toISOString(), to: new Date(Date.UTC(year, month + 1)).toISOString() };
}

const viewFilters = (now: Date): Readonly<Record<string, Filter>> => ({
  active: { statuses: ['active'] },
  trialing: { statuses: ['trialing'] },
  pastDue: { statuses: ['past_due'] },
  pending: { statuses: ['draft', 'pending_payment'] },
  canceling: { cancelAtPeriodEnd: true, statuses: ['trialing', 'active', 'past_due'] },
  renewing: { statuses: ['active'], currentPeriodEnd: monthOf(now), cancelAtPeriodEnd: false },
  canceled: { statuses: ['canceled'] },
});

/** Sort keys of the API, by column. */
const sortKeys = {
  plan: 'plan',
  status: 'status',
  mrr: 'mrr',
  periodEnd: 'current_period_end',
  created: 'created_at',
} as const;

/** Available options, for filters that exclude values. */
export type Choices = Readonly<Record<'plans' | 'currencies', readonly string[]>>;

/**
 * Returns the query variables for a view, search, filters and sort order. Ignores search text with fewer than 2
 * characters.
 */
export function listVariables(view: string, state: ListState, choices: Choices, now: Date): Variables {
  const of = (field: string) => filterBy(state, field);
  const [status, plan, interval, currency] = ['status', 'plan', 'interval', 'currency'].map(of);
  const [price, market, offer] = ['price', 'market', 'offer'].map(of);
  const [renews, created] = ['renews', 'created'].map(of);
  const filter: Filter = {
    ...viewFilters(now)[view],
    ...(status && { statuses: chosen(status, subscriptionStatuses) }),
    ...(plan && { planIds: chosenOf(plan, choices.plans) }),
    ...(price && { priceIds: price.values }),
    ...(market && { marketIds: market.values }),
    ...(offer && { offerIds: offer.values }),
    ...(interval && { billingIntervals: chosen(interval, intervals) }),
    ...(currency && { currencies: chosenOf(currency, choices.currencies) }),
    ...(renews && { currentPeriodEnd: dateRange(renews, now) }),
    ...(created && { createdAt: dateRange(created, now) }),
  };
  const [sort, search] = [sortOf(state, sortKeys), searchOf(state)];
  return { filter, ...(sort && { sort }), ...(search !== undefined && { search }) };
}
