import { QuittanceError, validationError } from '../../../domain/errors/errors.ts';
import { missingPermission, permissionsOf } from '../../../domain/limits/permissions.ts';
import { keyTopic } from '../../../platform/credentials.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction, recordEvents } from '../../../request/transaction.ts';
import { grantOf, requireKnown } from './create.ts';
import type { ApiKeyRow } from './mint.ts';
import { lockKey } from './store.ts';

/**
 * Replaces the permissions of an API key with permissions that the key already has. Applies to the next call. Throws `api_key_not_found`. Throws
 * `validation_error` if a permission doesn't exist or the key doesn't have it. Sends `api_key.narrowed` if a permission is removed.
 */
export const narrowPermissions = (
  ctx: Context,
  id: string,
  permissions: readonly string[],
): Promise<ApiKeyRow> =>
  inTransaction(
    ctx,
    async (tx) => {
      const { db, sql, app, transaction } = tx;
      requireKnown(permissions);
      await lockKey(sql, id);
      const key = await db.apiKey.findFirst({ where: { id } });
      if (key === null) throw new QuittanceError('api_key_not_found', { param: 'id' });
      const missing = missingPermission(permissions, permissionsOf(key));
      if (missing !== null)
        throw validationError([
          { field: 'permissions', message: `contains a permission that the key doesn't have: ${missing}` },
        ]);
      const { scopes, permissions: narrowed } = grantOf(permissions);
      const [changed] = await db.apiKey.update({
        where: { id },
        data: { scopes: [...scopes], permissions: [...narrowed] },
      });
      const before = permissionsOf(key);
      const after = permissionsOf({ scopes, permissions: narrowed });
      if (missingPermission(before, after) !== null)
        await recordEvents(tx, [
          {
            kind: 'api_key.narrowed',
            occurredAt: tx.clock.now(),
            customerId: null,
            subscriptionId: null,
            data: { apiKeyId: id, name: key.name, before, permissions: after },
          },
        ]);
      transaction.afterCommit(() => app.pubsub.hint(keyTopic(id)));
      return changed ?? key;
    },
    { clockLock: 'none' },
  );
