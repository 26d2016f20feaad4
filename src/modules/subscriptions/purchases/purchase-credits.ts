import type { Context } from '../../../request/context.ts';
import { purchase } from './purchase.ts';
import type { CreditGrantShape } from './types.ts';

/** Purchases a credit pack for a subscription (CON-20) and returns the added credits. Throws the errors thrown by `purchase`. */
export async function purchaseCredits(
  ctx: Context,
  { subscriptionId: id, creditPackId }: { readonly subscriptionId: string; readonly creditPackId: string },
): Promise<CreditGrantShape> {
  const invoice = await purchase(ctx, { kind: 'credits.purchase', subscriptionId: id, creditPackId });
  const { purchase: bought } = invoice;
  if (bought === null || !('credits' in bought))
    throw new Error(`The invoice ${invoice.id} buys no credits.`);
  return { credits: bought.credits, invoice };
}
