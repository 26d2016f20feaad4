import type { Context } from '../../context.ts';
import type { Row } from '../../platform/db/rows.ts';

/** What the subscription has left to use, as it is now. Throws where it has no account. */
export async function requireAccount(ctx: Context, id: string): Promise<Row<'ConsumptionAccount'>> {
  const account = await ctx.db.consumptionAccount.findFirst({ where: { id } });
  if (account === null) throw new Error(`The subscription ${id} has no account.`);
  return account;
}
