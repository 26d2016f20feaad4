import type { Context } from '../../context.ts';
import type { MethodFacts, StoredSelection } from '../../domain/subscription/rows.ts';
import { loadExistingRow } from '../../graphql/loaders.ts';
import { connectionFor } from '../payment-connections/routes.ts';
import type { ConnectionRow } from '../payment-connections/service.ts';
import { connectionOf, fitMethod, storeMethod, type TypedMethod as Typed } from '../payment-connections/vault.ts';
import type { SubscriptionRow } from '../subscriptions/find.ts';

/** How the payer of a subscription means to pay, and from which country. */
export type TypedMethod = Typed & { readonly billingAddress?: { readonly country?: string | null } | null | undefined };

/**
 * The account of the organization that takes the payments of a subscription: that of its stored method (PAY-14), else the one a new checkout
 * goes to by the country given or the customer's (PAY-13); null for the platform's own rail.
 */
export async function checkoutConnection(
  context: Context,
  subscription: SubscriptionRow,
  country?: string | null,
): Promise<ConnectionRow | null> {
  const { paymentMethodId } = subscription;
  if (paymentMethodId !== null) return connectionOf(context, await loadExistingRow(context, 'PaymentMethod', paymentMethodId));
  // The engine is the only writer of the column and stores exactly this.
  const wish = subscription.selection as unknown as StoredSelection;
  const customer = await loadExistingRow(context, 'Customer', subscription.customerId);
  return connectionFor(context, wish, country ?? customer.country);
}

/**
 * The method the payer gave, stored where the payments of the subscription go. Throws `validation_error` for what is wrong with it, `provider_unsupported`
 * where it is meant for another connection, and `charge_failed` when the connection's provider cannot be reached.
 */
export async function typedMethod(context: Context, subscription: SubscriptionRow, typed: TypedMethod): Promise<MethodFacts> {
  const connection = await checkoutConnection(context, subscription, typed.billingAddress?.country);
  return storeMethod(context, subscription.customerId, fitMethod(context, connection, typed));
}
