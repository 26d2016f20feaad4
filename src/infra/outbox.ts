import type { Query } from './db.ts';
import { newId } from './ids.ts';

/** Events as a change describes them; position and id are given when they are stored. */
export type OutboxEvent = {
  readonly kind: string;
  readonly occurredAt: Date;
  readonly customerId: string | null;
  readonly subscriptionId: string | null;
  readonly cause?: string | null;
  readonly data: unknown;
};

/** The first value of each block of numbers taken; a block of none has no meaning. */
export type Numbers = { readonly seq: bigint; readonly invoiceNumber: bigint; readonly position: bigint };

const eventTopicPrefix = 'events:';

/** Topic under which stored events of an environment are hinted. */
export const eventTopic = (environmentId: string): string => `${eventTopicPrefix}${environmentId}`;

/** Whether a topic hints at stored events, of whatever environment. */
export const isEventTopic = (topic: string): boolean => topic.startsWith(eventTopicPrefix);

/**
 * Takes consecutive sequence numbers, invoice numbers and event positions of the environment in one statement and answers the first of each.
 * The counter row stays locked until the transaction ends, so this comes as late in it as foreign keys allow (protocols A5).
 */
export async function takeNumbers(
  query: Query,
  environmentId: string,
  counts: { seq?: number; invoiceNumbers?: number; positions?: number },
): Promise<Numbers> {
  const { seq = 0, invoiceNumbers = 0, positions = 0 } = counts;
  const [row] = await query<Numbers>(
    `UPDATE "EnvironmentCounter" SET seq = seq + $2, "invoiceNumber" = "invoiceNumber" + $3, "eventPosition" = "eventPosition" + $4
     WHERE "environmentId" = $1
     RETURNING seq - $2 + 1 AS seq, "invoiceNumber" - $3 + 1 AS "invoiceNumber", "eventPosition" - $4 + 1 AS position`,
    [environmentId, seq, invoiceNumbers, positions],
  );
  if (row === undefined) throw new Error(`Environment ${environmentId} has no counter row.`);
  return row;
}

/** The storing of events at consecutive positions from `first` on, with $1 the environment and one parameter more. */
export function eventsPart(first: bigint, events: readonly OutboxEvent[]): { readonly text: string; readonly params: readonly unknown[] } {
  const rows = events.map((event, index) => ({
    id: newId('whev'),
    position: String(first + BigInt(index)),
    kind: event.kind,
    occurredAt: event.occurredAt,
    customerId: event.customerId,
    subscriptionId: event.subscriptionId,
    cause: event.cause ?? null,
    data: event.data,
  }));
  return {
    text: `INSERT INTO "Event" ("environmentId", id, position, kind, "occurredAt", "customerId", "subscriptionId", cause, data)
     SELECT $1, r.id, r.position, r.kind, r."occurredAt", r."customerId", r."subscriptionId", r.cause, r.data
     FROM json_to_recordset($2::json) AS r(id text, position bigint, kind text, "occurredAt" timestamptz, "customerId" text, "subscriptionId" text, cause text, data jsonb)`,
    params: [JSON.stringify(rows)],
  };
}

/** Stores events at consecutive positions from `first` on, in one statement. */
export async function storeEvents(query: Query, environmentId: string, first: bigint, events: readonly OutboxEvent[]): Promise<void> {
  if (events.length === 0) return;
  const { text, params } = eventsPart(first, events);
  await query(text, [environmentId, ...params]);
}
