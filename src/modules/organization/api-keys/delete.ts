import { QuittanceError } from '../../../domain/errors/errors.ts';
import { endLimits } from '../../../engine/policy/end-limits.ts';
import type { DeletedShape } from '../../../graphql/reading/deleted.ts';
import { keepName } from '../../../identity/former-actors.ts';
import { keyTopic } from '../../../platform/credentials.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';

/** Revokes an API key immediately and permanently, and deletes its limits. A key can revoke itself (PLT-14). Throws `api_key_not_found`. */
export const deleteApiKey = (ctx: Context, id: string): Promise<DeletedShape> =>
  inTransaction(
    ctx,
    async ({ db, transaction, environment, app, wall }) => {
      const key = await db.apiKey.findFirst({ where: { id }, select: { name: true } });
      // A concurrent request may have deleted the API key since the key was read.
      const { count } = await db.apiKey.deleteMany({ where: { id } });
      if (key === null || count === 0) throw new QuittanceError('api_key_not_found', { param: 'id' });
      await transaction.prisma.apiKeyHash.deleteMany({
        where: { environmentId: environment.id, apiKeyId: id },
      });
      await endLimits(transaction.query, environment.id, id, wall.now());
      const { organizationId } = environment;
      await keepName(transaction, { id, organizationId, name: key.name }, wall.now());
      transaction.afterCommit(() => app.pubsub.hint(keyTopic(id)));
      return { id, object: 'api_key' };
    },
    { clockLock: 'none' },
  );
