import { datesOf } from '../kit/list/filter-dates.ts';
import type { Filter } from '../kit/list/filters.ts';
import type { ListState } from '../kit/list/list-address.ts';

/** A date filter as the API takes it: from an instant on, until before another. */
export function dateRange(filter: Filter, now: Date): { readonly from?: string; readonly to?: string } {
  const { from, until } = datesOf(filter, now);
  return { ...(from !== undefined && { from }), ...(until !== undefined && { to: until }) };
}

/** An amount filter as the API takes it, both bounds included. */
export function amountRange({ comparison, values }: Filter): {
  readonly min?: number;
  readonly max?: number;
} {
  const [first = 0, second = first] = values.map(Number);
  switch (comparison) {
    case 'above':
      return { min: first };
    case 'below':
      return { max: first };
    case 'between':
      return { min: Math.min(first, second), max: Math.max(first, second) };
    default:
      return { min: first, max: first };
  }
}

/** The values of a choice; those that were not chosen where it says `not`. */
export const chosen = <Value extends string>(
  { comparison, values }: Filter,
  all: readonly Value[],
): Value[] => all.filter((value) => values.includes(value) === (comparison !== 'not'));

/** The values of a choice whose options the service lists; those that were not chosen where it says `not`. */
export const chosenOf = ({ comparison, values }: Filter, loaded: readonly string[]): readonly string[] =>
  comparison === 'not' ? loaded.filter((value) => !values.includes(value)) : values;

/** The filter by a field, if there is one. */
export const filterBy = ({ filters }: ListState, field: string): Filter | undefined =>
  filters.find((filter) => filter.field === field);

/** What is searched for; a text of fewer than three characters finds nothing yet. */
export const searchOf = ({ search }: ListState): string | undefined =>
  search.trim().length >= 3 ? search.trim() : undefined;

/** The sorting as the API takes it; undefined for the usual one. */
export function sortOf<Key extends string>(
  { sort }: ListState,
  keys: Readonly<Record<string, Key>>,
): { readonly by: Key; readonly direction: 'asc' | 'desc' } | undefined {
  const by = sort === null ? undefined : keys[sort.column];
  return by === undefined ? undefined : { by, direction: sort?.direction === 'descending' ? 'desc' : 'asc' };
}
