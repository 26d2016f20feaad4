import type { MethodDetails } from '../../../domain/rows/rows.ts';
import { type CommandInput, requireAcceptable } from '../../../engine/execute.ts';
import { loadExistingRow } from '../../../graphql/reading/loaders.ts';
import type { Context } from '../../../request/context.ts';
import {
  type ChosenCard,
  requireSavedCard,
  type SavedCardLink,
} from '../../payments/connections/load-saved-card.ts';
import { connectionFor } from '../../payments/connections/set-route.ts';
import type { ConnectionRow } from '../../payments/connections/store.ts';
import {
  connectionOf,
  fitMethod,
  storeMethod,
  type TypedMethod as Typed,
  unseenMethod,
} from '../../payments/connections/store-method.ts';
import type { SubscriptionRow } from '../../subscriptions/subscriptions/store.ts';

/** Payment method that a subscription's payer entered, with the payer's country. */
export type TypedMethod = Typed & {
  readonly billingAddress?: { readonly country?: string | null } | null | undefined;
};

/**
 * Returns the account that collects a subscription's payments. If the subscription has a payment method, this is the account that stores
 * the payment method (PAY-14). Otherwise, it's the account for new checkouts in the given country or the customer's country (PAY-13).
 * `null` means the platform's payment provider.
 */
export async function checkoutConnection(
  ctx: Context,
  subscription: Pick<SubscriptionRow, 'paymentMethodId' | 'customerId' | 'selection'>,
  country?: string | null,
): Promise<ConnectionRow | null> {
  const { paymentMethodId } = subscription;
  if (paymentMethodId !== null)
    return connectionOf(ctx, await loadExistingRow(ctx, 'PaymentMethod', paymentMethodId));
  const customer = await loadExistingRow(ctx, 'Customer', subscription.customerId);
  return connectionFor(ctx, subscription.selection, country ?? customer.country);
}

/**
 * Stores the entered payment method on the account that collects the subscription's payments. Throws `validation_error` if the method is
 * invalid, `provider_unsupported` if it belongs to another connection, and `charge_failed` if the payment provider is unreachable.
 */
async function typedMethod(
  ctx: Context,
  subscription: SubscriptionRow,
  typed: TypedMethod,
): Promise<MethodDetails> {
  const connection = await checkoutConnection(ctx, subscription, typed.billingAddress?.country);
  return storeMethod(ctx, subscription.customerId, fitMethod(ctx, connection, typed));
}

/** Returns the subscription data that determines whether a checkout offers a stored card. */
export const linkOf = (
  { customerId, selection, checkoutInvoiceId }: SubscriptionRow,
  connection: SavedCardLink['connection'],
): SavedCardLink => ({
  customerId,
  wrongCodes: selection.wrongCodes,
  connection,
  isCharged: checkoutInvoiceId !== null,
});

/** Returns the stored card that the payer chose (PAY-41). Throws `payment_method_not_found` if the checkout doesn't offer the card. */
export async function chosenCard(
  ctx: Context,
  subscription: SubscriptionRow,
  chosen: ChosenCard,
  country: string | null | undefined,
) {
  const connection = await checkoutConnection(ctx, subscription, country);
  return (await requireSavedCard(ctx, linkOf(subscription, connection), chosen)).command;
}

/**
 * Returns a subscription command with the entered payment method. Providers store every card they receive, so the card is only sent if the
 * command would be accepted. Throws the errors thrown by `typedMethod`, and the command's error if it would be rejected. A repeated request
 * continues the attempt that the first request started.
 */
export async function commandFor<T extends CommandInput>(
  ctx: Context,
  subscription: SubscriptionRow,
  typed: TypedMethod,
  command: (method: MethodDetails) => T,
): Promise<T> {
  if (typed.paymentMethod != null && ctx.resumeLog?.left == null) {
    await requireAcceptable(ctx, { customerId: subscription.customerId, input: command(unseenMethod) });
  }
  return command(await typedMethod(ctx, subscription, typed));
}
