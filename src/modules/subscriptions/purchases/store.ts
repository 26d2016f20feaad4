import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';

/** Returns the current credits and balance of the subscription. Throws if the subscription has no consumption account. */
export async function requireAccount(ctx: Context, id: string): Promise<Row<'ConsumptionAccount'>> {
  const account = await ctx.db.consumptionAccount.findFirst({ where: { id } });
  if (account === null) throw new Error(`The subscription ${id} has no account.`);
  return account;
}
