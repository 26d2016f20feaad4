import { useRouterState } from '@tanstack/react-router';
import type { PageName } from '../address.ts';

/** The name of the page on screen; null where there is none. */
export const usePageName = (): PageName | null =>
  useRouterState({
    select: ({ matches }) => {
      const data = matches.at(-1)?.staticData as { readonly name?: PageName } | undefined;
      return data?.name ?? null;
    },
  });
