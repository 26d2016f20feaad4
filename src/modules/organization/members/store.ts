import type { Metadata } from '../../../domain/text/json.ts';
import type { Prisma } from '../../../generated/prisma/client.ts';
import { batchedByColumns } from '../../../graphql/reading/loaders.ts';
import type { Query } from '../../../platform/db/pool.ts';
import type { Context } from '../../../request/context.ts';

export type MemberRow = Prisma.MemberGetPayload<{ include: { user: true } }>;
export type InvitationRow = Prisma.MemberInvitationGetPayload<object>;
export type MembershipRow = Prisma.MemberGetPayload<{ include: { organization: true } }>;

/** Maximum number of members and invitations per organization. Low enough for lists without pagination. */
export const maxMembers = 500;

/** Lists the members of the caller's organization in the order they joined. */
export const listMembers = ({ app, environment }: Context): Promise<MemberRow[]> =>
  app.database.prisma.member.findMany({
    where: { organizationId: environment.organizationId },
    include: { user: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: maxMembers,
  });

/** Lists pending invitations to the caller's organization, including expired invitations, oldest first. */
export const listInvitations = ({ app, environment }: Context): Promise<InvitationRow[]> =>
  app.database.prisma.memberInvitation.findMany({
    where: { organizationId: environment.organizationId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: maxMembers,
  });

/** Lists the memberships of the signed-in user, oldest first. */
export const listMemberships = ({ app, caller }: Context): Promise<MembershipRow[]> =>
  app.database.prisma.member.findMany({
    where: { userId: personOf(caller).id },
    include: { organization: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: maxMembers,
  });

/** Returns a function that finds a row by ID. */
const byId = <T extends { readonly id: string }>(rows: readonly T[]): ((id: string) => T | null) => {
  const known = new Map(rows.map((row) => [row.id, row]));
  return (id) => known.get(id) ?? null;
};

/** Returns a member of the caller's organization by ID. `null` if the member isn't found. Lookups are batched. */
export function loadMember(ctx: Context, id: string): Promise<MemberRow | null> {
  const { app, environment, transaction } = ctx;
  const load = ctx.once('member', () =>
    batchedByColumns(async (ids) => {
      const where = { id: { in: [...ids] }, organizationId: environment.organizationId };
      const { prisma } = transaction ?? app.database;
      return byId(await prisma.member.findMany({ where, include: { user: true } }));
    }),
  );
  return load(id, 'all');
}

/**
 * Returns a pending invitation to the caller's organization by ID. `null` if the invitation isn't found. Lookups are
 * batched.
 */
export function loadInvitation(ctx: Context, id: string): Promise<InvitationRow | null> {
  const { app, environment } = ctx;
  const load = ctx.once('member-invitation', () =>
    batchedByColumns(async (ids) => {
      const where = { id: { in: [...ids] }, organizationId: environment.organizationId };
      return byId(await app.database.prisma.memberInvitation.findMany({ where }));
    }),
  );
  return load(id, 'all');
}

/** Returns the dashboard preferences of the signed-in user. */
export async function readPreferences({ app, caller }: Context): Promise<Metadata> {
  const { id } = personOf(caller);
  const person = await app.database.prisma.person.findUnique({
    where: { id },
    select: { preferences: true },
  });
  return person?.preferences ?? {};
}

/** Returns the signed-in user if the ID matches, otherwise `null`. */
export async function loadViewer({ caller }: Context, id: string) {
  const person = personOf(caller);
  return person.id === id ? person : null;
}

/** Returns the signed-in user. Throws for other callers, which the access rules already reject. */
export function personOf(caller: Context['caller']) {
  if (caller.kind !== 'person' && caller.kind !== 'member') throw new Error("The caller isn't a person.");
  return caller.person;
}

/** Locks a user's row until the transaction ends. */
export async function lockPerson(query: Query, id: string): Promise<void> {
  await query('SELECT 1 FROM "Person" WHERE id = $1 FOR UPDATE', [id]);
}
