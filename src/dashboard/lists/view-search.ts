import type { Search } from '../address.ts';

/** Names in the address of a list that are no part of a view: the place, what is open over the list, and the view itself. */
const passing: readonly string[] = ['at', 'open', 'saved'];

/** What a view keeps of the address of a list. */
export type ViewSearch = Readonly<Record<string, string>>;

/** The part of an address that a view keeps. */
export const viewSearchOf = (search: Search): ViewSearch =>
  Object.fromEntries(
    Object.entries(search).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !passing.includes(entry[0]),
    ),
  );

/** The address a view kept; nothing where its settings are of another shape. */
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

/** Whether two views show the same, whatever the order of their names. */
export function isSameView(one: ViewSearch, other: ViewSearch): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}
