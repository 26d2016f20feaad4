import type { UsageCounterRow } from '../../domain/rows/usage-rows.ts';
import type { UsageRequest } from '../../domain/usage/record.ts';
import { countingFeatures } from '../../domain/usage/sourced.ts';
import { columnList } from '../../platform/db/bulk.ts';
import { textArray } from '../../platform/db/column-arrays.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { LoadedUsage } from './load.ts';

// Features that count the events of the features in requests (PRM-13).

/** Counters to read: the counters of all features in the windows of all subscriptions. */
type CounterNames = { readonly subscriptionIds: readonly string[]; readonly featureIds: readonly string[] };

export type ReadCounters = (names: CounterNames) => Promise<readonly UsageCounterRow[]>;

/** Reads counters. The accounts of their subscriptions must be locked for recording. */
export const readCounters = (
  sql: Query,
  { subscriptionIds, featureIds }: CounterNames,
): Promise<UsageCounterRow[]> =>
  sql<UsageCounterRow>(
    `SELECT ${columnList('UsageCounter', 't')} FROM unnest($2::text[]) AS s(id) CROSS JOIN unnest($3::text[]) AS f(id) CROSS JOIN LATERAL (
       SELECT * FROM "UsageCounter" WHERE "environmentId" = $1 AND id = s.id || ':' || f.id OFFSET 0) t`,
    [textArray(subscriptionIds), textArray(featureIds)],
  );

/** Usage data with the features that count the events of requests, and with the requests as these features count them. */
type Sourced<R> = { readonly details: LoadedUsage; readonly requests: readonly R[] };

/**
 * Adds the features that count the events of the features in requests, with their counters. Reads nothing and returns the same objects if no
 * feature of the plans counts the events of these features.
 */
export async function withSourced<R extends Pick<UsageRequest, 'featureCode'>>(
  details: LoadedUsage,
  requests: readonly R[],
  read: ReadCounters,
): Promise<Sourced<R>> {
  const { features, catalog, subscriptions } = details;
  const countingOf = ({ featureCode }: R) => countingFeatures(catalog, features.get(featureCode)?.id ?? '');
  const others = requests.flatMap((request) =>
    countingOf(request).map(({ code }): R => ({ ...request, featureCode: code })),
  );
  if (others.length === 0) return { details, requests };
  const counting = new Map(requests.flatMap((request) => countingOf(request).map((one) => [one.code, one])));
  const counters = await read({
    subscriptionIds: [...subscriptions.values()].map(({ id }) => id),
    featureIds: [...counting.values()].map(({ id }) => id),
  });
  return {
    details: {
      ...details,
      features: new Map([...features, ...counting]),
      counters: new Map([...details.counters, ...counters.map((row) => [row.id, row] as const)]),
    },
    requests: [...requests, ...others],
  };
}
