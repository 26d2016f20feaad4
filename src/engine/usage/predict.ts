import { UsageBook } from '../../domain/usage/book.ts';
import type { UsageRequest } from '../../domain/usage/record.ts';
import type { OriginatedEvent } from '../../outbox/write.ts';
import type { Context } from '../../request/context.ts';
import { originOf } from '../../request/event-origin.ts';
import { withStoredParts } from './cells.ts';
import { needsOf } from './decide.ts';
import { loadUsageDetails } from './load.ts';
import type { UsageOutcome } from './operation.ts';

/** Outcome that usage would have now, and the events that would be sent. */
export type PredictedUsage = {
  readonly outcome: UsageOutcome;
  readonly events: readonly Pick<OriginatedEvent, 'kind' | 'data' | 'customerId'>[];
};

/**
 * Decides usage in memory like `recordUsage`, without locks. Writes nothing, so a concurrent operation can change the
 * outcome of a later recording.
 */
export async function predictUsage(ctx: Context, requests: readonly UsageRequest[]): Promise<PredictedUsage> {
  const loaded = await loadUsageDetails(ctx, needsOf([{ requests }]));
  const book = new UsageBook(await withStoredParts(ctx.sql, loaded, requests));
  book.begin(originOf(ctx));
  const results = requests.map((request) => book.record(request));
  return { outcome: { results, hasChanges: false }, events: book.outbox };
}
