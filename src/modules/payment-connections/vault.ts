import type { Context } from '../../context.ts';
import { QuittanceError, validationError } from '../../domain/errors.ts';
import type { MethodFacts } from '../../domain/subscription/rows.ts';
import { OutsideCallError } from '../../engine/commit.ts';
import { type CardInput, vaultCard } from '../../gateway/sandbox.ts';
import { readReference } from '../../gateway/stripe-client.ts';
import { findStripeMethod, type StripeAccess, type VaultRefusal, vaultStripe } from '../../gateway/stripe-vault.ts';
import { loadExistingRow } from '../../graphql/loaders.ts';
import { findRailMethod } from './rail-methods.ts';
import { type ConnectionRow, requireConnection } from './service.ts';

/** How somebody means to pay: by a card typed in, or by what the page got from Stripe for one. */
export type TypedMethod = {
  readonly card?: CardInput | null | undefined;
  readonly paymentMethod?: string | null | undefined;
};

/** A method as it was given, found fit for the account it is meant for; nothing is stored anywhere yet. */
export type FitMethod =
  | { readonly connection: null; readonly stored: MethodFacts }
  | { readonly connection: null; readonly token: string }
  | { readonly connection: ConnectionRow; readonly paymentMethod: string };

/** Stands for a method its provider has not been given yet. */
export const unseenMethod: MethodFacts = {
  provider: 'stripe',
  reference: '',
  bin: null,
  brand: '',
  last4: '',
  expMonth: 1,
  expYear: 9999,
};

/** The account a method lies on; null for the platform's own rail. */
export const connectionOf = async (
  context: Context,
  { provider, reference }: Pick<MethodFacts, 'provider' | 'reference'>,
): Promise<ConnectionRow | null> => (provider === 'stripe' ? requireConnection(context, readReference(reference).connectionId) : null);

/** What a call to Stripe about methods needs. Throws OutsideCallError inside a transaction. */
function accessOf({ app, transaction }: Context, { secretKey }: ConnectionRow): StripeAccess {
  if (transaction !== null) throw new OutsideCallError();
  const { stripeUrl: url, chargeTimeoutMs: timeoutMs } = app.config;
  return { secretKey: app.secrets.decrypt(secretKey), settings: { url, timeoutMs } };
}

function refuse({ refusal }: VaultRefusal): never {
  if (refusal !== null) throw validationError([{ field: 'paymentMethod', message: refusal }]);
  throw new QuittanceError('charge_failed', 'The payment provider cannot be reached; nothing was charged.', {
    details: { declineCode: 'provider_unavailable' },
  });
}

/**
 * Whether what was given fits the account that takes the payments; null for the platform's own rail. Throws `validation_error` for what is
 * wrong with it, and `provider_unsupported` where it is meant for another account.
 */
export function fitMethod(context: Context, connection: ConnectionRow | null, typed: TypedMethod): FitMethod {
  const { card = null, paymentMethod = null } = typed;
  if ((card === null) === (paymentMethod === null)) {
    throw validationError([{ field: 'card', message: 'Give either a card or a payment method.' }]);
  }
  if (connection !== null && paymentMethod !== null) return { connection, paymentMethod };
  // Cards of live payers lie with the rail, whose own page takes them in.
  if (paymentMethod !== null && context.livemode) return { connection: null, token: paymentMethod };
  if (connection !== null || card === null) {
    const message = 'Payments are taken elsewhere; load the page anew with the country of the billing address.';
    throw new QuittanceError('provider_unsupported', message, { param: connection === null ? 'paymentMethod' : 'card' });
  }
  // The built-in rail only knows test cards, and those are for the sandbox (PLT-3).
  if (context.livemode) throw new QuittanceError('provider_unsupported', 'No payment connection that can charge live cards is set up.');
  return { connection, stored: vaultCard(card, context.wall.now()) };
}

/** Makes sure that Stripe or the rail knows a method, where its owner is yet to be made. Throws as `storeMethod` does. */
export async function requireKnown(context: Context, method: FitMethod): Promise<void> {
  if ('token' in method) await findRailMethod(context, method.token);
  if (method.connection === null) return;
  const refusal = await findStripeMethod(accessOf(context, method.connection), method.paymentMethod);
  if (refusal !== null) refuse(refusal);
}

/** What Stripe calls a customer of ours, where a method of it was stored on the connection before. */
async function knownAs(context: Context, customerId: string, connectionId: string): Promise<string | null> {
  const where = { customerId, provider: 'stripe', reference: { startsWith: `${connectionId}/` } } as const;
  const stored = await context.db.paymentMethod.findFirst({ where, orderBy: { seq: 'desc' } });
  return stored === null ? null : readReference(stored.reference).customer;
}

/**
 * Stores a method with a customer on the account it fits (PAY-14), and answers what is to be kept of it. Throws `validation_error` when Stripe
 * refuses it, `charge_failed` when Stripe cannot be reached, and for a method of the rail as `findRailMethod` does.
 */
export async function storeMethod(context: Context, customerId: string, method: FitMethod): Promise<MethodFacts> {
  if ('token' in method) return findRailMethod(context, method.token);
  if (method.connection === null) return method.stored;
  const { connection } = method;
  const access = accessOf(context, connection);
  const { id, email, fullName } = await loadExistingRow(context, 'Customer', customerId);
  const stored = await vaultStripe(access, {
    connectionId: connection.id,
    environmentId: context.environment.id,
    customer: { id, email, fullName },
    knownAs: await knownAs(context, id, connection.id),
    method: method.paymentMethod,
  });
  return 'refusal' in stored ? refuse(stored) : stored;
}
