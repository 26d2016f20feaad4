import type { CommandResult } from '../../../domain/subscription/state/aggregate.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { requireInvoice } from '../../invoices/invoices/store.ts';
import { requireSubscription, type SubscriptionRow } from '../subscriptions/store.ts';

/** Returns the current credits and balance of the subscription. Throws if the subscription has no consumption account. */
export async function requireAccount(ctx: Context, id: string): Promise<Row<'ConsumptionAccount'>> {
  const account = await ctx.db.consumptionAccount.findFirst({ where: { id } });
  if (account === null) throw new Error(`The subscription ${id} has no account.`);
  return account;
}

/** Errors shared by all purchases for a subscription. */
export const purchaseErrors = [
  'subscription_not_found',
  'subscription_not_active',
  'no_payment_method',
  'charge_in_progress',
  'charge_failed',
  'payment_failed',
] as const;

/**
 * Subject (the subscription) of purchases. If the payment provider hasn't responded to the charge yet, the operation throws
 * `charge_in_progress`. The purchase takes effect after the provider responds.
 */
export const onPurchase = {
  find: (
    ctx: Context,
    { subscriptionId: id }: { readonly subscriptionId: string },
  ): Promise<SubscriptionRow> => requireSubscription(ctx, id),
  awaitsPayment: true,
} as const;

/** Returns the paid invoice of a purchase that always results in an invoice. */
export async function requireBought(ctx: Context, { invoiceId }: CommandResult): Promise<Row<'Invoice'>> {
  if (invoiceId === null) throw new Error('A purchase has no invoice.');
  return requireInvoice(ctx, invoiceId);
}
