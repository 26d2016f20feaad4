import type { EventOrigin } from '../domain/events.ts';
import { arrayInsert, type BulkWrite, type WritePart } from '../platform/db/bulk.ts';
import { arrayParameters } from '../platform/db/column-arrays.ts';
import type { Query } from '../platform/db/pool.ts';
import { newId } from '../platform/ids.ts';

/** Events as a change describes them; position and id are given when they are stored. */
export type OutboxEvent = {
  readonly kind: string;
  readonly occurredAt: Date;
  readonly customerId: string | null;
  readonly subscriptionId: string | null;
  readonly cause?: string | null;
  readonly data: unknown;
};

/** An event with what it comes from, which is how it is stored. */
export type OriginatedEvent = OutboxEvent & EventOrigin;

/** The first value of each block of numbers taken; a block of none has no meaning. */
export type Numbers = { readonly seq: bigint; readonly invoiceNumber: bigint; readonly position: bigint };

/** What topics under which stored events are hinted begin with; the environment follows. */
export const eventTopicPrefix = 'events:';

/** Topic under which stored events of an environment are hinted. */
export const eventTopic = (environmentId: string): string => `${eventTopicPrefix}${environmentId}`;

/** Topic under which it is hinted that something of an environment changed that live fields show, without an event. */
export const changeTopic = (environmentId: string): string => `changes:${environmentId}`;

/** How many numbers of each sort are taken, and by how much the count of active subscriptions changes. */
type Counts = {
  readonly seq?: number;
  readonly invoiceNumbers?: number;
  readonly positions?: number;
  readonly activeSubscriptions?: number;
};

/**
 * Takes consecutive sequence numbers, invoice numbers and event positions of the environment in one statement and answers the first of each.
 * The counter row stays locked until the transaction ends, so this comes as late in it as foreign keys allow.
 */
export async function takeNumbers(query: Query, environmentId: string, counts: Counts): Promise<Numbers> {
  const { seq = 0, invoiceNumbers = 0, positions = 0, activeSubscriptions = 0 } = counts;
  const [row] = await query<Numbers>(
    `UPDATE "EnvironmentCounter" SET seq = seq + $2, "invoiceNumber" = "invoiceNumber" + $3, "eventPosition" = "eventPosition" + $4,
       "activeSubscriptions" = "activeSubscriptions" + $5
     WHERE "environmentId" = $1
     RETURNING seq - $2 + 1 AS seq, "invoiceNumber" - $3 + 1 AS "invoiceNumber", "eventPosition" - $4 + 1 AS position`,
    [environmentId, seq, invoiceNumbers, positions, activeSubscriptions],
  );
  if (row === undefined) throw new Error(`Environment ${environmentId} has no counter row.`);
  return row;
}

/** Gives the catalog of an environment another version; last of all in a transaction, since the row of counters is hot. */
export async function renewCatalogVersion(query: Query, environmentId: string): Promise<void> {
  await query('UPDATE "EnvironmentCounter" SET "catalogVersion" = $2 WHERE "environmentId" = $1', [
    environmentId,
    crypto.randomUUID(),
  ]);
}

const eventColumns = [
  { name: 'id', sqlType: 'text' },
  { name: 'position', sqlType: 'bigint' },
  { name: 'kind', sqlType: 'text' },
  { name: 'occurredAt', sqlType: 'timestamptz' },
  { name: 'customerId', sqlType: 'text' },
  { name: 'subscriptionId', sqlType: 'text' },
  { name: 'invoiceId', sqlType: 'text' },
  { name: 'cause', sqlType: 'text' },
  { name: 'source', sqlType: '"EventSource"' },
  { name: 'actorId', sqlType: 'text' },
  { name: 'requestId', sqlType: 'uuid' },
  { name: 'data', sqlType: 'jsonb' },
] as const;

/** The invoice an event names; null where it names none. */
function invoiceOf({ data }: OutboxEvent): string | null {
  if (typeof data !== 'object' || data === null || !('invoiceId' in data)) return null;
  return typeof data.invoiceId === 'string' ? data.invoiceId : null;
}

const rowsOf = (events: readonly OriginatedEvent[], first: bigint) =>
  events.map((event, index) => ({
    id: newId('whev'),
    position: first + BigInt(index),
    kind: event.kind,
    occurredAt: event.occurredAt,
    customerId: event.customerId,
    subscriptionId: event.subscriptionId,
    invoiceId: invoiceOf(event),
    cause: event.cause ?? null,
    source: event.source,
    actorId: event.actorId,
    requestId: event.requestId,
    data: event.data,
  }));

const eventsInsert = arrayInsert('Event', eventColumns);

/** The storing of events at consecutive positions from `first` on, in one statement. At least one. */
export function storingEvents(events: readonly OriginatedEvent[], first: bigint): BulkWrite {
  const params = arrayParameters(eventColumns, rowsOf(events, first));
  return {
    run: async (sql) => {
      await sql(eventsInsert, params);
    },
  };
}

/** What is added to sequence numbers counted up to 0, the last one taken: a column of the row `a` of counters. */
export const seqBase = 'a.seq';

/**
 * The taking of consecutive numbers as a part, whose others, sent behind it, are written with the numbers its row then has. Everybody waits for that
 * row until the transaction ends. Answers `stamp`, the number of the transaction as its rows have it: of the server on which they lie.
 */
export const numbersPart = (counts: { readonly seq: number; readonly positions: number }): WritePart => ({
  text: 'UPDATE "EnvironmentCounter" SET seq = seq + $2, "eventPosition" = "eventPosition" + $3 WHERE "environmentId" = $1 RETURNING xmin AS stamp',
  params: [counts.seq, counts.positions],
});

const numberedEventsInsert = arrayInsert('Event', eventColumns, { bases: { position: 'a."eventPosition"' } });

/** The storing of events at the last positions taken, as a part. */
export const eventsPart = (events: readonly OriginatedEvent[]): WritePart => ({
  text: numberedEventsInsert,
  params: arrayParameters(eventColumns, rowsOf(events, BigInt(1 - events.length))),
});
