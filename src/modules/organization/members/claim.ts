import { specificError } from '../../../domain/errors/errors.ts';
import { newId } from '../../../platform/ids.ts';
import { hashSecret } from '../../../platform/secrets.ts';
import type { Context } from '../../../request/context.ts';
import { alreadyClaimed } from '../provisioning/issue-claim-link.ts';
import { type MembershipRow, personOf } from './store.ts';

/**
 * Makes the signed-in user the owner of the organization that a claim link belongs to (PLT-17). API keys stay valid. Only one of several
 * concurrent claims succeeds. Throws `organization_already_claimed`, and `claim_not_pending` if the link is unknown, expired, or replaced.
 */
export async function claimOrganization({ app, caller }: Context, token: string): Promise<MembershipRow> {
  const { id: userId } = personOf(caller);
  const now = app.wall.now();
  return app.database.transaction(async ({ prisma }) => {
    const tokenHash = hashSecret(token);
    const { count } = await prisma.organizationClaim.updateMany({
      where: { tokenHash, claimedAt: null, expiresAt: { gt: now } },
      data: { claimedAt: now },
    });
    const claim = await prisma.organizationClaim.findUnique({ where: { tokenHash } });
    if (claim === null) throw specificError('claim_not_pending', 'invalid_link');
    if (count === 0)
      throw claim.claimedAt === null ? specificError('claim_not_pending', 'expired_link') : alreadyClaimed();
    const { organizationId } = claim;
    return prisma.member.create({
      data: { id: newId('mem'), organizationId, userId, role: 'owner', createdAt: now },
      include: { organization: true },
    });
  });
}
