import type { Context } from '../../context.ts';
import type { MethodDetails } from '../../domain/subscription/state/rows.ts';
import { type CommandInput, requireAcceptable } from '../../engine/execute.ts';
import { loadExistingRow } from '../../graphql/loaders.ts';
import {
  type ChosenCard,
  requireSavedCard,
  type SavedCardLink,
} from '../payment-connections/load-saved-card.ts';
import { connectionFor } from '../payment-connections/set-route.ts';
import type { ConnectionRow } from '../payment-connections/store.ts';
import {
  connectionOf,
  fitMethod,
  storeMethod,
  type TypedMethod as Typed,
  unseenMethod,
} from '../payment-connections/store-method.ts';
import type { SubscriptionRow } from '../subscriptions/store.ts';

/** How the payer of a subscription means to pay, and from which country. */
export type TypedMethod = Typed & {
  readonly billingAddress?: { readonly country?: string | null } | null | undefined;
};

/**
 * The account of the organization that takes the payments of a subscription: that of its stored method (PAY-14), else the one a new checkout
 * goes to by the country given or the customer's (PAY-13); null for the platform's own processor.
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
 * The method the payer gave, stored where the payments of the subscription go. Throws `validation_error` for what is wrong with it, `provider_unsupported`
 * where it is meant for another connection, and `charge_failed` when the connection's provider cannot be reached.
 */
export async function typedMethod(
  ctx: Context,
  subscription: SubscriptionRow,
  typed: TypedMethod,
): Promise<MethodDetails> {
  const connection = await checkoutConnection(ctx, subscription, typed.billingAddress?.country);
  return storeMethod(ctx, subscription.customerId, fitMethod(ctx, connection, typed));
}

/** What decides whether the checkout of a subscription offers a stored card. */
export const linkOf = (
  { customerId, selection, checkoutInvoiceId }: SubscriptionRow,
  connection: SavedCardLink['connection'],
): SavedCardLink => ({
  customerId,
  wrongCodes: selection.wrongCodes,
  connection,
  isCharged: checkoutInvoiceId !== null,
});

/** The stored card the payer of a subscription chose (PAY-41). Throws `payment_method_not_found` for one that is not offered. */
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
 * A command about a subscription by the method its payer gave. Providers keep the cards they are given, so they are given one only for a command
 * that would be accepted. Throws what `typedMethod` throws, and the rejection of the command. In a request that is made again what it left goes on.
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
