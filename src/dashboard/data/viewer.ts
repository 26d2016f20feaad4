import type { ResultOf } from '../../ui/documents.ts';
import { organization } from './place.ts';
import type { ViewerDocument } from './session.graphql';
import { createStore, useStore } from './store.ts';

type Answer = ResultOf<typeof ViewerDocument>;

export type Membership = Answer['memberships'][number];
export type Role = Membership['role'];

/** Who has signed in, and where they belong; null until that is known. */
export const viewer = createStore<Answer | null>(null);

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
