import type { Context } from '../../context.ts';
import type { Prisma } from '../../generated/prisma/client.ts';

export type MemberRow = Prisma.MemberGetPayload<{ include: { user: true } }>;
export type InvitationRow = Prisma.MemberInvitationGetPayload<object>;
export type MembershipRow = Prisma.MemberGetPayload<{ include: { organization: true } }>;

/** An organization has no more people than this, invitations included; lists need no pages. */
export const maxMembers = 500;

/** The people of the caller's organization, the one who joined first foremost. */
export const listMembers = ({ app, environment }: Context): Promise<MemberRow[]> =>
  app.database.prisma.member.findMany({
    where: { organizationId: environment.organizationId },
    include: { user: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: maxMembers,
  });

/** Invitations of the caller's organization nobody has answered, expired ones included. */
export const listInvitations = ({ app, environment }: Context): Promise<InvitationRow[]> =>
  app.database.prisma.memberInvitation.findMany({
    where: { organizationId: environment.organizationId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: maxMembers,
  });

/** The organizations a signed-in person belongs to, the one joined first foremost. */
export const listMemberships = ({ app, caller }: Context): Promise<MembershipRow[]> =>
  app.database.prisma.member.findMany({
    where: { userId: personOf(caller).id },
    include: { organization: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: maxMembers,
  });

/** The person among the facts of a caller. Throws for callers that are none, which `access` keeps out. */
export function personOf(caller: Context['caller']) {
  if (caller.kind !== 'person' && caller.kind !== 'member') throw new Error('The caller is no person.');
  return caller.person;
}
