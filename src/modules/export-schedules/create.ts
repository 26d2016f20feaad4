import type { GraphQLSchema } from 'graphql';
import type { Context } from '../../context.ts';
import { specificError } from '../../domain/errors.ts';
import { newId } from '../../platform/ids.ts';
import { hintChange, inTransaction, nextSeq } from '../../transaction.ts';
import { isSeries, kindOf } from '../exports/find-kind.ts';
import { readRequest, type SentRequest } from '../exports/read-request.ts';
import { sealAddress } from './check-address.ts';
import { type ExportFrequency, nextRun } from './rules.ts';
import { countSchedules, insertSchedule, type ScheduleRow } from './store.ts';

/** Schedules of an environment. */
const mostSchedules = 50;

/** What a caller sends about a schedule beside what is exported. */
type SentSchedule = SentRequest & {
  readonly frequency: ExportFrequency;
  readonly isIncremental?: boolean | null | undefined;
  readonly deliveryUrl?: string | null | undefined;
};

/**
 * Stores a schedule, which runs first when its next day, week or month begins (DAT-35a). Throws as `exportCreate` for the same input, and
 * `validation_error` for a series, whose arguments name days, and for too many schedules, and as `sealAddress` for an address.
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
    // The number comes first: it holds the environment's counter, so that rivals count one after another.
    const seq = await nextSeq(tx);
    if ((await countSchedules(tx.sql)) >= mostSchedules)
      throw specificError('validation_error', 'too_many_schedules', { values: { most: mostSchedules } });
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
