import type { ListState } from '../../kit/list/list-address.ts';
import { chosen, dateRange, filterBy } from '../../lists/range.ts';
import type { UsageEventsQueryVariables } from './page.graphql';

// What the list of usage events asks for, by its filters.

export const outcomes = ['metered', 'deducted', 'exhausted'] as const;

/** A property and its value as they are typed, `name=value`; undefined for other texts. */
function propertyOf(text: string): { readonly name: string; readonly value: string } | undefined {
  const at = text.indexOf('=');
  return at > 0 ? { name: text.slice(0, at).trim(), value: text.slice(at + 1).trim() } : undefined;
}

/** The variables of the list. A property without a value does not count yet. */
export function usageVariables(
  state: ListState,
  featureIds: readonly string[],
  now: Date,
): Pick<UsageEventsQueryVariables, 'filter'> {
  const of = (field: string) => filterBy(state, field);
  const [feature, outcome, model, time] = ['feature', 'outcome', 'model', 'time'].map(of);
  const property = propertyOf(of('property')?.values[0] ?? '');
  return {
    filter: {
      ...(feature && { featureIds: chosen(feature, featureIds) }),
      ...(outcome && { outcomes: chosen(outcome, outcomes) }),
      ...(model && { models: model.values }),
      ...(property && { property }),
      ...(time && { ts: dateRange(time, now) }),
    },
  };
}
