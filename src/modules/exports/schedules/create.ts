import type { GraphQLSchema } from 'graphql';
import { specificError } from '../../../domain/errors/errors.ts';
import type { Context } from '../../../request/context.ts';
import { hintChange } from '../../../request/transaction.ts';
import { isSeries, kindOf } from '../exports/find-kind.ts';
import { readRequest, type SentRequest } from '../exports/read-request.ts';
import { sealAddress } from './check-address.ts';
import { type ExportFrequency, nextRun } from './rules.ts';
import { type ScheduleRow, scheduleRows } from './store.ts';

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
  const { frequency, isIncremental } = sent;
  const terms = { kind, format, isGzip, request, frequency, isIncremental, sealedUrl };
  return scheduleRows.create(
    ctx,
    async (tx) => ({ ...terms, nextRunAt: nextRun(frequency, tx.clock.now()) }),
    async (tx) => hintChange(tx),
  );
}
