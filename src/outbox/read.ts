import { type Reader, readByEnvironment } from '../platform/db/distribution.ts';
import type { Query } from '../platform/db/pool.ts';
import type { Row } from '../platform/db/rows.ts';

/** A stored event of the outbox. */
export type EventRow = Row<'Event'>;

/** Which events are wanted; null and absent mean all. `customerId` is the platform id. */
export type EventFilter = {
  readonly kinds?: readonly string[] | null | undefined;
  readonly customerId?: string | null | undefined;
  readonly subscriptionId?: string | null | undefined;
};

const columns =
  '"environmentId", id, position, kind, "occurredAt", "customerId", "subscriptionId", "invoiceId", cause, source, "actorId", "requestId", data';

// Every filter is part of the text, so that the server plans one statement whatever is asked for.
const matches = `(($2::text[] IS NULL OR kind = ANY($2)) AND ($3::text IS NULL OR "customerId" = $3)
  AND ($4::text IS NULL OR "subscriptionId" = $4))`;

const parameters = (filter: EventFilter): unknown[] => [
  filter.kinds ?? null,
  filter.customerId ?? null,
  filter.subscriptionId ?? null,
];

/** The position of the last event committed in the environment; 0 before the first. */
export async function lastEventPosition(sql: Query): Promise<bigint> {
  const [row] = await sql<{ position: bigint }>(
    'SELECT "eventPosition" AS position FROM "EnvironmentCounter" WHERE "environmentId" = $1',
  );
  return row?.position ?? 0n;
}

/** Where an environment stands: the position of its last event, and its test clock, which moves without an event at times. */
export type Standing = {
  readonly environmentId: string;
  readonly position: bigint;
  readonly simulatedTime: Date | null;
};

/** Where these environments stand, those that exist, in one statement. */
export const readStandings = (query: Query, environmentIds: readonly string[]): Promise<Standing[]> =>
  query<Standing>(
    `SELECT c."environmentId", c."eventPosition" AS position, t."simulatedTime" FROM "EnvironmentCounter" c
     LEFT JOIN "TestClock" t ON t."environmentId" = c."environmentId" WHERE c."environmentId" = ANY($1)`,
    [environmentIds],
  );

/** A place in the outbox of an environment. */
export type Cursor = { readonly environmentId: string; readonly position: bigint };

/**
 * The events after each cursor, up to `limit` of each environment, in order of position, in one statement, or one for each environment
 * where they lie on several servers. Positions are taken under a lock that is held until the commit, so what one statement sees of an environment has no gaps.
 */
export async function readEventsAfter(
  { query, isDistributed }: Reader,
  cursors: readonly Cursor[],
  limit: number,
): Promise<EventRow[]> {
  if (await isDistributed())
    return readByEnvironment(cursors, (environmentId, [cursor]) =>
      query<EventRow>(
        `SELECT ${columns} FROM "Event" WHERE "environmentId" = $1 AND position > $2 ORDER BY position LIMIT $3`,
        [environmentId, cursor?.position, limit],
      ),
    );
  return query<EventRow>(
    `SELECT e.* FROM unnest($1::text[], $2::bigint[]) AS cursor(id, position) CROSS JOIN LATERAL (
       SELECT ${columns} FROM "Event" t WHERE t."environmentId" = cursor.id AND t.position > cursor.position ORDER BY t.position LIMIT $3) AS e`,
    [cursors.map(({ environmentId }) => environmentId), cursors.map(({ position }) => position), limit],
  );
}

/** Whether an event passes a filter, as the statements below decide it. */
export const matchesFilter = ({ kind, customerId, subscriptionId }: EventRow, filter: EventFilter): boolean =>
  (filter.kinds?.includes(kind) ?? true) &&
  (filter.customerId ?? customerId) === customerId &&
  (filter.subscriptionId ?? subscriptionId) === subscriptionId;

/** Up to `limit` matching events with positions above `after` and not above `upTo`, in order of position. */
export const readEventsBetween = (
  sql: Query,
  filter: EventFilter,
  range: { readonly after: bigint; readonly upTo: bigint; readonly limit: number },
): Promise<EventRow[]> =>
  sql<EventRow>(
    `SELECT ${columns} FROM "Event" WHERE "environmentId" = $1 AND ${matches} AND position > $5 AND position <= $6 ORDER BY position LIMIT $7`,
    [...parameters(filter), range.after, range.upTo, range.limit],
  );

/** The business time of the last event of each customer that has any. One statement. */
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
