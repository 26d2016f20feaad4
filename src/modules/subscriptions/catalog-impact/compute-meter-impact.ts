import { isDeepStrictEqual } from 'node:util';
import { isPlain, type MeterDocument, meterOfVersion } from '../../../domain/meters/meter.ts';
import type { MeterInput } from '../../../domain/meters/read-meter.ts';
import { recountedWindow } from '../../../domain/usage/recounted-window.ts';
import type { Query } from '../../../platform/db/pool.ts';
import type { Context } from '../../../request/context.ts';
import { checkedMeter, requireNamed, withSource } from '../../catalog/features/set-meter.ts';
import { billChanges, type ChangeWindows } from './compute-bill-change.ts';
import { type CatalogImpact, type ImpactFavor, impactOf, noImpact } from './compute-impact.ts';
import { loadUsers } from './load-related.ts';
import { maxEvents, readSubscribers, readWindowEvents } from './store.ts';

/** New meter of a feature. `code` is the code or the ID of the feature. */
export type MeterChange = MeterInput & {
  readonly code: string;
  readonly recount?: boolean | null | undefined;
};

/** Returns a function that counts the events of windows again with another meter, up to `maxEvents` events in all windows. */
function withMeter(sql: Query, meter: MeterDocument | null): ChangeWindows {
  let left = maxEvents;
  return async (windows) => {
    if (left === 0) return windows.map(() => null);
    const events = await readWindowEvents(sql, windows, left);
    for (const own of events.values()) left -= own.length;
    return windows.map((row) => recountedWindow(row, meter, events.get(row.id) ?? []));
  };
}

/**
 * Returns the impact of a new meter on the subscribers of all plans and add-ons with the feature (PRM-122). A meter applies from the next
 * period, and immediately if open usage windows are counted again (PRM-123). The change of the last usage charges determines the party
 * that benefits. Throws `feature_not_found` if the feature doesn't exist. Throws `validation_error` if the meter is invalid.
 */
export async function meterImpact(
  ctx: Context,
  { code, recount, ...input }: MeterChange,
): Promise<CatalogImpact> {
  const feature = await requireNamed(ctx, code);
  const meter = checkedMeter(feature, await withSource(ctx, input));
  const latest = feature.meters.at(-1);
  if (
    latest !== undefined &&
    isDeepStrictEqual(meterOfVersion(latest), meterOfVersion({ ...latest, ...meter }))
  )
    return noImpact;
  const features = await loadUsers(ctx, feature.id);
  const planIds = features.plans.map(({ planId }) => planId);
  const addonIds = features.addons.map(({ addonId }) => addonId);
  const isLater = recount !== true;
  const groups = await readSubscribers(ctx.sql, { planIds, addonIds }, isLater);
  const bills = await billChanges(
    ctx.sql,
    features,
    isLater,
    withMeter(ctx.sql, isPlain(meter) ? null : meter),
  );
  const favors = new Set(
    bills.lastBills.map(
      ({ beforeMinor, afterMinor }): ImpactFavor =>
        beforeMinor === afterMinor ? 'neither' : afterMinor < beforeMinor ? 'customer' : 'merchant',
    ),
  );
  const [favor = 'neither'] = favors;
  const when = isLater ? 'at_next_period' : 'immediately';
  const impact = impactOf(
    groups,
    when,
    favors.size > 1 ? 'mixed' : favor,
    isLater ? {} : { now: ctx.clock.now() },
  );
  return { ...impact, bills };
}
