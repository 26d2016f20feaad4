import type { Client } from '@urql/core';
import { hasRole, type Role as RankedRole } from '../../domain/limits/member-roles.ts';
import type { ResultOf } from '../../ui/documents.ts';
import { type ApiError, apiErrorOf, noAnswer } from './api-error.ts';
import { organization } from './place.ts';
import { ViewerDocument } from './session.graphql';
import { createStore, useStore } from './store.ts';
import { remember } from './texts.ts';
import type { RequestOptions } from './transport.ts';

type Answer = ResultOf<typeof ViewerDocument>;

export type Membership = Answer['memberships'][number];
export type Role = Membership['role'];

/** Signed-in user and their memberships. `null` until loaded. */
export const viewer = createStore<Answer | null>(null);

/** Loads the signed-in user into `viewer`. Returns the error, or `null` on success. */
export async function readViewer(client: Client, request: RequestOptions = {}): Promise<ApiError | null> {
  const { data, error } = await client
    .query<Answer>(remember(ViewerDocument) as string, {}, {
      requestPolicy: 'network-only',
      request: { ...request, isPersonal: true },
    } as never)
    .toPromise();
  if (data === undefined) return apiErrorOf(error) ?? noAnswer();
  viewer.set(data);
  return null;
}

/** Updates the name of an organization in the user's memberships, so that the frame shows the new name. */
export function renameOrganization({ id, name }: { readonly id: string; readonly name: string }): void {
  const answer = viewer.get();
  if (answer === null) return;
  const memberships = answer.memberships.map((each) =>
    each.organizationId === id ? { ...each, organizationName: name } : each,
  );
  viewer.set({ ...answer, memberships });
}

/** Returns the signed-in user and their membership in the current organization. Throws if no user is signed in. */
export function useViewer(): Answer['viewer'] & {
  readonly membership: Membership;
  readonly memberships: readonly Membership[];
} {
  const answer = useStore(viewer);
  const chosen = useStore(organization);
  const membership = answer?.memberships.find(({ organizationId }) => organizationId === chosen);
  if (answer === null || membership === undefined) throw new Error('Nobody has signed in yet.');
  return { ...answer.viewer, membership, memberships: answer.memberships };
}

/** True if the signed-in user has the given role or a higher one. */
export const useHasRole = (role: RankedRole): boolean => hasRole(useViewer().membership.role, role);

/** True if a membership allows a mutation. `least` is the role that the mutation requires. */
export const isAllowed = (
  { role, mutations }: Pick<Membership, 'role' | 'mutations'>,
  mutation: string,
  least: RankedRole = 'member',
): boolean => mutations?.includes(mutation) ?? hasRole(role, least);

/** True if the signed-in user's role allows a mutation. */
export const useIsAllowed = (mutation: string, least?: RankedRole): boolean =>
  isAllowed(useViewer().membership, mutation, least);
