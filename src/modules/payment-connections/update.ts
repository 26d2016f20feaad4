import type { Context } from '../../context.ts';
import { inTransaction } from '../../transaction.ts';
import { checkKeys, type Keys } from './check-keys.ts';
import { type ConnectionRow, giveUpDefault, requireConnection, requireIssuer } from './store.ts';

/** Changes to a connection; what is undefined stays. */
export type ConnectionChanges = Keys & {
  readonly id: string;
  readonly name?: string | null | undefined;
  readonly isDefault?: boolean | null | undefined;
};

/**
 * Changes a connection: its name, its keys, which take the place of the stored ones for everything from then on, and whether it is the
 * default. Subscriptions stay with the connection their method is stored on (PAY-14). Throws `not_found` and what `createConnection` throws.
 */
export async function updateConnection(
  ctx: Context,
  { id, ...changes }: ConnectionChanges,
): Promise<ConnectionRow> {
  await requireConnection(ctx, id);
  const { name, isDefault, secretKey, publishableKey, webhookSecret } = changes;
  if (isDefault === true) await requireIssuer(ctx, 'isDefault');
  await checkKeys(ctx, changes);
  const { encrypt } = ctx.app.secrets;
  return inTransaction(ctx, async (tx) => {
    if (isDefault === true) await giveUpDefault(tx);
    const data = {
      ...(name == null ? {} : { name }),
      ...(isDefault == null ? {} : { isDefault }),
      ...(publishableKey == null ? {} : { publishableKey }),
      ...(secretKey == null ? {} : { secretKey: encrypt(secretKey) }),
      ...(webhookSecret == null ? {} : { webhookSecret: encrypt(webhookSecret) }),
    };
    if (Object.keys(data).length > 0)
      await tx.db.paymentConnection.update({ where: { id }, data: { ...data, updatedAt: tx.clock.now() } });
    return requireConnection(tx, id);
  });
}
