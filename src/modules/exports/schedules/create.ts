import type { GraphQLSchema } from 'graphql';
import { specificError } from '../../../domain/errors/errors.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { hintChange, inTransaction, nextSeq } from '../../../request/transaction.ts';
import { isSeries, kindOf } from '../exports/find-kind.ts';
import { readRequest, type SentRequest } from '../exports/read-request.ts';
import { sealAddress } from './check-address.ts';
import { type ExportFrequency, nextRun } from './rules.ts';
import { countSchedules, insertSchedule, type ScheduleRow } from './store.ts';

/** Maximum number of export schedules in an environment. */
const maxSchedules = 50;

/** Parameters for creating an export schedule, including the export parameters. */
type SentSchedule = SentRequest & {
  readonly frequency: ExportFrequency;
  readonly isIncremental?: boolean | null | undefined;
  readonly deliveryUrl?: string | null | undefined;
};

/**
 * Creates a schedule. Its first run is at the start of the next day, week, or month (DAT-35a). Throws the same errors as `exportCreate` and
 * `sealAddress`. Throws `validation_error` for a series, because its arguments contain dates, and if the maximum number of schedules is
 * reached.
 */
export async function createSchedule(
  ctx: Context,
  schema: GraphQLSchema,
  sent: SentSchedule,
  filter: Readonly<Record<string, unknown>> | null,
): Promise<ScheduleRow> {
  const { kind, format, isGzip, request } = await readRequest(ctx, schema, sent, filter);
  if (isSeries(kindOf(kind)))
    throw specificError('validation_error', 'scheduled_series', { param: 'kind', values: { kind } });
  const sealedUrl = sent.deliveryUrl ? await sealAddress(ctx, sent.deliveryUrl) : null;
  return inTransaction(ctx, async (tx) => {
    // Taking a sequence number locks the environment's counter, so concurrent requests can't exceed the limit.
    const seq = await nextSeq(tx);
    if ((await countSchedules(tx.sql)) >= maxSchedules)
      throw specificError('validation_error', 'too_many_schedules', { values: { most: maxSchedules } });
    const now = tx.clock.now();
    const row: ScheduleRow = {
      environmentId: tx.environment.id,
      id: newId('exs'),
      seq,
      kind,
      format,
      isGzip,
      request,
      frequency: sent.frequency,
      isIncremental: sent.isIncremental ?? false,
      isActive: true,
      snapshot: null,
      nextRunAt: nextRun(sent.frequency, now),
      lastRunAt: null,
      lastExportId: null,
      sealedUrl,
      failedInRow: 0,
      deliveryError: null,
      createdAt: now,
      updatedAt: now,
      leaseOwner: null,
      leaseUntil: null,
    };
    await insertSchedule(tx.sql, row);
    hintChange(tx);
    return row;
  });
}
