import type { Context, Role } from '../../context.ts';
import { type QuittanceError, specificError } from '../../domain/errors.ts';
import type { Transaction } from '../../platform/db/pool.ts';
import { newId, newSecret } from '../../platform/ids.ts';
import { hashSecret } from '../../platform/secrets.ts';
import { lockOrganizationRow } from '../organizations/store.ts';
import { type InvitationRow, type MembershipRow, maxMembers, personOf } from './store.ts';

/** How long an invitation can be answered. */
const validMs = 7 * 86_400_000;

export type InviteInput = { readonly email: string; readonly role: 'admin' | 'member' };

/** What the holder of an invitation's link may know. */
export type InvitationDetails = {
  readonly organizationName: string;
  readonly email: string;
  readonly role: Role;
};

const otherAddress = (email: string): QuittanceError =>
  specificError('forbidden', 'other_invitee', {
    values: { email },
    param: 'token',
    details: { reason: 'other_address' },
  });

/** Rejects someone who belongs already, a second pending invitation for one address, and more people than an organization may have. */
async function assertCanBeInvited(
  { prisma }: Transaction,
  organizationId: string,
  email: string,
  now: Date,
): Promise<void> {
  if ((await prisma.member.count({ where: { organizationId, user: { email } } })) > 0)
    throw specificError('duplicate', 'member', { param: 'email' });
  await prisma.memberInvitation.deleteMany({ where: { organizationId, email, expiresAt: { lte: now } } });
  if ((await prisma.memberInvitation.count({ where: { organizationId, email } })) > 0)
    throw specificError('duplicate', 'invitation', { param: 'email' });
  const people =
    (await prisma.member.count({ where: { organizationId } })) +
    (await prisma.memberInvitation.count({ where: { organizationId } }));
  if (people >= maxMembers)
    throw specificError('validation_error', 'too_many_members', { values: { maxMembers }, param: 'email' });
}

/**
 * Invites an address into the caller's organization and writes to it; the email's link can be used for seven days of operational time. One
 * invitation per address waits at a time: `duplicate`, as for someone who belongs already. When the email cannot be handed over, the
 * invitation is taken back and the failure thrown.
 */
export async function inviteMember(
  { app, environment }: Context,
  input: InviteInput,
): Promise<InvitationRow> {
  const { organizationId, organizationName } = environment;
  const email = input.email.toLowerCase();
  const token = newSecret('');
  const now = app.wall.now();
  const invitation = await app.database.transaction(async (transaction) => {
    await lockOrganizationRow(transaction.query, organizationId);
    await assertCanBeInvited(transaction, organizationId, email, now);
    const expiresAt = new Date(now.getTime() + validMs);
    const row = {
      id: newId('ivt'),
      organizationId,
      email,
      role: input.role,
      tokenHash: hashSecret(token),
      expiresAt,
      createdAt: now,
    };
    return transaction.prisma.memberInvitation.create({ data: row });
  });
  try {
    await app.mail.send({
      to: email,
      subject: `Join ${organizationName.replaceAll(/\s+/g, ' ')}`,
      text: `You are invited to join ${organizationName} as ${input.role}.\n\nOpen this link within seven days:\n${app.config.publicUrl}/invitation/${token}\n`,
    });
  } catch (error) {
    await app.database.prisma.memberInvitation.deleteMany({ where: { id: invitation.id } });
    throw error;
  }
  return invitation;
}

/** Takes an invitation back: its link stops working. Throws `not_found`. */
export async function cancelInvitation(
  { app, environment }: Context,
  id: string,
): Promise<{ id: string; object: string }> {
  const { organizationId } = environment;
  const { count } = await app.database.prisma.memberInvitation.deleteMany({ where: { id, organizationId } });
  if (count === 0) throw specificError('not_found', 'invitation', { param: 'id' });
  return { id, object: 'member_invitation' };
}

/** What an invitation's link leads to, for its holder. Throws `not_found` for one that was never sent, was answered, taken back or expired. */
export async function readInvitation({ app }: Context, token: string): Promise<InvitationDetails> {
  const found = await app.database.prisma.memberInvitation.findUnique({
    where: { tokenHash: hashSecret(token) },
    include: { organization: true },
  });
  if (found === null || found.expiresAt <= app.wall.now())
    throw specificError('not_found', 'invitation_over');
  return { organizationName: found.organization.name, email: found.email, role: found.role };
}

/**
 * Makes the signed-in person a member by the link of an invitation to their address. Throws `not_found` as `readInvitation`, `forbidden` for an
 * account with another address, and `duplicate` for someone who belongs already; the invitation then stays.
 */
export async function acceptInvitation({ app, caller }: Context, token: string): Promise<MembershipRow> {
  const { id: userId, email } = personOf(caller);
  const now = app.wall.now();
  return app.database.transaction(async ({ prisma }) => {
    const invitation = await prisma.memberInvitation.findUnique({ where: { tokenHash: hashSecret(token) } });
    const { count } = await prisma.memberInvitation.deleteMany({
      where: { tokenHash: hashSecret(token), expiresAt: { gt: now } },
    });
    if (invitation === null || count === 0)
      throw specificError('not_found', 'invitation_over', { param: 'token' });
    if (invitation.email !== email.toLowerCase()) throw otherAddress(invitation.email);
    const { organizationId, role } = invitation;
    const joined = await prisma.member.createMany({
      data: [{ id: newId('mem'), organizationId, userId, role, createdAt: now }],
      skipDuplicates: true,
    });
    if (joined.count === 0) throw specificError('duplicate', 'own_membership', { param: 'email' });
    return prisma.member.findUniqueOrThrow({
      where: { organizationId_userId: { organizationId, userId } },
      include: { organization: true },
    });
  });
}
