import type { HoldRow } from '../../domain/holds/hold.ts';
import { namedHold } from '../../domain/holds/steps.ts';
import type { LimitStateRow } from '../../domain/limits/limit.ts';
import type { UsageCounterRow } from '../../domain/rows/usage-rows.ts';
import type { UsageRequest } from '../../domain/usage/record.ts';
import { textArray } from '../../platform/db/column-arrays.ts';
import type { Query } from '../../platform/db/pool.ts';
import { rowSets } from '../../platform/db/row-sets.ts';
import { type LoadedUsage, usageEventOf } from './load.ts';
import { lookAt } from './row-sets.ts';

// Holds in requests, and due holds. The account of the subscription protects them. Batches without holds read nothing.

const byReference = `unnest($2::text[]) AS named(id) CROSS JOIN LATERAL (
    SELECT * FROM "UsageHold" WHERE "environmentId" = $1 AND id = named.id
    UNION SELECT * FROM "UsageHold" WHERE "environmentId" = $1 AND "holdId" = named.id OFFSET 0) h`;

const readNamed = rowSets(
  { holds: 'UsageHold', events: 'UsageEvent' },
  `hold AS MATERIALIZED (SELECT DISTINCT h.* FROM (SELECT h.id AS found FROM ${byReference}) f ${lookAt('UsageHold', 'f.found', '*')} h)`,
  {
    holds: `(SELECT *, '' AS stamp FROM hold) t`,
    events: `hold h ${lookAt('UsageEvent', 'h."lastEventId"')} t`,
  },
);

/** Reads holds by their IDs or by the identifiers that API clients assigned, and the events that settled them last. */
export const readHolds = (sql: Query, references: readonly string[]) =>
  readNamed(sql, [textArray(references)]);

type NamedHolds = Awaited<ReturnType<typeof readHolds>>;

/** Acquires row locks, because an account lock protects only the holds of a subscription that gives access. */
export async function lockHolds(sql: Query, ids: readonly string[]): Promise<void> {
  await sql(
    `SELECT 1 FROM (SELECT named.id FROM unnest($2::text[]) AS named(id) ORDER BY named.id) named
       ${lookAt('UsageHold', 'named.id', '1', 'FOR UPDATE')} t`,
    [textArray(ids)],
  );
}

/** Returns the holds that requests name. */
const namedIn = (requests: readonly Pick<UsageRequest, 'hold'>[]): string[] => [
  ...new Set(
    requests.flatMap(({ hold }) => {
      const name = hold === undefined ? null : namedHold(hold);
      return name === null ? [] : [name];
    }),
  ),
];

/** Reads and locks holds. `lock` is `null` if nothing is written. */
export type HoldReaders = {
  readonly readHolds: (references: readonly string[]) => Promise<NamedHolds>;
  readonly lockHolds: ((ids: readonly string[]) => Promise<void>) | null;
};

/** Returns the usage data with the holds that requests name. Reads nothing if no request names a hold. */
export async function withHolds(
  details: LoadedUsage,
  requests: readonly Pick<UsageRequest, 'hold'>[],
  { readHolds: read, lockHolds: lock }: HoldReaders,
): Promise<LoadedUsage> {
  const names = namedIn(requests);
  if (names.length === 0) return details;
  let found = await read(names);
  const unprotected = found.holds.filter(({ subscriptionId }) => !details.accounts.has(subscriptionId));
  if (lock !== null && unprotected.length > 0) {
    await lock(unprotected.map(({ id }) => id));
    found = await read(names);
  }
  const { holds, events } = found;
  return {
    ...details,
    holds: [...details.holds, ...holds],
    holdEvents: new Map(events.map((row) => [row.id, usageEventOf(row)])),
  };
}

/** Due holds, with the counters and gauges that they reserve. */
export type DueHolds = {
  readonly holds: readonly HoldRow[];
  readonly counters: readonly UsageCounterRow[];
  readonly states: readonly LimitStateRow[];
  /** Codes of the features of the holds. */
  readonly featureCodes: readonly string[];
  /** Open holds of the customers that end later, the earliest first. */
  readonly open: readonly HoldRow[];
};

const nodesOfHolds = `SELECT DISTINCT node FROM hold h CROSS JOIN LATERAL jsonb_object_keys(h.gauges) AS node`;

const dueSets = (condition: string, open: string) =>
  rowSets(
    {
      holds: 'UsageHold',
      open: 'UsageHold',
      counters: 'UsageCounter',
      states: 'LimitState',
      features: 'Feature',
    },
    `hold AS MATERIALIZED (SELECT h.* FROM ${condition})`,
    {
      holds: `(SELECT *, '' AS stamp FROM hold) t ORDER BY t."dueAt", t.seq`,
      open,
      counters: `(SELECT DISTINCT h."subscriptionId" || ':' || h."featureId" AS id FROM hold h) c ${lookAt('UsageCounter', 'c.id')} t`,
      states: `(${nodesOfHolds}) n ${lookAt('LimitState', 'n.node')} t`,
      features: `(SELECT DISTINCT h."featureId" AS id FROM hold h) f ${lookAt('Feature', 'f.id')} t`,
    },
  );

/** Maximum number of open holds of a customer whose ends are read. */
const mostOpen = 1_000;

const readDue = dueSets(
  `unnest($2::text[]) AS named(id) CROSS JOIN LATERAL (
    SELECT * FROM "UsageHold" WHERE "environmentId" = $1 AND "customerId" = named.id AND "dueAt" <= $3::timestamptz OFFSET 0) h`,
  `unnest($2::text[]) AS named(id) CROSS JOIN LATERAL (SELECT *, '' AS stamp FROM "UsageHold"
    WHERE "environmentId" = $1 AND "customerId" = named.id AND "dueAt" > $3::timestamptz ORDER BY "dueAt" LIMIT ${mostOpen}) t`,
);

const readDueById = dueSets(
  `unnest($2::text[]) AS named(id) CROSS JOIN LATERAL (
    SELECT * FROM "UsageHold" WHERE "environmentId" = $1 AND id = named.id AND "dueAt" <= $3::timestamptz OFFSET 0) h`,
  `(SELECT *, '' AS stamp FROM hold WHERE false) t`,
);

const dueOf = ({
  holds,
  open,
  counters,
  states,
  features,
}: Awaited<ReturnType<typeof readDue>>): DueHolds => ({
  holds,
  open,
  counters: counters.map((row) => row as UsageCounterRow),
  states,
  featureCodes: features.map(({ code }) => code),
});

/** Reads the due holds of customers, and the ends of their open holds. */
export const readDueHolds = async (
  sql: Query,
  customerIds: readonly string[],
  now: Date,
): Promise<DueHolds> => dueOf(await readDue(sql, [textArray(customerIds), now.toISOString()]));

/** Reads due holds by ID. */
export const readDueHoldsById = async (sql: Query, ids: readonly string[], now: Date): Promise<DueHolds> =>
  dueOf(await readDueById(sql, [textArray(ids), now.toISOString()]));

/** Returns the customers of the usage data for which anything is held. */
export function customersWithHolds({ accounts, counters, limits }: LoadedUsage): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { customerId, held } of counters.values()) if (held !== null) found.add(customerId);
  for (const { customerId, pools } of accounts.values())
    if (Object.values(pools).some(({ held }) => held !== undefined)) found.add(customerId);
  for (const { customerId, gauges } of limits?.states.values() ?? [])
    if (Object.values(gauges).some(({ held }) => held !== undefined)) found.add(customerId);
  return found;
}

/** Returns the usage data with due holds. Rows that are already loaded don't change. */
export const withDueHolds = (details: LoadedUsage, due: DueHolds): LoadedUsage => {
  const known = new Set(details.holds.map(({ id }) => id));
  return {
    ...details,
    holds: [...details.holds, ...due.holds.filter(({ id }) => !known.has(id))],
    dueHolds: due.holds.map(({ id }) => id),
    counters: new Map([...due.counters.map((row) => [row.id, row] as const), ...details.counters]),
    limits:
      details.limits === null
        ? null
        : {
            ...details.limits,
            openHolds: due.open,
            states: new Map([...due.states.map((row) => [row.id, row] as const), ...details.limits.states]),
          },
  };
};
