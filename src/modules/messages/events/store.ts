import {
  type EventSubjectModel,
  eventSubject,
  type SubjectSource,
} from '../../../domain/events/event-subject.ts';
import { accessIn, financeAccess, isCovered } from '../../../graphql/declare/access.ts';
import { loadRow } from '../../../graphql/reading/loaders.ts';
import type { Context } from '../../../request/context.ts';

/** Models of event subjects that contain financial data (PLT-13b). */
const financial: ReadonlySet<EventSubjectModel> = new Set(['Payout', 'PayoutBankAccount']);

/**
 * Returns the subject of an event. `null` if the subject is the organization's funds, is no longer stored, or can't be
 * read by the caller. Lookups are batched.
 */
export async function loadSubject(ctx: Context, event: SubjectSource) {
  const subject = eventSubject(event);
  if (
    subject === null ||
    (financial.has(subject.model) && !isCovered(accessIn('payments', financeAccess), ctx))
  )
    return null;
  return loadRow(ctx, subject.model, subject.id);
}
