import { connectionCreated } from '../../../domain/events/settings-events.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction, nextSeq, recordEvents } from '../../../request/transaction.ts';
import { checkKeys } from './check-keys.ts';
import { type ConnectionRow, removeDefault, requireIssuer } from './store.ts';

export type NewConnectionInput = {
  readonly name: string;
  readonly secretKey: string;
  readonly publishableKey: string;
  readonly webhookSecret?: string | null | undefined;
  readonly isDefault?: boolean | null | undefined;
};

/**
 * Connects a Stripe account and stores its keys encrypted (PAY-12). Throws `validation_error` if the keys have the wrong mode, Stripe
 * rejects them, or the connection becomes the default without an issuer address. Throws `provider_unsupported` if Stripe is unreachable.
 */
export async function createConnection(ctx: Context, input: NewConnectionInput): Promise<ConnectionRow> {
  const { name, secretKey, publishableKey, webhookSecret = null, isDefault } = input;
  if (isDefault === true) await requireIssuer(ctx, 'isDefault');
  await checkKeys(ctx, { secretKey, publishableKey, webhookSecret });
  const { secrets } = ctx.app;
  return inTransaction(ctx, async (tx) => {
    if (isDefault === true) await removeDefault(tx);
    const now = tx.clock.now();
    const connection = await tx.db.paymentConnection.create({
      data: {
        id: newId('con'),
        seq: await nextSeq(tx),
        provider: 'stripe',
        name,
        publishableKey,
        secretKey: secrets.encrypt(secretKey),
        webhookSecret: webhookSecret === null ? null : secrets.encrypt(webhookSecret),
        isDefault: isDefault === true,
        createdAt: now,
        updatedAt: now,
      },
    });
    await recordEvents(tx, [connectionCreated(connection, now)]);
    return connection;
  });
}
