import type { Context } from '../../context.ts';
import type { Rejection } from '../../domain/errors.ts';
import type { Row } from '../../platform/db/rows.ts';
import type { FoundKey } from '../../platform/idempotency.ts';
import { usageEventOf } from './load.ts';
import type { UsageOutcome } from './operation.ts';

// An outcome as it is stored under the key of its operation, until an answer takes its place: ids of events, and rejections.

type StoredResult =
  | { readonly id: string; readonly isRepetition: boolean }
  | { readonly rejection: Rejection };
type StoredOutcome = { readonly hasChanges: boolean; readonly results: readonly StoredResult[] };

/** What is stored of an outcome. */
export const recordOf = ({ hasChanges, results }: UsageOutcome): StoredOutcome => ({
  hasChanges,
  results: results.map((result) =>
    'rejection' in result ? result : { id: result.event.id, isRepetition: result.isRepetition },
  ),
});

/** The outcome stored under a key, with its events read again. */
export async function outcomeOf(ctx: Context, found: FoundKey): Promise<UsageOutcome> {
  if (found.state !== 'left') throw new Error('The key has an answer.');
  // Written by the function above.
  const { hasChanges, results } = found.recorded as StoredOutcome;
  const ids = results.flatMap((result) => ('id' in result ? [result.id] : []));
  const rows = await ctx.sql<Row<'UsageEvent'>>(
    'SELECT * FROM "UsageEvent" WHERE "environmentId" = $1 AND id = ANY($2)',
    [ids],
  );
  const events = new Map(rows.map((row) => [row.id, usageEventOf(row)]));
  return {
    hasChanges,
    results: results.map((result) => {
      if ('rejection' in result) return result;
      const event = events.get(result.id);
      if (event === undefined) throw new Error(`The event ${result.id} is gone.`);
      return { event, isRepetition: result.isRepetition };
    }),
  };
}
