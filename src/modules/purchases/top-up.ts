import type { Context } from '../../context.ts';
import type { Row } from '../../platform/db/rows.ts';
import { purchase } from './purchase.ts';

/** Tops up the balance of a subscription by an amount in minor units (CON-25) and answers the paid invoice. Throws what `purchase` throws. */
export const topUpBalance = (
  ctx: Context,
  { subscriptionId: id, amount }: { readonly subscriptionId: string; readonly amount: number },
): Promise<Row<'Invoice'>> =>
  purchase(ctx, { kind: 'balance.topup', subscriptionId: id, amountMinor: BigInt(amount) });
