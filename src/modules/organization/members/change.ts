import { specificError } from '../../../domain/errors/errors.ts';
import { hasRole, type MemberRole } from '../../../domain/limits/member-roles.ts';
import { endLimits } from '../../../engine/policy/end-limits.ts';
import { keepName } from '../../../identity/former-actors.ts';
import type { Transaction } from '../../../platform/db/pool.ts';
import type { Context } from '../../../request/context.ts';
import { findEnvironmentIds, lockOrganizationRow } from '../organizations/store.ts';
import type { MemberRow } from './store.ts';

export type RoleInput = { readonly id: string; readonly role: MemberRole };

type Found = { readonly target: MemberRow; readonly isOwner: boolean; readonly callerId: string };

/** Locks the organization's members, finds a member by ID, and reads the caller's current role. Throws `not_found`. */
async function findUnderLock(
  { prisma, query }: Transaction,
  { caller, environment }: Context,
  id: string,
): Promise<Found> {
  if (caller.kind !== 'member') throw new Error('Only members can change members.');
  const { organizationId } = environment;
  await lockOrganizationRow(query, organizationId);
  const target = await prisma.member.findFirst({ where: { id, organizationId }, include: { user: true } });
  if (target === null) throw specificError('not_found', 'member', { param: 'id' });
  const own = await prisma.member.findFirst({ where: { id: caller.memberId } });
  // The caller's role may have changed since the request began.
  if (own === null || !hasRole(own.role, 'admin'))
    throw specificError('forbidden', 'role', { values: { role: 'admin' } });
  return { target, isOwner: own.role === 'owner', callerId: own.id };
}

/**
 * Changes the role of a member in the caller's organization. Only the owner can assign `owner`; the owner becomes an admin in the same
 * transaction, so that an organization always has exactly one owner (PLT-6). Throws `not_found`. Throws `forbidden` if the owner's own role
 * would change or if another member assigns `owner`. Does nothing if the member already has the role.
 */
export const setMemberRole = (ctx: Context, { id, role }: RoleInput): Promise<MemberRow> =>
  ctx.app.database.transaction(async (transaction) => {
    const { target, isOwner, callerId } = await findUnderLock(transaction, ctx, id);
    if (target.role === role) return target;
    if (target.role === 'owner') throw specificError('forbidden', 'owner_role');
    const { member } = transaction.prisma;
    if (role === 'owner') {
      if (!isOwner) throw specificError('forbidden', 'not_owner');
      await member.update({ where: { id: callerId }, data: { role: 'admin' } });
    }
    return member.update({ where: { id }, data: { role }, include: { user: true } });
  });

/**
 * Removes a member from the caller's organization, with its limits. The member loses access immediately. Throws `not_found`, and `forbidden` if the member
 * is the owner.
 */
export const removeMember = (ctx: Context, id: string): Promise<{ id: string; object: string }> =>
  ctx.app.database.transaction(async (transaction) => {
    const { target } = await findUnderLock(transaction, ctx, id);
    if (target.role === 'owner') throw specificError('forbidden', 'owner_removal');
    await transaction.prisma.member.delete({ where: { id } });
    const { organizationId, user } = target;
    await keepName(transaction, { id, organizationId, name: user.name }, ctx.wall.now());
    for (const environmentId of await findEnvironmentIds(transaction, organizationId))
      await endLimits(transaction.query, environmentId, id, ctx.wall.now());
    return { id, object: 'member' };
  });
