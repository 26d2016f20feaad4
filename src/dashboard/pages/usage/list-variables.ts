import type { ListState } from '../../kit/list/list-address.ts';
import { chosen, chosenOf, dateRange, filterBy, searchOf } from '../../lists/range.ts';
import type { UsageEventsQueryVariables, UsageStreamSubscriptionVariables } from './page.graphql';

// Query variables for the usage event list and its live stream.

export const outcomes = ['metered', 'deducted', 'exhausted'] as const;

/** Pattern of a typed property and its value: `name=value`. */
export const propertyPattern = /^\s*[^=\s][^=]*=.*\S/s;

function propertyOf(text: string): { readonly name: string; readonly value: string } {
  const at = text.indexOf('=');
  return { name: text.slice(0, at).trim(), value: text.slice(at + 1).trim() };
}

/** Returns the filters that the list and the live stream share. */
export function usageDetails(
  state: ListState,
  featureIds: readonly string[],
): NonNullable<UsageStreamSubscriptionVariables['filter']> {
  const of = (field: string) => filterBy(state, field);
  const [feature, outcome, model, property] = ['feature', 'outcome', 'model', 'property'].map(of);
  return {
    ...(feature && { featureIds: chosenOf(feature, featureIds) }),
    ...(outcome && { outcomes: chosen(outcome, outcomes) }),
    ...(model && { models: model.values }),
    ...(property && { property: propertyOf(property.values[0] ?? '') }),
  };
}

/** Returns the query variables for the list. */
export function usageVariables(
  state: ListState,
  featureIds: readonly string[],
  now: Date,
): Pick<UsageEventsQueryVariables, 'filter' | 'search'> {
  const time = filterBy(state, 'time');
  const search = searchOf(state);
  return {
    filter: { ...usageDetails(state, featureIds), ...(time && { ts: dateRange(time, now) }) },
    ...(search !== undefined && { search }),
  };
}
