import type { Context } from '../../context.ts';
import { type CommandInput, executeAnswered } from '../../engine/execute.ts';
import type { Row } from '../../platform/db/rows.ts';
import { requireInvoice } from '../invoices/store.ts';
import { requireSubscription } from '../subscriptions/store.ts';

/** A command to buy something for a subscription. */
type PurchaseCommand = Extract<
  CommandInput,
  { readonly kind: 'balance.topup' | 'credits.purchase' | 'addon.activate' }
>;

/**
 * Executes a purchase and answers the id of its paid invoice, null where there was nothing to charge. Throws `subscription_not_found`, what
 * the decision rejects, `charge_failed` for a decline, and `charge_in_progress` while the gateway has not answered: the purchase then takes
 * effect with the answer.
 */
export async function executePurchase(ctx: Context, command: PurchaseCommand): Promise<string | null> {
  const { customerId } = await requireSubscription(ctx, command.subscriptionId);
  return (await executeAnswered(ctx, customerId, command)).invoiceId;
}

/** Executes a purchase that always has an invoice, and answers it. Throws what `executePurchase` throws. */
export async function purchase(ctx: Context, command: PurchaseCommand): Promise<Row<'Invoice'>> {
  const invoiceId = await executePurchase(ctx, command);
  if (invoiceId === null) throw new Error('A purchase has no invoice.');
  return requireInvoice(ctx, invoiceId);
}
