import { holdsLevel } from '../../domain/meters/meter.ts';
import type { CustomerLevelRow } from '../../domain/rows/level-row.ts';
import { counterId } from '../../domain/usage/counter.ts';
import type { UsageRequest } from '../../domain/usage/record.ts';
import type { LevelNames } from '../load/levels.ts';
import type { LoadedUsage } from './load.ts';

// Levels of features, which last across the subscriptions of a customer (PRM-14).

export type ReadLevels = (names: LevelNames) => Promise<readonly CustomerLevelRow[]>;

/**
 * Returns the usage data with the levels of earlier subscriptions. Reads nothing if no feature of the requests holds a level, or if the current
 * subscriptions have all levels.
 */
export async function withLevels(
  details: LoadedUsage,
  requests: readonly Pick<UsageRequest, 'customerId' | 'featureCode'>[],
  read: ReadLevels,
): Promise<LoadedUsage> {
  const { features, customers, subscriptions, counters } = details;
  const missing = requests.flatMap(({ customerId: reference, featureCode }) => {
    const feature = features.get(featureCode);
    const customerId = customers.get(reference)?.id ?? '';
    const subscription = subscriptions.get(customerId);
    if (feature === undefined || subscription === undefined || !feature.meters.some(holdsLevel)) return [];
    const level = counters.get(counterId(subscription.id, feature.id))?.level ?? null;
    return level === null ? [{ customerId, featureId: feature.id }] : [];
  });
  if (missing.length === 0) return details;
  const rows = await read({
    customerIds: [...new Set(missing.map(({ customerId }) => customerId))],
    featureIds: [...new Set(missing.map(({ featureId }) => featureId))],
  });
  return {
    ...details,
    levels: new Map(rows.map(({ customerId, featureId, level }) => [`${customerId}:${featureId}`, level])),
  };
}
