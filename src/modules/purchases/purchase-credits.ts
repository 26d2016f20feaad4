import type { Context } from '../../context.ts';
import type { CreditsPurchase } from '../../domain/subscription/rows.ts';
import { purchase } from './service.ts';
import type { CreditGrantShape } from './types.ts';

/** Buys a credit pack for a subscription (CON-20) and answers what was added. Throws what `purchase` throws. */
export async function purchaseCredits(
  context: Context,
  { id, creditPackId }: { readonly id: string; readonly creditPackId: string },
): Promise<CreditGrantShape> {
  const invoice = await purchase(context, { kind: 'credits.purchase', subscriptionId: id, creditPackId });
  // Written by the decision in this shape.
  const { credits } = invoice.purchase as unknown as CreditsPurchase;
  return { credits, invoice };
}
