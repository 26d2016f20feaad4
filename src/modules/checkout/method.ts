import type { Context } from '../../context.ts';
import { QuittanceError, validationError } from '../../domain/errors.ts';
import type { MethodFacts, StoredSelection } from '../../domain/subscription/rows.ts';
import { OutsideCallError } from '../../engine/commit.ts';
import { type CardInput, vaultCard } from '../../gateway/sandbox.ts';
import { readReference } from '../../gateway/stripe-client.ts';
import { vaultStripe } from '../../gateway/stripe-vault.ts';
import { loadExistingRow } from '../../graphql/loaders.ts';
import { connectionFor } from '../payment-connections/routes.ts';
import { type ConnectionRow, requireConnection } from '../payment-connections/service.ts';
import type { SubscriptionRow } from '../subscriptions/find.ts';

/** How the payer means to pay: by a card typed in, or by what the page got from Stripe for one; and from which country. */
export type TypedMethod = {
  readonly card?: CardInput | null | undefined;
  readonly paymentMethod?: string | null | undefined;
  readonly billingAddress?: { readonly country?: string | null } | null | undefined;
};

/** The account a stored method lies on; null for the platform's own rail. */
async function storedOn(context: Context, methodId: string): Promise<ConnectionRow | null> {
  const { provider, reference } = await loadExistingRow(context, 'PaymentMethod', methodId);
  return provider === 'stripe' ? requireConnection(context, readReference(reference).connectionId) : null;
}

/**
 * The account of the organization that takes the payments of a subscription: that of its stored method (PAY-14), else the one a new checkout
 * goes to by the country given or the customer's (PAY-13); null for the platform's own rail.
 */
export async function checkoutConnection(
  context: Context,
  subscription: SubscriptionRow,
  country?: string | null,
): Promise<ConnectionRow | null> {
  if (subscription.paymentMethodId !== null) return storedOn(context, subscription.paymentMethodId);
  // The engine is the only writer of the column and stores exactly this.
  const wish = subscription.selection as unknown as StoredSelection;
  const customer = await loadExistingRow(context, 'Customer', subscription.customerId);
  return connectionFor(context, wish, country ?? customer.country);
}

/** What Stripe calls a customer of ours, where a method of it was stored on the connection before. */
async function knownAs(context: Context, customerId: string, connectionId: string): Promise<string | null> {
  const where = { customerId, provider: 'stripe', reference: { startsWith: `${connectionId}/` } } as const;
  const stored = await context.db.paymentMethod.findFirst({ where, orderBy: { seq: 'desc' } });
  return stored === null ? null : readReference(stored.reference).customer;
}

async function stripeMethod(context: Context, connection: ConnectionRow, customerId: string, method: string): Promise<MethodFacts> {
  const { app, environment, transaction } = context;
  if (transaction !== null) throw new OutsideCallError();
  const { id, email, fullName } = await loadExistingRow(context, 'Customer', customerId);
  const stored = await vaultStripe(
    {
      connectionId: connection.id,
      secretKey: app.secrets.decrypt(connection.secretKey),
      environmentId: environment.id,
      customer: { id, email, fullName },
      knownAs: await knownAs(context, id, connection.id),
      method,
    },
    { url: app.config.stripeUrl, timeoutMs: app.config.chargeTimeoutMs },
  );
  if (!('refusal' in stored)) return stored;
  if (stored.refusal !== null) throw validationError([{ field: 'paymentMethod', message: stored.refusal }]);
  throw new QuittanceError('charge_failed', 'The payment provider cannot be reached; nothing was charged.', {
    details: { declineCode: 'provider_unavailable' },
  });
}

/**
 * The method the payer gave, stored where the payments of the subscription go. Throws `validation_error` for what is wrong with it, `provider_unsupported`
 * where it is meant for another connection, and `charge_failed` when the connection's provider cannot be reached.
 */
export async function typedMethod(context: Context, subscription: SubscriptionRow, typed: TypedMethod): Promise<MethodFacts> {
  const { card = null, paymentMethod = null, billingAddress = null } = typed;
  if ((card === null) === (paymentMethod === null)) {
    throw validationError([{ field: 'card', message: 'Give either a card or a payment method.' }]);
  }
  const connection = await checkoutConnection(context, subscription, billingAddress?.country);
  if (connection !== null && paymentMethod !== null) return stripeMethod(context, connection, subscription.customerId, paymentMethod);
  if (connection !== null || card === null) {
    const message = 'Payments are taken elsewhere; load the page anew with the country of the billing address.';
    throw new QuittanceError('provider_unsupported', message, { param: connection === null ? 'paymentMethod' : 'card' });
  }
  // The built-in rail only knows test cards, and those are for the sandbox (PLT-3).
  if (context.livemode) throw new QuittanceError('provider_unsupported', 'No payment connection that can charge live cards is set up.');
  return vaultCard(card, context.wall.now());
}
