import { useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useAddressSearch } from '../address.ts';
import { useStore } from '../data/store.ts';
import { drawerTab } from './open-panels.ts';

/** Adds the open tab of the developer panel to the URL of each page. */
export function useDrawerAddress(): void {
  const [search, change] = useAddressSearch();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const tab = useStore(drawerTab) ?? undefined;
  const addressTab = search['drawer'];
  // biome-ignore lint/correctness/useExhaustiveDependencies: Each path has an address of its own.
  useEffect(() => {
    if (addressTab !== tab) change({ drawer: tab });
  }, [addressTab, tab, path, change]);
}
