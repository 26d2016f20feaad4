import type { Context } from '../../context.ts';
import type { SubscriptionRow } from '../subscriptions/store.ts';

/** The invoice whose payment makes a subscription run again: the one in dunning, or that of a declined new start; null without either. */
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
