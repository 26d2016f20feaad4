import { specificError } from '../../../domain/errors/errors.ts';
import type { DeletedShape } from '../../../graphql/reading/deleted.ts';
import { keyTopic } from '../../../platform/credentials.ts';
import type { Transaction } from '../../../platform/db/pool.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { closeEnvironment, findEnvironmentIds, findKeyIds, findRole, lockOrganizationRow } from './store.ts';

/** Throws `forbidden` unless the caller is currently the owner. */
async function demandOwner(transaction: Transaction, { caller }: Context): Promise<void> {
  const role = caller.kind === 'member' ? await findRole(transaction, caller.memberId) : null;
  if (role !== 'owner') throw specificError('forbidden', 'role', { values: { role: 'owner' } });
}

/** Deletes the members, invitations, claim link, and logo of an organization. */
async function releasePeople({ prisma }: Transaction, organizationId: string): Promise<void> {
  await prisma.member.deleteMany({ where: { organizationId } });
  await prisma.memberInvitation.deleteMany({ where: { organizationId } });
  await prisma.organizationClaim.deleteMany({ where: { organizationId } });
  await prisma.organizationLogo.deleteMany({ where: { organizationId } });
}

/**
 * Permanently archives the caller's organization and both of its environments (PLT-5). Members, API keys, and hosted pages lose access, the
 * slug becomes available, and charges, emails, and metrics stop. Records are kept. Throws `not_found` if the ID belongs to another
 * organization, and `forbidden` unless the caller is the owner.
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
