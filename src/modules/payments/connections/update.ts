import { connectionUpdated } from '../../../domain/events/settings-events.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction, recordEvents } from '../../../request/transaction.ts';
import { checkKeys, type Keys, requireSameAccount } from './check-keys.ts';
import { type ConnectionRow, connectionRows, lockRouting, removeDefault, requireIssuer } from './store.ts';

/** Changes to a payment connection. `undefined` keeps the current value. */
export type ConnectionChanges = Keys & {
  readonly id: string;
  readonly name?: string | null | undefined;
  readonly isDefault?: boolean | null | undefined;
};

const changeable = ['name', 'isDefault', 'publishableKey', 'secretKey', 'webhookSecret'] as const;

/**
 * Updates the name, the keys, or the default flag of a connection. New keys apply to all later requests. Subscriptions
 * keep the connection that stores their payment method (PAY-14). Throws `not_found` and the errors thrown by
 * `createConnection`.
 */
export async function updateConnection(
  ctx: Context,
  { id, ...changes }: ConnectionChanges,
): Promise<ConnectionRow> {
  await connectionRows.require(ctx, id);
  const { name, isDefault, secretKey, publishableKey, webhookSecret } = changes;
  if (isDefault === true) await requireIssuer(ctx, 'isDefault');
  await checkKeys(ctx, changes);
  if (secretKey != null) await requireSameAccount(ctx, id, secretKey);
  const sealed = (secret: string | null | undefined) => secret && ctx.app.secrets.encrypt(secret);
  return inTransaction(ctx, async (tx) => {
    // The lock on the routing precedes the lock on the connection, as in `setRoute`. The opposite order could cause a deadlock.
    if (isDefault === true) await lockRouting(tx);
    return connectionRows.update(
      tx,
      id,
      async (_tx, before) => {
        if (isDefault === true && !before.isDefault) await removeDefault(tx);
        const keys = { secretKey: sealed(secretKey), webhookSecret: sealed(webhookSecret) ?? undefined };
        return { name, isDefault, publishableKey, ...keys };
      },
      (_tx, connection, before) => {
        const changed = changeable.filter((field) => connection[field] !== before[field]);
        return recordEvents(tx, [connectionUpdated(connection, changed, connection.updatedAt)]);
      },
    );
  });
}
