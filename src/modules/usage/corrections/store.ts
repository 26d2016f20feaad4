import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';

/** Returns a stored correction. */
export async function requireCorrection(ctx: Context, id: string): Promise<Row<'UsageCorrection'>> {
  const correction = await ctx.db.usageCorrection.findFirst({ where: { id } });
  if (correction === null) throw new Error(`The correction ${id} doesn't exist.`);
  return correction;
}
