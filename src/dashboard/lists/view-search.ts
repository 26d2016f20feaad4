import type { Search } from '../address.ts';

/** Query parameters that a view doesn't store: the first visible row, the open row, and the view itself. */
const passing: readonly string[] = ['at', 'open', 'saved'];

/** Query parameters that a view stores. */
export type ViewSearch = Readonly<Record<string, string>>;

export const viewSearchOf = (search: Search): ViewSearch =>
  Object.fromEntries(
    Object.entries(search).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !passing.includes(entry[0]),
    ),
  );

/** Returns the query parameters stored in a view. Empty if the stored settings have another format. */
export function searchOfSettings(settings: unknown): ViewSearch {
  if (typeof settings !== 'object' || settings === null || !('search' in settings)) return {};
  const { search } = settings;
  if (typeof search !== 'object' || search === null) return {};
  return viewSearchOf(
    Object.fromEntries(
      Object.entries(search).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    ),
  );
}

/** True if two views show the same list, regardless of the order of their parameters. */
export function isSameView(one: ViewSearch, other: ViewSearch): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}
