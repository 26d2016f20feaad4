import type { Context } from '../../context.ts';
import { specificError } from '../../domain/errors.ts';
import type { DeletedShape } from '../../graphql/deleted.ts';
import { keyTopic } from '../../platform/credentials.ts';
import type { Transaction } from '../../platform/db/pool.ts';
import { inTransaction } from '../../transaction.ts';
import { closeEnvironment, findEnvironmentIds, findKeyIds, findRole, lockOrganizationRow } from './store.ts';

/** Throws unless the caller owns the organization at this moment. */
async function demandOwner(transaction: Transaction, { caller }: Context): Promise<void> {
  const role = caller.kind === 'member' ? await findRole(transaction, caller.memberId) : null;
  if (role !== 'owner') throw specificError('forbidden', 'role', { values: { role: 'owner' } });
}

/** Deletes the members, invitations, claim and logo of an organization. */
async function releasePeople({ prisma }: Transaction, organizationId: string): Promise<void> {
  await prisma.member.deleteMany({ where: { organizationId } });
  await prisma.memberInvitation.deleteMany({ where: { organizationId } });
  await prisma.organizationClaim.deleteMany({ where: { organizationId } });
  await prisma.organizationLogo.deleteMany({ where: { organizationId } });
}

/**
 * Archives the caller's organization with both its environments, for good (PLT-5): people, keys and pages get in no more, the slug is free, and nothing
 * is charged, sent or counted for it any more. Its records stay. Throws `not_found` for another organization, and `forbidden` for who is not its owner.
 */
export const archiveOrganization = (ctx: Context, id: string): Promise<DeletedShape> =>
  inTransaction(
    ctx,
    async ({ app, environment, transaction, wall }) => {
      if (id !== environment.organizationId)
        throw specificError('not_found', 'organization', { param: 'id' });
      const { query, prisma } = transaction;
      await lockOrganizationRow(query, id);
      await demandOwner(transaction, ctx);
      const now = wall.now();
      for (const environmentId of await findEnvironmentIds(transaction, id)) {
        for (const keyId of await findKeyIds(query, environmentId))
          transaction.afterCommit(() => app.pubsub.hint(keyTopic(keyId)));
        await closeEnvironment(query, environmentId, now);
      }
      await releasePeople(transaction, id);
      await prisma.organization.update({
        where: { id },
        data: { slug: null, archivedAt: now, updatedAt: now },
      });
      return { id, object: 'organization' };
    },
    { clockLock: 'none' },
  );
