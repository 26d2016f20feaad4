import { useRouterState } from '@tanstack/react-router';
import type { PageName } from '../address.ts';

/** Returns the name of the current page. `null` if the URL doesn't belong to a page. */
export const usePageName = (): PageName | null =>
  useRouterState({
    select: ({ matches }) => {
      const data = matches.at(-1)?.staticData as { readonly name?: PageName } | undefined;
      return data?.name ?? null;
    },
  });
