import { type CommandInput, executeAnswered } from '../../../engine/execute.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { requireInvoice } from '../../invoices/invoices/store.ts';
import { requireSubscription } from '../subscriptions/store.ts';

/** Command that makes a purchase for a subscription. */
type PurchaseCommand = Extract<
  CommandInput,
  { readonly kind: 'balance.topup' | 'credits.purchase' | 'addon.activate' }
>;

/**
 * Executes a purchase and returns the ID of the paid invoice. `null` if the purchase costs nothing. Throws `subscription_not_found`, the
 * command's error if it's rejected, and `charge_failed` if the charge is declined. Throws `charge_in_progress` if the payment provider
 * hasn't responded yet; the purchase then takes effect after its response.
 */
export async function executePurchase(ctx: Context, command: PurchaseCommand): Promise<string | null> {
  const { customerId } = await requireSubscription(ctx, command.subscriptionId);
  return (await executeAnswered(ctx, customerId, command)).invoiceId;
}

/** Executes a purchase that always results in an invoice, and returns the invoice. Throws the errors thrown by `executePurchase`. */
export async function purchase(ctx: Context, command: PurchaseCommand): Promise<Row<'Invoice'>> {
  const invoiceId = await executePurchase(ctx, command);
  if (invoiceId === null) throw new Error('A purchase has no invoice.');
  return requireInvoice(ctx, invoiceId);
}
