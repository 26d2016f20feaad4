import { connectionUpdated } from '../../../domain/events/settings-events.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction, recordEvents } from '../../../request/transaction.ts';
import { checkKeys, type Keys } from './check-keys.ts';
import { type ConnectionRow, removeDefault, requireConnection, requireIssuer } from './store.ts';

/** Changes to a payment connection. `undefined` keeps the current value. */
export type ConnectionChanges = Keys & {
  readonly id: string;
  readonly name?: string | null | undefined;
  readonly isDefault?: boolean | null | undefined;
};

/** Returns the names of the changed fields. Always includes provided secrets, because stored secrets aren't decrypted for the comparison. */
function changedIn(changes: Omit<ConnectionChanges, 'id'>, before: ConnectionRow): string[] {
  const { name, isDefault, publishableKey, secretKey, webhookSecret } = changes;
  const isChanged = {
    name: name != null && name !== before.name,
    isDefault: isDefault != null && isDefault !== before.isDefault,
    publishableKey: publishableKey != null && publishableKey !== before.publishableKey,
    secretKey: secretKey != null,
    webhookSecret: webhookSecret != null,
  };
  return Object.entries(isChanged).flatMap(([field, is]) => (is ? [field] : []));
}

/**
 * Updates the name, the keys, or the default flag of a connection. New keys apply to all later requests. Subscriptions
 * keep the connection that stores their payment method (PAY-14). Throws `not_found` and the errors thrown by
 * `createConnection`.
 */
export async function updateConnection(
  ctx: Context,
  { id, ...changes }: ConnectionChanges,
): Promise<ConnectionRow> {
  const before = await requireConnection(ctx, id);
  const { name, isDefault, secretKey, publishableKey, webhookSecret } = changes;
  if (isDefault === true) await requireIssuer(ctx, 'isDefault');
  await checkKeys(ctx, changes);
  const { encrypt } = ctx.app.secrets;
  return inTransaction(ctx, async (tx) => {
    if (isDefault === true) await removeDefault(tx);
    const data = {
      ...(name == null ? {} : { name }),
      ...(isDefault == null ? {} : { isDefault }),
      ...(publishableKey == null ? {} : { publishableKey }),
      ...(secretKey == null ? {} : { secretKey: encrypt(secretKey) }),
      ...(webhookSecret == null ? {} : { webhookSecret: encrypt(webhookSecret) }),
    };
    const changedFields = changedIn(changes, before);
    if (changedFields.length === 0) return requireConnection(tx, id);
    const now = tx.clock.now();
    await tx.db.paymentConnection.update({ where: { id }, data: { ...data, updatedAt: now } });
    const changed = await requireConnection(tx, id);
    await recordEvents(tx, [connectionUpdated(changed, changedFields, now)]);
    return changed;
  });
}
