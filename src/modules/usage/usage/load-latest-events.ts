import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';

/** Loads the latest recorded events of a feature, newest first. Excludes the corrected events among them. */
export async function loadLatestEvents(
  ctx: Context,
  featureId: string,
  count: number,
): Promise<readonly Row<'UsageEvent'>[]> {
  const latest = await ctx.db.usageEvent.findMany({
    where: { featureId },
    orderBy: [{ createdAt: 'desc' }, { seq: 'desc' }],
    take: count,
  });
  const corrections = await ctx.db.usageCorrection.findMany({
    where: { usageEventId: { in: latest.map(({ id }) => id) } },
    select: { usageEventId: true },
  });
  const corrected = new Set(corrections.map(({ usageEventId }) => usageEventId));
  return latest.filter(({ id }) => !corrected.has(id));
}
