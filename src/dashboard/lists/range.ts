import { datesOf } from '../kit/list/filter-dates.ts';
import type { Filter } from '../kit/list/filters.ts';
import type { ListState } from '../kit/list/list-address.ts';

/** Converts a date filter to a time range for the API. `from` is inclusive, `until` is exclusive. */
export function dateRange(filter: Filter, now: Date): { readonly from?: string; readonly to?: string } {
  const { from, until } = datesOf(filter, now);
  return { ...(from !== undefined && { from }), ...(until !== undefined && { to: until }) };
}

/** Converts an amount filter to a range for the API. Both bounds are inclusive. */
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

/** Returns the selected values of a choice filter. If the comparison is `not`, returns the values that aren't selected. */
export const chosen = <Value extends string>(
  { comparison, values }: Filter,
  all: readonly Value[],
): Value[] => all.filter((value) => values.includes(value) === (comparison !== 'not'));

/** Like `chosen`, for a filter whose options are loaded from the service. */
export const chosenOf = ({ comparison, values }: Filter, loaded: readonly string[]): readonly string[] =>
  comparison === 'not' ? loaded.filter((value) => !values.includes(value)) : values;

/** Returns a field's filter. `undefined` if the field isn't filtered. */
export const filterBy = ({ filters }: ListState, field: string): Filter | undefined =>
  filters.find((filter) => filter.field === field);

/** Returns the search text. `undefined` if it has fewer than 2 characters. */
export const searchOf = ({ search }: ListState): string | undefined =>
  search.trim().length >= 2 ? search.trim() : undefined;

/** Returns the sort order for the API. `undefined` if the list has the default order. */
export function sortOf<Key extends string>(
  { sort }: ListState,
  keys: Readonly<Record<string, Key>>,
): { readonly by: Key; readonly direction: 'asc' | 'desc' } | undefined {
  const by = sort === null ? undefined : keys[sort.column];
  return by === undefined ? undefined : { by, direction: sort?.direction === 'descending' ? 'desc' : 'asc' };
}
