import type { Context } from '../../context.ts';
import { newId } from '../../infra/ids.ts';
import { inTransaction, nextSeq } from '../../transaction.ts';
import { checkKeys, type Keys } from './keys.ts';
import { type ConnectionRow, requireConnection, requireIssuer } from './service.ts';

/** What a creating call says of a connection. */
export type NewConnectionInput = {
  readonly name: string;
  readonly secretKey: string;
  readonly publishableKey: string;
  readonly webhookSecret?: string | null | undefined;
  readonly isDefault?: boolean | null | undefined;
};

/** Changes to a connection; what is undefined stays. */
export type ConnectionChanges = Keys & {
  readonly id: string;
  readonly name?: string | null | undefined;
  readonly isDefault?: boolean | null | undefined;
};

/** At most one is the default: the other gives it up first. */
async function giveUpDefault(context: Context): Promise<void> {
  const [current] = await context.db.paymentConnection.findMany({ where: { isDefault: true } });
  if (current !== undefined) await context.db.paymentConnection.update({ where: { id: current.id }, data: { isDefault: false } });
}

/**
 * Connects a Stripe account, whose keys are stored encrypted (PAY-12). Throws `validation_error` for keys of the other mode, keys Stripe does
 * not accept, and a default without the issuer's address; `provider_unsupported` when Stripe cannot be reached.
 */
export async function createConnection(context: Context, input: NewConnectionInput): Promise<ConnectionRow> {
  const { name, secretKey, publishableKey, webhookSecret = null, isDefault } = input;
  if (isDefault === true) await requireIssuer(context, 'isDefault');
  await checkKeys(context, { secretKey, publishableKey, webhookSecret });
  const { secrets } = context.app;
  return inTransaction(context, async (inner) => {
    if (isDefault === true) await giveUpDefault(inner);
    const now = inner.clock.now();
    return inner.db.paymentConnection.create({
      data: {
        id: newId('con'),
        seq: await nextSeq(inner),
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

/**
 * Changes a connection: its name, its keys, which take the place of the stored ones for everything from then on, and whether it is the
 * default. Subscriptions stay with the connection their method is stored on (PAY-14). Throws `not_found` and what `createConnection` throws.
 */
export async function updateConnection(context: Context, { id, ...changes }: ConnectionChanges): Promise<ConnectionRow> {
  await requireConnection(context, id);
  const { name, isDefault, secretKey, publishableKey, webhookSecret } = changes;
  if (isDefault === true) await requireIssuer(context, 'isDefault');
  await checkKeys(context, changes);
  const { encrypt } = context.app.secrets;
  return inTransaction(context, async (inner) => {
    if (isDefault === true) await giveUpDefault(inner);
    const data = {
      ...(name == null ? {} : { name }),
      ...(isDefault == null ? {} : { isDefault }),
      ...(publishableKey == null ? {} : { publishableKey }),
      ...(secretKey == null ? {} : { secretKey: encrypt(secretKey) }),
      ...(webhookSecret == null ? {} : { webhookSecret: encrypt(webhookSecret) }),
    };
    if (Object.keys(data).length > 0)
      await inner.db.paymentConnection.update({ where: { id }, data: { ...data, updatedAt: inner.clock.now() } });
    return requireConnection(inner, id);
  });
}
