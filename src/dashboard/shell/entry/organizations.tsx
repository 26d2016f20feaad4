import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { useData } from '../../data/hooks.ts';
import { chooseOrganization, organization } from '../../data/place.ts';
import { ViewerDocument } from '../../data/session.graphql';
import { useStore } from '../../data/store.ts';
import { viewer } from '../../data/viewer.ts';
import { PageFailed } from '../page-failed.tsx';
import { EntryPage } from './entry-page.tsx';

const OrganizationChoice = lazy(() => import('./organization-choice.tsx'));

/** Shows its children to members of the organization that is chosen, and lets those of several choose. */
export function Organizations({ children }: { readonly children: ReactNode }) {
  const { data, error, refetch } = useData(ViewerDocument, {});
  const chosen = useStore(organization);
  const memberships = data?.memberships ?? [];
  const isMember = memberships.some(({ organizationId }) => organizationId === chosen);
  const [first] = memberships;
  const only = memberships.length === 1 && first !== undefined ? first.organizationId : null;
  const known = useStore(viewer);
  useEffect(() => {
    if (data !== null) viewer.set(data);
    if (data === null || isMember) return;
    if (chosen !== null || only !== null) chooseOrganization(only);
  }, [data, isMember, chosen, only]);
  if (isMember && known !== null) return children;
  if (data === null && error === null) return null;
  if (data === null)
    return (
      <EntryPage>
        <PageFailed />
      </EntryPage>
    );
  if (isMember || only !== null) return null;
  return (
    <Suspense>
      <OrganizationChoice memberships={memberships} onCreated={refetch} />
    </Suspense>
  );
}
