import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import type { DeletedShape } from '../../graphql/deleted.ts';
import { keepName } from '../../identity/former-actors.ts';
import { keyTopic } from '../../platform/credentials.ts';
import { inTransaction } from '../../transaction.ts';

/** Revokes a key at once and permanently; a key may revoke itself (PLT-14). Throws `api_key_not_found`. */
export const deleteApiKey = (ctx: Context, id: string): Promise<DeletedShape> =>
  inTransaction(
    ctx,
    async ({ db, transaction, environment, app, wall }) => {
      const key = await db.apiKey.findFirst({ where: { id }, select: { name: true } });
      // A rival may delete it between the two.
      const { count } = await db.apiKey.deleteMany({ where: { id } });
      if (key === null || count === 0) throw new QuittanceError('api_key_not_found', { param: 'id' });
      await transaction.prisma.apiKeyHash.deleteMany({
        where: { environmentId: environment.id, apiKeyId: id },
      });
      const { organizationId } = environment;
      await keepName(transaction, { id, organizationId, name: key.name }, wall.now());
      transaction.afterCommit(() => app.pubsub.hint(keyTopic(id)));
      return { id, object: 'api_key' };
    },
    { clockLock: 'none' },
  );
