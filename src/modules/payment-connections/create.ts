import type { Context } from '../../context.ts';
import { newId } from '../../platform/ids.ts';
import { inTransaction, nextSeq } from '../../transaction.ts';
import { checkKeys } from './check-keys.ts';
import { type ConnectionRow, giveUpDefault, requireIssuer } from './store.ts';

/** What a creating call says of a connection. */
export type NewConnectionInput = {
  readonly name: string;
  readonly secretKey: string;
  readonly publishableKey: string;
  readonly webhookSecret?: string | null | undefined;
  readonly isDefault?: boolean | null | undefined;
};

/**
 * Connects a Stripe account, whose keys are stored encrypted (PAY-12). Throws `validation_error` for keys of the other mode, keys Stripe does
 * not accept, and a default without the issuer's address; `provider_unsupported` when Stripe cannot be reached.
 */
export async function createConnection(ctx: Context, input: NewConnectionInput): Promise<ConnectionRow> {
  const { name, secretKey, publishableKey, webhookSecret = null, isDefault } = input;
  if (isDefault === true) await requireIssuer(ctx, 'isDefault');
  await checkKeys(ctx, { secretKey, publishableKey, webhookSecret });
  const { secrets } = ctx.app;
  return inTransaction(ctx, async (tx) => {
    if (isDefault === true) await giveUpDefault(tx);
    const now = tx.clock.now();
    return tx.db.paymentConnection.create({
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
  });
}
