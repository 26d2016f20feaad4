import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { purchase } from './purchase.ts';

/**
 * Tops up a subscription's balance by an amount in minor units (CON-25) and returns the paid invoice. Throws the errors thrown by `purchase`.
 */
export const topUpBalance = (
  ctx: Context,
  { subscriptionId: id, amount }: { readonly subscriptionId: string; readonly amount: number },
): Promise<Row<'Invoice'>> =>
  purchase(ctx, { kind: 'balance.topup', subscriptionId: id, amountMinor: BigInt(amount) });
