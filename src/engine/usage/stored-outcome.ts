import type { Rejection } from '../../domain/errors/errors.ts';
import type { Throttle } from '../../domain/limits/throttle.ts';
import type { Row } from '../../platform/db/rows.ts';
import type { FoundKey } from '../../platform/idempotency.ts';
import type { Context } from '../../request/context.ts';
import { usageEventOf } from './load.ts';
import { readHolds } from './load-holds.ts';
import type { UsageOutcome } from './operation.ts';

// Stored form of an outcome: IDs of events and holds, and rejections. Stored under the idempotency key until the response
// replaces it.

type StoredResult =
  | { readonly id: string; readonly isRepetition: boolean; readonly throttle?: Throttle }
  | { readonly holdId: string; readonly isRepetition: boolean }
  | { readonly rejection: Rejection };
type StoredOutcome = { readonly hasChanges: boolean; readonly results: readonly StoredResult[] };

export const recordOf = ({ hasChanges, results }: UsageOutcome): StoredOutcome => ({
  hasChanges,
  results: results.map((result) => {
    if ('rejection' in result) return result;
    const { isRepetition } = result;
    const throttle = result.throttle == null ? {} : { throttle: result.throttle };
    return 'event' in result
      ? { id: result.event.id, isRepetition, ...throttle }
      : { holdId: result.hold.id, isRepetition };
  }),
});

/** Returns the outcome stored under a key. Reads its events from the database. */
export async function outcomeOf(ctx: Context, found: FoundKey): Promise<UsageOutcome> {
  if (found.state !== 'left') throw new Error('The key already has a response.');
  // `recordOf` created this value.
  const { hasChanges, results } = found.recorded as StoredOutcome;
  const ids = results.flatMap((result) => ('id' in result ? [result.id] : []));
  const rows = await ctx.sql<Row<'UsageEvent'>>(
    'SELECT * FROM "UsageEvent" WHERE "environmentId" = $1 AND id = ANY($2)',
    [ids],
  );
  const holdIds = results.flatMap((result) => ('holdId' in result ? [result.holdId] : []));
  const { holds: stored } = holdIds.length === 0 ? { holds: [] } : await readHolds(ctx.sql, holdIds);
  const holds = new Map(stored.map((row) => [row.id, row]));
  const events = new Map(rows.map((row) => [row.id, usageEventOf(row)]));
  return {
    hasChanges,
    results: results.map((result) => {
      if ('rejection' in result) return result;
      if ('holdId' in result) {
        const hold = holds.get(result.holdId);
        if (hold === undefined) throw new Error(`The hold ${result.holdId} was deleted.`);
        return { hold, isRepetition: result.isRepetition };
      }
      const event = events.get(result.id);
      if (event === undefined) throw new Error(`The event ${result.id} was deleted.`);
      return { event, isRepetition: result.isRepetition, throttle: result.throttle ?? null };
    }),
  };
}
