import type { GraphQLSchema } from 'graphql';
import type { Context, TransactionContext } from '../../context.ts';
import { takeNumbers } from '../../outbox/write.ts';
import { newId } from '../../platform/ids.ts';
import { hintChange, inTransaction } from '../../transaction.ts';
import { type ExportRequest, readRequest, type SentRequest, snapshotOf } from './read-request.ts';
import { type ExportRow, insertExport } from './store.ts';

/** What topics under which it is hinted that an export waits to be written, or to be delivered, begin with; the environment follows. */
export const exportTopicPrefix = 'exports:';

/** Topic under which it is hinted that an export of an environment waits. */
export const exportTopic = (environmentId: string): string => `${exportTopicPrefix}${environmentId}`;

/** Stores what is to be written, in the transaction of what asks for it. The rows that are there now belong to it (DAT-33). */
export async function beginExport(
  tx: TransactionContext,
  { kind, format, isGzip, request }: ExportRequest,
  schedule: { readonly id: string; readonly isForDelivery: boolean } | null,
): Promise<ExportRow> {
  const { transaction, environment, app, clock, wall } = tx;
  // Rows with lower numbers are committed: this transaction has the row of counters.
  const { seq, position } = await takeNumbers(transaction.query, environment.id, { seq: 1 });
  const row: ExportRow = {
    environmentId: environment.id,
    id: newId('exp'),
    seq,
    kind,
    format,
    isGzip,
    request,
    status: 'queued',
    scheduleId: schedule?.id ?? null,
    snapshot: snapshotOf(kind, { seq, position }) - 1n,
    asOf: clock.now(),
    total: null,
    rows: 0n,
    bytes: 0n,
    chunks: 0,
    parts: [],
    cursor: null,
    error: null,
    failures: 0,
    isForDelivery: schedule?.isForDelivery ?? false,
    nextAttemptAt: null,
    deliveredAt: null,
    createdAt: wall.now(),
    startedAt: null,
    finishedAt: null,
    expiresAt: null,
    leaseOwner: null,
    leaseUntil: null,
  };
  await insertExport(tx.sql, row);
  hintChange(tx);
  transaction.afterCommit(() => app.pubsub.hint(exportTopic(environment.id)));
  return row;
}

/** Stores what a caller wants to have written; the worker writes it. Throws as `readRequest`. */
export async function createExport(
  ctx: Context,
  schema: GraphQLSchema,
  sent: SentRequest,
  filter: Readonly<Record<string, unknown>> | null,
): Promise<ExportRow> {
  const exported = await readRequest(ctx, schema, sent, filter);
  return inTransaction(ctx, (tx) => beginExport(tx, exported, null));
}
