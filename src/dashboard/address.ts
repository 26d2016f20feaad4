import { useParams, useRouter, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { base, environment } from './data/place.ts';
import type { PageRoute } from './page-route.ts';
import { routes } from './routes.ts';

type Routes = typeof routes;

export type PageName = keyof Routes;

type Parameters<Path extends string> = Path extends `${string}$${infer Name}/${infer Rest}`
  ? Name | Parameters<Rest>
  : Path extends `${string}$${infer Name}`
    ? Name
    : never;

type ParametersOf<Name extends PageName> = Parameters<Routes[Name]['path']>;

export type PlainPageName = {
  readonly [Name in PageName]: [ParametersOf<Name>] extends [never] ? Name : never;
}[PageName];

/** Pages whose paths have no parameters, in the order of `routes.ts`. */
export const plainPages = (Object.entries(routes) as [PageName, PageRoute][]).filter(
  (entry): entry is [PlainPageName, PageRoute] => !entry[1].path.includes('$'),
);

type Needed<Name extends PageName> = [ParametersOf<Name>] extends [never]
  ? [parameters?: Readonly<Record<string, never>> | null, search?: Search]
  : [parameters: Readonly<Record<ParametersOf<Name>, string>>, search?: Search];

export type Search = Readonly<Record<string, string | undefined>>;

export const routeOf = (name: PageName): PageRoute => routes[name];

/** Returns the URL of a page in the current environment, for `href` of links: `addressOf('customer', { id })`. */
export function addressOf<Name extends PageName>(name: Name, ...[parameters, search]: Needed<Name>): string {
  const path = routeOf(name).path.replace(/\$(\w+)/g, (_all, key: string) =>
    encodeURIComponent((parameters as Record<string, string>)[key] ?? ''),
  );
  const given = Object.entries(search ?? {}).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const query = new URLSearchParams(given).toString();
  const place = `${base}/dashboard/${environment.get()}${path === '/' ? '' : path}`;
  return query === '' ? place : `${place}?${query}`;
}

/** Returns a path parameter of the current page, such as `id`. */
export const useParameter = (name: string): string =>
  (useParams({ strict: false }) as Record<string, string | undefined>)[name] ?? '';

/**
 * Returns the query parameters of the URL and a function that changes them. `undefined` removes a parameter. Replaces the current history entry
 * unless `isNew` is true.
 */
export function useAddressSearch(): [
  Search,
  (change: Search, options?: { readonly isNew?: boolean }) => void,
] {
  const search = useSearch({ strict: false }) as Search;
  const router = useRouter();
  const change = useCallback(
    (changed: Search, { isNew = false }: { readonly isNew?: boolean } = {}) => {
      void router.navigate({
        to: '.',
        search: ((before: Search) => ({ ...before, ...changed })) as never,
        replace: !isNew,
        resetScroll: false,
      });
    },
    [router],
  );
  return [search, change];
}
