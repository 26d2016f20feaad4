import type { Context } from '../../context.ts';
import type { Row } from '../../infra/rows.ts';
import { purchase } from './service.ts';

/** Tops up the balance of a subscription by an amount in minor units (CON-25) and answers the paid invoice. Throws what `purchase` throws. */
export const topUpBalance = (context: Context, { id, amount }: { readonly id: string; readonly amount: number }): Promise<Row<'Invoice'>> =>
  purchase(context, { kind: 'balance.topup', subscriptionId: id, amountMinor: BigInt(amount) });
