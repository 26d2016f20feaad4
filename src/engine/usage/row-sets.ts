import { accessStatuses } from '../../domain/subscription/state/transitions.ts';
import { rowSets } from '../../platform/db/row-sets.ts';

// Reads all rows that determine access to features with one statement, except customers and accounts.
// Parameters: $2 customer IDs or external IDs, $3 feature codes, $4 event IDs that API clients assigned.

const models = {
  lots: 'Lot',
  counters: 'UsageCounter',
  events: 'UsageEvent',
  counts: 'FeatureCount',
  activations: 'AddonActivation',
  numbers: 'EnvironmentCounter',
} as const;

// Each row is looked up by key. `OFFSET 0` and `LIMIT` prevent other join plans. Without table statistics,
// the planner would read all rows in an environment.

/**
 * SQL: customers `c` in $2 by ID and seq. An ID takes precedence over an external ID (GLO-2). Repeated
 * values in $2 return repeated rows.
 */
export const namedCustomers = `unnest($2::text[]) AS named(name) CROSS JOIN LATERAL (
     SELECT id, seq FROM "Customer" WHERE "environmentId" = $1 AND id = named.name AND "deletedAt" IS NULL
     UNION ALL SELECT id, seq FROM "Customer" WHERE "environmentId" = $1 AND "externalId" = named.name AND "deletedAt" IS NULL LIMIT 1) c`;

/** SQL: the subscription `s` that gives customer `c` access. A customer has at most one. */
export const heldSubscription = `CROSS JOIN LATERAL (
     SELECT *, xmin AS stamp FROM "Subscription" WHERE "environmentId" = $1 AND "customerId" = c.id
       AND status IN (${accessStatuses.map((status) => `'${status}'`).join(', ')}) OFFSET 0) s`;

/** SQL: looks up a table row by ID. By default, returns all columns, and the row version as `stamp`. */
export const lookAt = (table: string, id: string, columns = '*, xmin AS stamp', lock = ''): string =>
  `CROSS JOIN LATERAL (SELECT ${columns} FROM "${table}" WHERE "environmentId" = $1 AND id = ${id} OFFSET 0 ${lock})`;

/** SQL: the row `t` with the given ID, and its version. */
export const rowById = (table: string, id: string): string => `${lookAt(table, id)} t`;

/** SQL condition: the add-on `a` applies to a subscription whose current period started at the given time. */
export const isHeld = (periodStart: string): string =>
  `(a.status = 'active' OR a."deactivatedAt" >= ${periodStart})`;

/** SQL condition: the environment has an add-on activation. Evaluated once per statement. */
export const anyActivation = 'EXISTS (SELECT FROM "AddonActivation" a WHERE a."environmentId" = $1)';

const common = `
  customer AS MATERIALIZED (SELECT DISTINCT c.id FROM ${namedCustomers}),
  held AS MATERIALIZED (SELECT s.id, s."periodStart" FROM customer c ${heldSubscription}),
  feature AS MATERIALIZED (
    SELECT t.id, t.type FROM unnest($3::text[]) AS named(code) CROSS JOIN LATERAL (
      SELECT id, type FROM "Feature" WHERE "environmentId" = $1 AND code = named.code AND "deletedAt" IS NULL OFFSET 0) t)`;

/** SQL expression that changes whenever the database server restarts. */
export const serverStamp = 'pg_postmaster_start_time()';

/** SQL: stored usage events `t` by their event IDs. */
const eventsNamedBy = (ids: string): string => `unnest(${ids}::text[]) AS named(id) CROSS JOIN LATERAL (
    SELECT *, xmin AS stamp FROM "UsageEvent" WHERE "environmentId" = $1 AND "eventId" = named.id OFFSET 0) t`;

// Lots that usage doesn't always load.
const isPlain = `source NOT IN ('plan', 'overdraft', 'commitment') AND features = '[]' AND remaining > 0`;

/**
 * SQL: open lots `t` of the subscriptions `s`, with the number of the account's open lots as `stamp`. Returns the first lots
 * in draw order (PRM-20) and the lot that expires first if the account has more than twice as many lots.
 */
const openLotsOf = (limit: string): string => `CROSS JOIN LATERAL (
      SELECT *, count AS stamp FROM (
        SELECT *, count(*) OVER (),
          row_number() OVER (PARTITION BY asset, ${isPlain} ORDER BY priority, "expiresAt" NULLS LAST, "effectiveAt", seq) AS place,
          row_number() OVER (ORDER BY "endsWithWindow", ${isPlain} DESC, "expiresAt" NULLS LAST) AS "endPlace"
        FROM "Lot" WHERE "environmentId" = $1 AND "subscriptionId" = s.id AND "isOpen" OFFSET 0) l
      WHERE count <= 2 * ${limit}::bigint OR source IN ('plan', 'overdraft', 'commitment') OR features <> '[]' OR (remaining > 0 AND place <= ${limit}::bigint)
        OR "endPlace" = 1) t`;

/** Reads open lots by subscription ID, as many as `$3` per asset. */
export const readLotRows = rowSets({ lots: 'Lot' }, 'nothing AS (SELECT)', {
  lots: `unnest($2::text[]) AS s(id) ${openLotsOf('$3')}`,
});

export const readEventRows = rowSets({ events: 'UsageEvent' }, 'nothing AS (SELECT)', {
  events: eventsNamedBy('$2'),
});

/** SQL: all open lots `t` of the subscriptions `s`. */
const allLots = `CROSS JOIN LATERAL (
      SELECT *, 0 AS stamp FROM "Lot" WHERE "environmentId" = $1 AND "subscriptionId" = s.id AND "isOpen" OFFSET 0) t`;

const partsWith = (lots: string) => ({
  lots: `held s ${lots} WHERE EXISTS (SELECT FROM "Lot" WHERE "environmentId" = $1)`,
  counters: `feature f CROSS JOIN held s ${rowById('UsageCounter', "s.id || ':' || f.id")}`,
  events: eventsNamedBy('$4'),
  counts: `feature f CROSS JOIN customer c ${rowById('FeatureCount', "c.id || ':' || f.id")} WHERE f.type IN ('seats', 'quota')`,
  activations: `held s CROSS JOIN LATERAL (
      SELECT *, xmin AS stamp FROM "AddonActivation" a WHERE a."environmentId" = $1 AND a."subscriptionId" = s.id
        AND ${isHeld('s."periodStart"')} OFFSET 0) t
    WHERE ${anyActivation} ORDER BY t.seq`,
  numbers: `(SELECT *, ${serverStamp} AS stamp FROM "EnvironmentCounter") t WHERE t."environmentId" = $1`,
});

/**
 * Reads rows with their versions, and the server version (which changes when the server restarts). Lock rows
 * before this statement, so that it sees their locked state.
 */
export const readUsageRows = rowSets(models, common, partsWith(allLots));

/** Reads the same rows, but only `$5` lots per account and asset, and the lots that are always needed. */
export const readNextUsageRows = rowSets(models, common, partsWith(openLotsOf('$5')));
