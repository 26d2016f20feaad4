import type { EventOrigin } from '../domain/events/events.ts';
import { arrayInsert, type BulkWrite, type WritePart } from '../platform/db/bulk.ts';
import { arrayParameters } from '../platform/db/column-arrays.ts';
import type { Query } from '../platform/db/pool.ts';
import { newId } from '../platform/ids.ts';

/** Event to store. The ID and position are assigned when the event is stored. */
export type OutboxEvent = {
  readonly kind: string;
  readonly occurredAt: Date;
  readonly customerId: string | null;
  readonly subscriptionId: string | null;
  readonly cause?: string | null;
  readonly data: unknown;
};

/** Event to store, with its source and actor. */
export type OriginatedEvent = OutboxEvent & EventOrigin;

/** First number of each block of consecutive numbers. Meaningless if no number was requested for the block. */
export type Numbers = {
  readonly seq: bigint;
  readonly invoiceNumber: bigint;
  readonly creditNoteNumber: bigint;
  readonly position: bigint;
};

/** Prefix of the pub/sub topics that announce stored events. The environment ID follows the prefix. */
export const eventTopicPrefix = 'events:';

/** Returns the pub/sub topic that announces an environment's stored events. */
export const eventTopic = (environmentId: string): string => `${eventTopicPrefix}${environmentId}`;

/** Returns the pub/sub topic that announces changes in an environment that record no event. */
export const changeTopic = (environmentId: string): string => `changes:${environmentId}`;

/** Number of values to allocate from each sequence, and the change in the number of active subscriptions. */
type Counts = {
  readonly seq?: number;
  readonly invoiceNumbers?: number;
  readonly creditNoteNumbers?: number;
  readonly positions?: number;
  readonly activeSubscriptions?: number;
};

/**
 * Allocates consecutive sequence numbers, invoice numbers, credit note numbers, and event positions. Returns the first
 * number of each block. The counter row stays locked until the commit, so call this function as late as foreign keys
 * allow.
 */
export async function takeNumbers(query: Query, environmentId: string, counts: Counts): Promise<Numbers> {
  const {
    seq = 0,
    invoiceNumbers = 0,
    creditNoteNumbers = 0,
    positions = 0,
    activeSubscriptions = 0,
  } = counts;
  const [row] = await query<Numbers>(
    `UPDATE "EnvironmentCounter" SET seq = seq + $2, "invoiceNumber" = "invoiceNumber" + $3, "eventPosition" = "eventPosition" + $4,
       "activeSubscriptions" = "activeSubscriptions" + $5, "creditNoteNumber" = "creditNoteNumber" + $6
     WHERE "environmentId" = $1
     RETURNING seq - $2 + 1 AS seq, "invoiceNumber" - $3 + 1 AS "invoiceNumber", "creditNoteNumber" - $6 + 1 AS "creditNoteNumber",
       "eventPosition" - $4 + 1 AS position`,
    [environmentId, seq, invoiceNumbers, positions, activeSubscriptions, creditNoteNumbers],
  );
  if (row === undefined) throw new Error(`Environment ${environmentId} has no counter row.`);
  return row;
}

/** Assigns a new version to the environment's catalog. The counter row is contended, so this must be the last statement of the transaction. */
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

/**
 * Returns an SQL statement that stores events at consecutive positions, starting at `first`. `events` must not be
 * empty.
 */
export function storingEvents(events: readonly OriginatedEvent[], first: bigint): BulkWrite {
  const params = arrayParameters(eventColumns, rowsOf(events, first));
  return {
    run: async (sql) => {
      await sql(eventsInsert, params);
    },
  };
}

/**
 * SQL column with the last allocated sequence number, which is added to relative sequence numbers. The last row has the relative number 0.
 */
export const seqBase = 'a.seq';

/**
 * Returns an SQL statement that allocates consecutive numbers. Subsequent statements use the updated counter row, which
 * stays locked until the commit. Returns `stamp`, the database's transaction ID.
 */
export const numbersPart = (counts: { readonly seq: number; readonly positions: number }): WritePart => ({
  text: 'UPDATE "EnvironmentCounter" SET seq = seq + $2, "eventPosition" = "eventPosition" + $3 WHERE "environmentId" = $1 RETURNING xmin AS stamp',
  params: [counts.seq, counts.positions],
});

const numberedEventsInsert = arrayInsert('Event', eventColumns, { bases: { position: 'a."eventPosition"' } });

/** Returns an SQL statement that stores events at the last allocated positions. */
export const eventsPart = (events: readonly OriginatedEvent[]): WritePart => ({
  text: numberedEventsInsert,
  params: arrayParameters(eventColumns, rowsOf(events, BigInt(1 - events.length))),
});
