import type { Context } from '../../../request/context.ts';
import type { SubscriptionRow } from '../subscriptions/store.ts';

/**
 * Returns the invoice whose payment reactivates a subscription: the invoice in dunning, or the invoice of a declined
 * reactivation. `null` if there is no such invoice.
 */
export async function recoverableInvoice(
  ctx: Context,
  { id, status, dunningInvoiceId }: SubscriptionRow,
): Promise<string | null> {
  if (status !== 'canceled') return dunningInvoiceId;
  const invoice = await ctx.db.invoice.findFirst({
    where: { subscriptionId: id, type: 'reactivation', status: 'outstanding' },
  });
  return invoice?.id ?? null;
}
