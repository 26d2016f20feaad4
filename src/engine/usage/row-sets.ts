import { accessStatuses } from '../../domain/subscription/state/transitions.ts';
import { rowSets } from '../../platform/db/row-sets.ts';

// What decides about the use of features beside customers and their accounts, by one statement: $2 customers by either identifier, $3 codes of
// features, $4 the callers' event ids.

const models = {
  counters: 'UsageCounter',
  events: 'UsageEvent',
  counts: 'FeatureCount',
  activations: 'AddonActivation',
  numbers: 'EnvironmentCounter',
} as const;

// Every row is found by a look at its key alone: OFFSET 0 and LIMIT keep the server from joining otherwise where it knows nothing of the sizes
// of tables yet, and would read all of an environment.

/** The customers `c` in $2, by id and seq; our id goes before the caller's (GLO-2). One that is named twice comes twice. */
export const namedCustomers = `unnest($2::text[]) AS named(name) CROSS JOIN LATERAL (
     SELECT id, seq FROM "Customer" WHERE "environmentId" = $1 AND id = named.name AND "deletedAt" IS NULL
     UNION ALL SELECT id, seq FROM "Customer" WHERE "environmentId" = $1 AND "externalId" = named.name AND "deletedAt" IS NULL LIMIT 1) c`;

/** The subscription `s` that gives access to a customer `c`; there is at most one. */
export const heldSubscription = `CROSS JOIN LATERAL (
     SELECT *, xmin AS stamp FROM "Subscription" WHERE "environmentId" = $1 AND "customerId" = c.id
       AND status IN (${accessStatuses.map((status) => `'${status}'`).join(', ')}) OFFSET 0) s`;

/** A look at the row of a table with the id given by an expression: these columns of it, the version among them as `stamp` by default. */
export const lookAt = (table: string, id: string, columns = '*, xmin AS stamp', lock = ''): string =>
  `CROSS JOIN LATERAL (SELECT ${columns} FROM "${table}" WHERE "environmentId" = $1 AND id = ${id} OFFSET 0 ${lock})`;

/** The row `t` of a table with the id given by an expression, and its version. */
export const rowById = (table: string, id: string): string => `${lookAt(table, id)} t`;

/** Whether the add-on `a` counts for a subscription whose period began then. */
export const isHeld = (periodStart: string): string =>
  `(a.status = 'active' OR a."deactivatedAt" >= ${periodStart})`;

/** Whether the environment has add-ons at all, which is asked once. */
export const anyActivation = 'EXISTS (SELECT FROM "AddonActivation" a WHERE a."environmentId" = $1)';

const common = `
  customer AS MATERIALIZED (SELECT DISTINCT c.id FROM ${namedCustomers}),
  held AS MATERIALIZED (SELECT s.id, s."periodStart" FROM customer c ${heldSubscription}),
  feature AS MATERIALIZED (
    SELECT t.id, t.type FROM unnest($3::text[]) AS named(code) CROSS JOIN LATERAL (
      SELECT id, type FROM "Feature" WHERE "environmentId" = $1 AND code = named.code AND "deletedAt" IS NULL OFFSET 0) t)`;

/** What differs from one start of the server to the next, in text. */
export const serverStamp = 'pg_postmaster_start_time()';

/** The events `t` stored under the callers' event ids a parameter lists. */
const eventsNamedBy = (ids: string): string => `unnest(${ids}::text[]) AS named(id) CROSS JOIN LATERAL (
    SELECT *, xmin AS stamp FROM "UsageEvent" WHERE "environmentId" = $1 AND "eventId" = named.id OFFSET 0) t`;

/** Reads the events stored under the callers' event ids ($2). */
export const readEventRows = rowSets({ events: 'UsageEvent' }, 'nothing AS (SELECT)', {
  events: eventsNamedBy('$2'),
});

/** Reads the rows, with their versions, and with the numbers the server's. A caller that locks does so before, so that this sees what the locks protect. */
export const readUsageRows = rowSets(models, common, {
  counters: `feature f CROSS JOIN held s ${rowById('UsageCounter', "s.id || ':' || f.id")}`,
  events: eventsNamedBy('$4'),
  counts: `feature f CROSS JOIN customer c ${rowById('FeatureCount', "c.id || ':' || f.id")} WHERE f.type IN ('seats', 'quota')`,
  activations: `held s CROSS JOIN LATERAL (
      SELECT *, xmin AS stamp FROM "AddonActivation" a WHERE a."environmentId" = $1 AND a."subscriptionId" = s.id
        AND ${isHeld('s."periodStart"')} OFFSET 0) t
    WHERE ${anyActivation} ORDER BY t.seq`,
  numbers: `(SELECT *, ${serverStamp} AS stamp FROM "EnvironmentCounter") t WHERE t."environmentId" = $1`,
});
