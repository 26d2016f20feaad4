import type { UsageRequest } from '../../domain/usage/record.ts';
import type { OriginatedEvent } from '../../outbox/write.ts';
import type { Context } from '../../request/context.ts';
import { originOf } from '../../request/event-origin.ts';
import { bookWithoutDue, needsOf, recordWithSubject } from './decide.ts';
import { loadCurrentUsage } from './load-current.ts';
import type { UsageOutcome } from './operation.ts';
import { resolveHolds } from './resolve-holds.ts';

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
  const resolved = await resolveHolds(ctx, requests);
  const details = await loadCurrentUsage(ctx, needsOf([{ requests: resolved }]), resolved);
  const book = bookWithoutDue(details);
  book.begin(originOf(ctx));
  const results = resolved.map((request) => recordWithSubject(book, request));
  return { outcome: { results, hasChanges: false }, events: book.outbox };
}
