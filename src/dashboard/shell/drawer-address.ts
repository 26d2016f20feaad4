import { useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useAddressSearch } from '../address.ts';
import { useStore } from '../data/store.ts';
import { drawerTab } from './open-panels.ts';

/** Keeps the open tab of the drawer in the address, on each page that is opened while it is there. */
export function useDrawerAddress(): void {
  const [search, change] = useAddressSearch();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const tab = useStore(drawerTab) ?? undefined;
  const said = search['drawer'];
  // biome-ignore lint/correctness/useExhaustiveDependencies: Each path has an address of its own.
  useEffect(() => {
    if (said !== tab) change({ drawer: tab });
  }, [said, tab, path, change]);
}
