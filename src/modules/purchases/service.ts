import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { executeOne, type Order } from '../../engine/execute.ts';
import type { Row } from '../../infra/rows.ts';
import { requireInvoice } from '../invoices/service.ts';
import { requireSubscription } from '../subscriptions/find.ts';

/** An order to buy something for a subscription. */
type PurchaseOrder = Extract<Order, { readonly kind: 'balance.topup' | 'credits.purchase' }>;

/**
 * Executes a purchase and answers its paid invoice. Throws `subscription_not_found`, what the decision refuses, `charge_failed` for a decline,
 * and `charge_in_progress` while the gateway has not answered: the purchase then takes effect with the answer.
 */
export async function purchase(context: Context, order: PurchaseOrder): Promise<Row<'Invoice'>> {
  const { customerId } = await requireSubscription(context, order.subscriptionId);
  const { invoiceId, status } = await executeOne(context, customerId, order);
  if (status === 'unanswered') throw new QuittanceError('charge_in_progress', 'The gateway has not answered yet.');
  if (invoiceId === null) throw new Error('A purchase has no invoice.');
  return requireInvoice(context, invoiceId);
}
