import type { GraphQLSchema } from 'graphql';
import { requireExportQuota } from '../../../engine/quotas.ts';
import { takeNumbers } from '../../../outbox/write.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context, TransactionContext } from '../../../request/context.ts';
import { hintChange, inTransaction } from '../../../request/transaction.ts';
import { type ExportRequest, readRequest, type SentRequest, snapshotOf } from './read-request.ts';
import { type ExportRow, insertExport } from './store.ts';

/** Prefix of the pub/sub topics that announce exports to write or deliver. The environment ID follows the prefix. */
export const exportTopicPrefix = 'exports:';

/** Returns the pub/sub topic that announces an environment's exports to write or deliver. */
export const exportTopic = (environmentId: string): string => `${exportTopicPrefix}${environmentId}`;

/** Creates an export in the caller's transaction. The export contains only rows that exist at the time of the call (DAT-33). */
export async function beginExport(
  tx: TransactionContext,
  { kind, format, isGzip, request }: ExportRequest,
  schedule: { readonly id: string; readonly isForDelivery: boolean } | null,
): Promise<ExportRow> {
  const { transaction, environment, app, clock, wall } = tx;
  // All rows with lower sequence numbers have been committed, because this transaction has locked the counter
  // row.
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

/**
 * Creates the requested export. A worker writes its files. Throws the same errors as `readRequest`, and
 * `quota_exceeded` if a free sandbox has no exports left.
 */
export async function createExport(
  ctx: Context,
  schema: GraphQLSchema,
  sent: SentRequest,
  filter: Readonly<Record<string, unknown>> | null,
): Promise<ExportRow> {
  const exported = await readRequest(ctx, schema, sent, filter);
  await requireExportQuota(ctx);
  return inTransaction(ctx, (tx) => beginExport(tx, exported, null));
}
