import { connectionCreated } from '../../../domain/events/settings-events.ts';
import type { Context } from '../../../request/context.ts';
import { recordEvents } from '../../../request/transaction.ts';
import { checkKeys } from './check-keys.ts';
import { type ConnectionRow, connectionRows, removeDefault, requireIssuer } from './store.ts';

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
  const { encrypt } = ctx.app.secrets;
  const sealed = {
    secretKey: encrypt(secretKey),
    webhookSecret: webhookSecret === null ? null : encrypt(webhookSecret),
  };
  return connectionRows.create(
    ctx,
    async (tx) => {
      if (isDefault === true) await removeDefault(tx);
      return { provider: 'stripe', name, publishableKey, isDefault, ...sealed };
    },
    (tx, connection) => recordEvents(tx, [connectionCreated(connection, connection.createdAt)]),
  );
}
