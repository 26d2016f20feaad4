import { type Reader, readByEnvironment } from '../platform/db/distribution.ts';
import type { Query } from '../platform/db/pool.ts';
import type { Row } from '../platform/db/rows.ts';

export type EventRow = Row<'Event'>;

/** Filter for events. Fields that are `null` or undefined match all events. `customerId` is the ID assigned by Quittance. */
export type EventFilter = {
  readonly kinds?: readonly string[] | null | undefined;
  readonly customerId?: string | null | undefined;
  readonly subscriptionId?: string | null | undefined;
};

const columns =
  '"environmentId", id, position, kind, "occurredAt", "customerId", "subscriptionId", "invoiceId", cause, source, "actorId", "requestId", data';

// The text of the statement contains the conditions of all filter fields, so that the database needs only one query plan.
const matches = `(($2::text[] IS NULL OR kind = ANY($2)) AND ($3::text IS NULL OR "customerId" = $3)
  AND ($4::text IS NULL OR "subscriptionId" = $4))`;

const parameters = (filter: EventFilter): unknown[] => [
  filter.kinds ?? null,
  filter.customerId ?? null,
  filter.subscriptionId ?? null,
];

/** Returns the position of the environment's last committed event. 0 if the environment has no events. */
export async function lastEventPosition(sql: Query): Promise<bigint> {
  const [row] = await sql<{ position: bigint }>(
    'SELECT "eventPosition" AS position FROM "EnvironmentCounter" WHERE "environmentId" = $1',
  );
  return row?.position ?? 0n;
}

/** Position of an environment's last event, and the time of the environment's test clock, which can advance without an event. */
export type Standing = {
  readonly environmentId: string;
  readonly position: bigint;
  readonly simulatedTime: Date | null;
};

/** Returns the positions of the environments. Deleted environments are omitted. */
export const readStandings = (query: Query, environmentIds: readonly string[]): Promise<Standing[]> =>
  query<Standing>(
    `SELECT c."environmentId", c."eventPosition" AS position, t."simulatedTime" FROM "EnvironmentCounter" c
     LEFT JOIN "TestClock" t ON t."environmentId" = c."environmentId" WHERE c."environmentId" = ANY($1)`,
    [environmentIds],
  );

export type Cursor = { readonly environmentId: string; readonly position: bigint };

/**
 * Returns the events after each cursor, ordered by position, up to `limit` per environment. Uses one SQL statement, or
 * one per environment in a distributed database. Positions are assigned under a lock that is held until the commit, so
 * an event never becomes visible after an event with a higher position.
 */
export async function readEventsAfter(
  database: Reader,
  cursors: readonly Cursor[],
  limit: number,
): Promise<EventRow[]> {
  if (await database.isDistributed())
    return readByEnvironment(database, cursors, (within, environmentId, [cursor]) =>
      within<EventRow>(
        `SELECT ${columns} FROM "Event" WHERE "environmentId" = $1 AND position > $2 ORDER BY position LIMIT $3`,
        [environmentId, cursor?.position, limit],
      ),
    );
  return database.query<EventRow>(
    `SELECT e.* FROM unnest($1::text[], $2::bigint[]) AS cursor(id, position) CROSS JOIN LATERAL (
       SELECT ${columns} FROM "Event" t WHERE t."environmentId" = cursor.id AND t.position > cursor.position ORDER BY t.position LIMIT $3) AS e`,
    [cursors.map(({ environmentId }) => environmentId), cursors.map(({ position }) => position), limit],
  );
}

/** Returns true if an event matches the filter. Must match the SQL condition above. */
export const matchesFilter = ({ kind, customerId, subscriptionId }: EventRow, filter: EventFilter): boolean =>
  (filter.kinds?.includes(kind) ?? true) &&
  (filter.customerId ?? customerId) === customerId &&
  (filter.subscriptionId ?? subscriptionId) === subscriptionId;

/** Returns up to `limit` matching events after the position `after`, up to and including `upTo`, ordered by position. */
export const readEventsBetween = (
  sql: Query,
  filter: EventFilter,
  range: { readonly after: bigint; readonly upTo: bigint; readonly limit: number },
): Promise<EventRow[]> =>
  sql<EventRow>(
    `SELECT ${columns} FROM "Event" WHERE "environmentId" = $1 AND ${matches} AND position > $5 AND position <= $6 ORDER BY position LIMIT $7`,
    [...parameters(filter), range.after, range.upTo, range.limit],
  );

/** Returns the time of each customer's last event, according to the environment's clock. */
export const readLastEventTimes = (
  sql: Query,
  customerIds: readonly string[],
): Promise<{ readonly customerId: string; readonly occurredAt: Date }[]> =>
  sql(
    `SELECT parent.id AS "customerId", last."occurredAt" FROM unnest($2::text[]) AS parent(id) CROSS JOIN LATERAL (
       SELECT e."occurredAt" FROM "Event" e WHERE e."environmentId" = $1 AND e."customerId" = parent.id
       ORDER BY e.position DESC LIMIT 1) AS last`,
    [customerIds],
  );
