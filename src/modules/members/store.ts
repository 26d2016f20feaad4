import type { Context } from '../../context.ts';
import type { Metadata } from '../../domain/json.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { batchedByColumns } from '../../graphql/loaders.ts';
import type { Query } from '../../platform/db/pool.ts';

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

/** Answers the row of an id among rows that were read together, or null. */
const byId = <T extends { readonly id: string }>(rows: readonly T[]): ((id: string) => T | null) => {
  const known = new Map(rows.map((row) => [row.id, row]));
  return (id) => known.get(id) ?? null;
};

/** The member of the caller's organization with this id, or null. Batched. */
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

/** The unanswered invitation to the caller's organization with this id, or null. Batched. */
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

/** What a dashboard keeps for the person who is signed in. */
export async function readPreferences({ app, caller }: Context): Promise<Metadata> {
  const { id } = personOf(caller);
  const person = await app.database.prisma.person.findUnique({
    where: { id },
    select: { preferences: true },
  });
  return person?.preferences ?? {};
}

/** The person who is signed in where the id is theirs, else null. */
export async function loadViewer({ caller }: Context, id: string) {
  const person = personOf(caller);
  return person.id === id ? person : null;
}

/** The person among the facts of a caller. Throws for callers that are none, which `access` keeps out. */
export function personOf(caller: Context['caller']) {
  if (caller.kind !== 'person' && caller.kind !== 'member') throw new Error('The caller is no person.');
  return caller.person;
}

/** Locks a person's row until the transaction ends. */
export async function lockPerson(query: Query, id: string): Promise<void> {
  await query('SELECT 1 FROM "Person" WHERE id = $1 FOR UPDATE', [id]);
}
