import { type ReactNode, useEffect, useState } from 'react';
import { useClient } from 'urql';
import type { ApiError } from '../../data/api-error.ts';
import { chooseOrganization, organization } from '../../data/place.ts';
import { useStore } from '../../data/store.ts';
import { readViewer, viewer } from '../../data/viewer.ts';
import { lazyPart } from '../../kit/lazy-part.tsx';
import { PageFailed } from '../page-failed.tsx';
import { EntryPage } from './entry-page.tsx';

const OrganizationChoice = lazyPart(() =>
  import('./organization-choice.tsx').then((module) => module.default),
);

/** Renders its children for members of the selected organization. Members of several organizations select one first. */
export function Organizations({ children }: { readonly children: ReactNode }) {
  const client = useClient();
  const data = useStore(viewer);
  const [error, setError] = useState<ApiError | null>(null);
  const read = () => void readViewer(client).then(setError);
  const chosen = useStore(organization);
  const memberships = data?.memberships ?? [];
  const isMember = memberships.some(({ organizationId }) => organizationId === chosen);
  const [first] = memberships;
  const only = memberships.length === 1 && first !== undefined ? first.organizationId : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: It is read once; the client stays the same.
  useEffect(() => {
    if (viewer.get() === null) read();
  }, []);
  useEffect(() => {
    if (data === null || isMember) return;
    if (chosen !== null || only !== null) chooseOrganization(only);
  }, [data, isMember, chosen, only]);
  if (isMember) return children;
  if (data === null && error === null) return null;
  if (data === null)
    return (
      <EntryPage>
        <PageFailed />
      </EntryPage>
    );
  if (isMember || only !== null) return null;
  return <OrganizationChoice memberships={memberships} onCreated={read} />;
}
