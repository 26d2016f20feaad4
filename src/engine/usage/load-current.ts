import type { Context } from '../../request/context.ts';
import { withStoredParts } from './cells.ts';
import { type LoadedUsage, loadUsageDetails, type UsageNeeds } from './load.ts';
import { customersWithHolds, readDueHolds, withDueHolds } from './load-holds.ts';

type Requests = Parameters<typeof withStoredParts>[2];

/**
 * Reads usage data without locks, with the due holds of its customers (LIM-60). `needsCounters`: adds all counters of the subscriptions if
 * the environment has limits.
 */
export async function loadCurrentUsage(
  ctx: Context,
  needs: UsageNeeds,
  requests: Requests,
  needsCounters = false,
): Promise<LoadedUsage> {
  const read = async (wanted: UsageNeeds): Promise<LoadedUsage> =>
    withStoredParts(ctx.sql, await loadUsageDetails(ctx, wanted), requests, needsCounters);
  const details = await read(needs);
  const held = customersWithHolds(details);
  if (held.size === 0) return details;
  const due = await readDueHolds(ctx.sql, [...held], details.now);
  if (due.holds.length === 0) return withDueHolds(details, due);
  const featureCodes = [...new Set([...needs.featureCodes, ...due.featureCodes])];
  return withDueHolds(await read({ ...needs, featureCodes }), due);
}
