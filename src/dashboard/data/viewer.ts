import type { Client } from '@urql/core';
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

/** Who has signed in, and where they belong; null until that is known. */
export const viewer = createStore<Answer | null>(null);

/** Reads who has signed in, and keeps it in `viewer`. Answers what went wrong, if anything. */
export async function readViewer(client: Client, request: RequestOptions = {}): Promise<ApiError | null> {
  const { data, error } = await client
    .query<Answer>(remember(ViewerDocument) as string, {}, {
      requestPolicy: 'network-only',
      request,
    } as never)
    .toPromise();
  if (data === undefined) return apiErrorOf(error) ?? noAnswer();
  viewer.set(data);
  return null;
}

/** Who has signed in, with the membership of the organization on screen. Only parts within the frame may ask. */
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

const ranks: Readonly<Record<Role, number>> = { member: 0, admin: 1, owner: 2 };

/** Whether the person who has signed in has a role, or one above it. */
export const useHasRole = (role: Role): boolean => ranks[useViewer().membership.role] >= ranks[role];
