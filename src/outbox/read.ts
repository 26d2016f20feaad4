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
  '"environmentId", id, position, kind, "occurredAt", "customerId", "subscriptionId", cause, data';

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
