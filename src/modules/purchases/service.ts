import type { Context } from '../../context.ts';
import { executeAnswered, type Order } from '../../engine/execute.ts';
import type { Row } from '../../infra/rows.ts';
import { requireInvoice } from '../invoices/service.ts';
import { requireSubscription } from '../subscriptions/find.ts';

/** An order to buy something for a subscription. */
type PurchaseOrder = Extract<Order, { readonly kind: 'balance.topup' | 'credits.purchase' | 'addon.activate' }>;

/**
 * Executes a purchase and answers the id of its paid invoice, null where there was nothing to charge. Throws `subscription_not_found`, what
 * the decision refuses, `charge_failed` for a decline, and `charge_in_progress` while the gateway has not answered: the purchase then takes
 * effect with the answer.
 */
export async function order(context: Context, command: PurchaseOrder): Promise<string | null> {
  const { customerId } = await requireSubscription(context, command.subscriptionId);
  return (await executeAnswered(context, customerId, command)).invoiceId;
}

/** Executes a purchase that always has an invoice, and answers it. Throws what `order` throws. */
export async function purchase(context: Context, command: PurchaseOrder): Promise<Row<'Invoice'>> {
  const invoiceId = await order(context, command);
  if (invoiceId === null) throw new Error('A purchase has no invoice.');
  return requireInvoice(context, invoiceId);
}
