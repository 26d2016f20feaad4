import { portalSessionSpans } from '../domain/pages/portal-session.ts';
import { dayMs } from '../domain/time/period.ts';
import { correctableDays } from '../domain/usage/ended-correction.ts';
import { emailFileName } from '../modules/messages/emails/store.ts';
import type { Row } from '../platform/db/rows.ts';
import type { App } from '../request/context.ts';

// Lists the rows that housekeeping removes, and removes them in batches. Ages are in real time.

/** Number of expired rows to remove per statement. */
const batchSize = 1_000;

/**
 * Maximum number of SQL statements per run. The next run removes the remaining rows. Half a million rows per minute are
 * enough for an installation that writes 6,000 rows of one type per second.
 */
const maxBatches = 500;

/** Number of days that crossings and ended raises of limits are kept. */
const limitHistoryDays = 400;

type Found = { readonly environmentId: string; readonly id: string };

/** Cutoff time: older rows are removed. `null` keeps all rows. */
type Limit = (app: App) => Date | null;

/** Rows without an environment to remove after the time in `column` has passed. */
type InstallationRule = { readonly table: string; readonly column: string; readonly key: string };

/** Rows of environments to remove, and how to find and delete them. */
type EnvironmentRule = {
  /**
   * SQL statement that finds the environment and ID of rows to remove. With a `limit`, `$1` is the cutoff time, and
   * `$2` is the number of rows. Without a `limit`, `$1` is the number of rows.
   */
  readonly find: string;
  readonly limit?: Limit;
  /** Tables to delete from, with the column that contains the found ID. */
  readonly from: readonly (readonly [table: string, column: string])[];
  /**
   * Condition that a row must still meet, because it can change between the two SQL statements. `$3` is the cutoff
   * time.
   */
  readonly unchanged?: string;
  /** Function that runs before the found rows of an environment are deleted. */
  readonly before?: (app: App, environmentId: string, rows: readonly Found[]) => Promise<void>;
};

const now: Limit = ({ wall }) => wall.now();

/** Returns the time `days` days ago. `null` for 0 days, because rows are then kept forever. */
const daysAgo = ({ wall }: App, days: number): Date | null =>
  days === 0 ? null : new Date(wall.now().getTime() - days * dayMs);

const requestLogLimit: Limit = (app) => daysAgo(app, app.config.requestLogDays) ?? app.wall.now();

/** Returns the rule parts that find the oldest rows of a table by a time column. */
const oldest = (table: string, column: string): Pick<EnvironmentRule, 'find' | 'from'> => ({
  find: `SELECT "environmentId", id FROM "${table}" WHERE "${column}" <= $1 ORDER BY "${column}" LIMIT $2`,
  from: [[table, 'id']],
});

/**
 * Returns the rule for rows of ended usage windows. Most usage windows last a month, so that few of the found rows belong to an open
 * window.
 */
const endedWindows = (
  table: string,
): Required<Pick<EnvironmentRule, 'find' | 'limit' | 'from' | 'unchanged'>> => ({
  find: `SELECT v."environmentId", v.id FROM "${table}" v
       JOIN "Subscription" s ON s."environmentId" = v."environmentId" AND s.id = v."subscriptionId"
       WHERE v."windowStart" <= $1 AND (v."windowStart" < s."windowStart" OR s.status = 'canceled')
       ORDER BY v."windowStart" LIMIT $2`,
  limit: (app) => daysAgo(app, 40),
  from: [[table, 'id']],
  unchanged: '"windowStart" <= $3',
});

const rules = {
  /** Idempotency keys of requests without an environment, which expire after 24 hours. */
  openIdempotencyKeys: { table: 'OpenIdempotencyKey', column: 'expiresAt', key: 'operation, id' },
  /** Expired passkey challenges and links from account emails. */
  verifications: { table: 'Verification', column: 'expiresAt', key: 'id' },
  /** Expired sign-ins of command lines. */
  deviceLogins: { table: 'DeviceLogin', column: 'expiresAt', key: 'id' },
  /** Expired authorization codes of apps. */
  oauthCodes: { table: 'OAuthCode', column: 'expiresAt', key: '"codeHash"' },
  /** Expired refresh tokens of connected apps. */
  oauthRefreshTokens: { table: 'OAuthRefreshToken', column: 'expiresAt', key: '"tokenHash"' },
  /** Expired access tokens of connected apps. */
  accessTokens: { table: 'ApiKeyHash', column: 'expiresAt', key: 'hash' },
  /** Windows of use limits that have ended. */
  useWindows: { table: 'UseWindow', column: 'endsAt', key: 'id' },
  /**
   * Idempotency keys of requests with an environment, which expire after 24 hours. A key can be reused between the two
   * SQL statements.
   */
  idempotencyKeys: {
    ...oldest('IdempotencyKey', 'expiresAt'),
    limit: now,
    unchanged: '"expiresAt" <= $3',
  },
  portalSessions: {
    ...oldest('PortalSession', 'createdAt'),
    limit: ({ wall }) => new Date(wall.now().getTime() - portalSessionSpans.longestMs),
  },
  liveTickets: { ...oldest('LiveTicket', 'expiresAt'), limit: now },
  /** Results of ended clock runs. The runs and their counts are kept. Results are never added to an ended run. */
  runItems: {
    // One query per run, so that each old run takes one index lookup, regardless of the results of other runs.
    find: `SELECT r."environmentId", i.id FROM "TestClockRun" r CROSS JOIN LATERAL (
         SELECT t.id FROM "TestClockRunItem" t WHERE t."environmentId" = r."environmentId" AND t."runId" = r.id ORDER BY t.seq LIMIT $2
       ) i WHERE r."finishedAt" <= $1 LIMIT $2`,
    limit: (app) => daysAgo(app, app.config.runItemRetentionDays),
    from: [['TestClockRunItem', 'id']],
  },
  /** Ended webhook deliveries. A resent delivery is removed together with its new attempt. */
  deliveries: {
    ...oldest('WebhookDelivery', 'finishedAt'),
    limit: (app) => daysAgo(app, app.config.webhookDeliveryRetentionDays),
  },
  /** Deliveries of deleted endpoints (PLT-41). */
  deliveriesOfDeletedEndpoints: {
    find: `SELECT d."environmentId", d.id FROM "Webhook" w CROSS JOIN LATERAL (
         SELECT t."environmentId", t.id FROM "WebhookDelivery" t WHERE t."environmentId" = w."environmentId" AND t."webhookId" = w.id LIMIT $1
       ) d WHERE w."deletedAt" IS NOT NULL LIMIT $1`,
    from: [['WebhookDelivery', 'id']],
  },
  /** Deleted endpoints without deliveries (PLT-41). */
  deletedEndpoints: {
    find: `SELECT w."environmentId", w.id FROM "Webhook" w WHERE w."deletedAt" IS NOT NULL AND NOT EXISTS (
         SELECT 1 FROM "WebhookDelivery" d WHERE d."environmentId" = w."environmentId" AND d."webhookId" = w.id) LIMIT $1`,
    from: [
      ['WebhookCursor', 'id'],
      ['Webhook', 'id'],
    ],
  },
  /** Completed emails with their stored files, oldest first. */
  emails: {
    find: `SELECT l."environmentId", l.id, l.seq, l.kind FROM "EmailCursor" k CROSS JOIN LATERAL (
         SELECT t."environmentId", t.id, t.seq, t.kind FROM "EmailNotification" t
         WHERE t."environmentId" = k."environmentId" AND t."createdAt" <= $1 AND t."finishedAt" IS NOT NULL
         ORDER BY t."createdAt", t.seq LIMIT $2) l LIMIT $2`,
    limit: (app) => daysAgo(app, app.config.emailRetentionDays),
    from: [['EmailNotification', 'id']],
    before: ({ mail }, environmentId, rows) =>
      mail.forget(
        environmentId,
        (rows as readonly (Found & Pick<Row<'EmailNotification'>, 'seq' | 'kind'>)[]).map(emailFileName),
      ),
  },
  /**
   * Events, oldest first. Compares the event's time, according to the environment's clock, with real time. Keeps events
   * that emails, metrics, or an active endpoint haven't processed.
   */
  events: {
    // Positions ascend with time, so the search starts with the oldest event and ends at the first recent event.
    find: `SELECT e."environmentId", e.id FROM "EmailCursor" k JOIN "SumCursor" m ON m."environmentId" = k."environmentId" AND m.source = 'outcomes'
       CROSS JOIN LATERAL (SELECT min(c.position) AS position FROM "WebhookCursor" c
         JOIN "Webhook" w ON w."environmentId" = k."environmentId" AND w.id = c.id AND w."isActive" AND w."deletedAt" IS NULL
         WHERE c."environmentId" = k."environmentId") AS endpoints
       CROSS JOIN LATERAL (SELECT t."environmentId", t.id, t."occurredAt" FROM "Event" t
         WHERE t."environmentId" = k."environmentId" AND t.position <= least(k.position, m.seq, endpoints.position)
         ORDER BY t.position LIMIT $2) AS e
       WHERE e."occurredAt" <= $1 LIMIT $2`,
    limit: (app) => daysAgo(app, app.config.eventRetentionDays),
    from: [['Event', 'id']],
  },
  /**
   * Usage events, oldest first. Compares the event's time, according to the environment's clock, with real time. Keeps
   * events that aren't included in the daily sums yet, and events of open usage windows, because their totals can depend on them.
   */
  usageEvents: {
    find: `SELECT e."environmentId", e.id FROM "SumCursor" k CROSS JOIN LATERAL (
         SELECT t."environmentId", t.id FROM "UsageEvent" t
         WHERE t."environmentId" = k."environmentId" AND t."createdAt" <= $1 AND t."createdAt" < k.until
           AND NOT EXISTS (SELECT FROM "Subscription" s WHERE s."environmentId" = t."environmentId" AND s.id = t."subscriptionId"
             AND s.status <> 'canceled' AND s."windowStart" = t."windowStart")
         ORDER BY t."createdAt", t.seq LIMIT $2) AS e WHERE k.source = 'usage' LIMIT $2`,
    limit: (app) => daysAgo(app, app.config.usageEventRetentionDays),
    from: [['UsageEvent', 'id']],
  },
  /** Values that meters counted in ended usage windows. */
  usageValues: endedWindows('UsageValue'),
  /** Totals by dimension values of ended usage windows. */
  usageCells: endedWindows('UsageCell'),
  /** Usage of ended usage windows whose usage events can't be corrected anymore. */
  endedUsage: { ...oldest('EndedUsage', 'windowEnd'), limit: (app) => daysAgo(app, correctableDays + 1) },
  /** Holds that ended at least 90 days ago. A hold can be open for 7 days. */
  holds: {
    find: `SELECT h."environmentId", h.id FROM "EnvironmentCounter" k CROSS JOIN LATERAL (
         SELECT t."environmentId", t.id FROM "UsageHold" t
         WHERE t."environmentId" = k."environmentId" AND t."createdAt" <= $1 AND t."endedAt" IS NOT NULL
         ORDER BY t."createdAt", t.seq LIMIT $2) h LIMIT $2`,
    limit: (app) => daysAgo(app, 97),
    from: [['UsageHold', 'id']],
    // A late settlement changes an expired hold, but not its end.
    unchanged: '"endedAt" IS NOT NULL AND "createdAt" <= $3',
  },
  /**
   * Crossings of limits, oldest first. Keeps the crossings of windows that never end, from which the customers near the amount are
   * counted, until their limit is deleted.
   */
  limitCrossings: {
    find: `SELECT c."environmentId", c.id FROM "LimitCrossing" c
       JOIN "Limit" l ON l."environmentId" = c."environmentId" AND l.id = c."limitId"
       WHERE c."createdAt" <= $1 AND (l.window->>'kind' <> 'lifetime' OR l."deletedAt" IS NOT NULL)
       ORDER BY c."createdAt" LIMIT $2`,
    limit: (app) => daysAgo(app, limitHistoryDays),
    from: [['LimitCrossing', 'id']],
  },
  /** Raises of limits that have ended. */
  limitRaises: { ...oldest('LimitRaise', 'until'), limit: (app) => daysAgo(app, limitHistoryDays) },
  /** Recorded requests. If the log is off, all of them. */
  requestRecords: { ...oldest('RequestRecord', 'createdAt'), limit: requestLogLimit },
  requestBlocks: { ...oldest('RequestBlock', 'createdAt'), limit: requestLogLimit },
  /** Files of exports that expired, were canceled, or failed. Chunks are never added to an ended export. */
  exportFiles: {
    find: `SELECT e."environmentId", e.id FROM "Export" e
       WHERE (e.status = 'canceled' OR (e.status = 'failed' AND e."expiresAt" IS NULL) OR (e.status IN ('completed', 'failed') AND e."expiresAt" <= $1))
         AND EXISTS (SELECT FROM "ExportChunk" c WHERE c."environmentId" = e."environmentId" AND c."exportId" = e.id) LIMIT $2`,
    limit: now,
    from: [['ExportChunk', 'exportId']],
  },
} as const satisfies Record<string, InstallationRule | EnvironmentRule>;

/** Type of rows that housekeeping removes. */
export type Removable = keyof typeof rules;

/** Types of rows, in the order that housekeeping removes them. */
export const removables = Object.keys(rules) as readonly Removable[];

/** Removes rows in batches until a batch isn't full or the maximum number of batches is reached. Returns the number of found rows. */
async function removeBatches(removeBatch: () => Promise<readonly unknown[]>): Promise<number> {
  let removed = 0;
  for (let batch = 0; batch < maxBatches; batch++) {
    const { length } = await removeBatch();
    removed += length;
    if (length < batchSize) break;
  }
  return removed;
}

const removeOfInstallation = ({ database, wall }: App, { table, column, key }: InstallationRule) =>
  removeBatches(() =>
    database.query(
      `DELETE FROM "${table}" WHERE "${column}" <= $1
         AND (${key}) IN (SELECT ${key} FROM "${table}" WHERE "${column}" <= $1 ORDER BY "${column}" LIMIT $2) RETURNING 1`,
      [wall.now(), batchSize],
    ),
  );

/**
 * Removes rows with separate SQL statements for each environment, because a statement must not lock rows of two
 * environments.
 */
async function removeOfEnvironments(app: App, rule: EnvironmentRule): Promise<number> {
  const { query } = app.database;
  const limit = rule.limit?.(app);
  if (limit === null) return 0;
  const times = limit === undefined ? [] : [limit];
  return removeBatches(async () => {
    const rows = await query<Found>(rule.find, [...times, batchSize]);
    for (const [environmentId, found] of Map.groupBy(rows, (row) => row.environmentId)) {
      await rule.before?.(app, environmentId, found);
      const ids = found.map(({ id }) => id);
      for (const [table, column] of rule.from) {
        const text = `DELETE FROM "${table}" WHERE "environmentId" = $1 AND "${column}" = ANY($2)`;
        await (rule.unchanged === undefined
          ? query(text, [environmentId, ids])
          : query(`${text} AND ${rule.unchanged}`, [environmentId, ids, ...times]));
      }
    }
    return rows;
  });
}

/**
 * Removes rows of one type after their retention period, in small batches. Returns the number of removed rows or, for
 * files, the number of exports whose files were removed. With a retention of 0 days, rows are kept forever.
 */
export function removeOld(app: App, kind: Removable): Promise<number> {
  const rule: InstallationRule | EnvironmentRule = rules[kind];
  return 'find' in rule ? removeOfEnvironments(app, rule) : removeOfInstallation(app, rule);
}
