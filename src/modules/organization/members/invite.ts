import { QuittanceError, specificError } from '../../../domain/errors/errors.ts';
import type { MemberRole } from '../../../domain/limits/member-roles.ts';
import { invitationLimits } from '../../../domain/messages/mail-limits.ts';
import { nameInEmail } from '../../../domain/messages/mail-permission.ts';
import { foldEmail } from '../../../domain/text/folding.ts';
import { accountEmailWords } from '../../../identity/account-emails.ts';
import { isProofFresh } from '../../../identity/proof.ts';
import { proveAddress } from '../../../identity/prove-address.ts';
import type { Transaction } from '../../../platform/db/pool.ts';
import { newId, newSecret } from '../../../platform/ids.ts';
import { hashSecret } from '../../../platform/secrets.ts';
import type { Context } from '../../../request/context.ts';
import { takeRequestedEmail } from '../organizations/check-mail.ts';
import { lockOrganizationRow, readMailEligibility } from '../organizations/store.ts';
import { type InvitationRow, type MembershipRow, maxMembers, personOf } from './store.ts';

/** Validity period of an invitation, in real time. */
const validMs = 7 * 86_400_000;

export type InviteInput = { readonly email: string; readonly role: Exclude<MemberRole, 'owner'> };

/** Invitation details that anyone with the link can see. */
export type InvitationDetails = {
  readonly organizationName: string;
  readonly email: string;
  readonly role: MemberRole;
};

const otherAddress = (email: string): QuittanceError =>
  specificError('forbidden', 'other_invitee', {
    values: { email },
    param: 'token',
    details: { reason: 'other_address' },
  });

/**
 * Throws `duplicate` if the address belongs to a member or has a pending invitation, and `validation_error` if the maximum number of
 * members is reached.
 */
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
 * Invites an email address to the caller's organization. The link in the email is valid for seven days in real time. If
 * the organization is unverified, the email doesn't contain the organization's name. Throws `duplicate` if the address
 * belongs to a member or has a pending invitation. If the email can't be sent or exceeds a limit (`rate_limited`,
 * PLT-115), deletes the invitation and rethrows the error.
 */
export async function inviteMember(ctx: Context, input: InviteInput): Promise<InvitationRow> {
  const { app, environment } = ctx;
  const { organizationId, organizationName } = environment;
  const email = foldEmail(input.email);
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
    const { isVerified } = await readMailEligibility(app.database.query, organizationId, []);
    await takeRequestedEmail(ctx, invitationLimits(email, organizationId, isVerified));
    const organization = isVerified ? nameInEmail(organizationName) : '';
    const values = { organization, isNamed: organization !== '' };
    const { subject, text } = accountEmailWords.en.invitation;
    await app.mail.send({
      to: email,
      subject: subject(values),
      text: text({ ...values, role: input.role, link: `${app.config.publicUrl}/invitation/${token}` }),
    });
  } catch (error) {
    await app.database.prisma.memberInvitation.deleteMany({ where: { id: invitation.id } });
    throw error;
  }
  return invitation;
}

/** Cancels an invitation, which invalidates its link. Throws `not_found`. */
export async function cancelInvitation(
  { app, environment }: Context,
  id: string,
): Promise<{ id: string; object: string }> {
  const { organizationId } = environment;
  const { count } = await app.database.prisma.memberInvitation.deleteMany({ where: { id, organizationId } });
  if (count === 0) throw specificError('not_found', 'invitation', { param: 'id' });
  return { id, object: 'member_invitation' };
}

/** Returns the invitation for a link. Throws `not_found` if the link is unknown, or if the invitation was accepted, was canceled, or has expired. */
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
 * Makes the signed-in user a member through an invitation to their email address, which also verifies the address (PLT-111). Throws the
 * same errors as `readInvitation`, `forbidden` if the account has another address, and `duplicate` if the user is already a member. Throws
 * `reauthentication_required` if the address wasn't verified and the user didn't enter the password recently. The invitation remains valid
 * after an error.
 */
export async function acceptInvitation({ app, caller }: Context, token: string): Promise<MembershipRow> {
  const { id: userId, email, sessionId, isEmailVerified, provenAt } = personOf(caller);
  const now = app.wall.now();
  return app.database.transaction(async (transaction) => {
    const { prisma } = transaction;
    const invitation = await prisma.memberInvitation.findUnique({ where: { tokenHash: hashSecret(token) } });
    const { count } = await prisma.memberInvitation.deleteMany({
      where: { tokenHash: hashSecret(token), expiresAt: { gt: now } },
    });
    if (invitation === null || count === 0)
      throw specificError('not_found', 'invitation_over', { param: 'token' });
    if (invitation.email !== foldEmail(email)) throw otherAddress(invitation.email);
    // Another person may have created the account with this address. That person's data is removed, so the user must enter the password.
    if (!isEmailVerified && !isProofFresh(provenAt, now))
      throw new QuittanceError('reauthentication_required');
    await proveAddress(transaction, { personId: userId, sessionId }, now);
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
