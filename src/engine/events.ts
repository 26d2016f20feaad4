import type { EventDraft } from '../domain/events/event-draft.ts';
import { creditNoteNumberText } from '../domain/invoicing/credit-note.ts';
import { invoiceNumberText } from '../domain/rows/invoice-number.ts';
import type { ChangeSet } from '../domain/subscription/state/aggregate.ts';
import type { OriginatedEvent } from '../outbox/write.ts';
import type { Context } from '../request/context.ts';
import { originOf } from '../request/event-origin.ts';
import type { NumberedRows } from './effects/number.ts';

async function storedCauses(ctx: Context, causes: readonly string[]): Promise<Set<string>> {
  if (causes.length === 0) return new Set();
  const rows = await ctx.sql<{ cause: string }>(
    // Each cause is looked up separately. With `= ANY`, the planner can't estimate the number of causes and
    // would scan all causes in the environment.
    `SELECT named.cause FROM unnest($2::text[]) AS named(cause)
     CROSS JOIN LATERAL (SELECT FROM "Event" WHERE "environmentId" = $1 AND cause = named.cause OFFSET 0) AS t`,
    [causes],
  );
  return new Set(rows.map(({ cause }) => cause));
}

/**
 * Returns the events to store, in order. Omits events whose cause already has an event (BIL-4). Must be called before
 * positions are reserved, so that positions have no gaps. The customer locks prevent concurrent events with the same
 * cause.
 */
export async function eventsToStore(ctx: Context, sets: readonly ChangeSet[]): Promise<EventDraft[]> {
  const events = sets.flatMap((set) => set.events);
  const seen = await storedCauses(
    ctx,
    events.flatMap(({ cause }) => (cause === undefined ? [] : [cause])),
  );
  return events.filter(({ cause }) => {
    if (cause === undefined) return true;
    if (seen.has(cause)) return false;
    seen.add(cause);
    return true;
  });
}

/** Returns the signed URL for a hosted page. The URL for a subject never changes (SUB-12, SUB-14). */
export async function pageUrl(
  ctx: Context,
  page: 'checkout' | 'pay' | 'recover',
  subjectId: string,
): Promise<string> {
  const token = await ctx.app.secrets.signPage({ page, environmentId: ctx.environment.id, subjectId });
  return `${ctx.app.config.publicUrl}/${page}/${token}`;
}

/**
 * Returns events in stored form. Adds the numbers of new invoices and credit notes, signed page URLs, and the
 * origin.
 */
export async function writtenEvents(
  ctx: Context,
  events: readonly EventDraft[],
  rows: NumberedRows,
): Promise<OriginatedEvent[]> {
  const numbers = new Map(rows.invoices.added.map(({ id, number }) => [id, invoiceNumberText(number)]));
  const noteNumbers = new Map(
    rows.creditNotes.added.map(({ id, number }) => [id, creditNoteNumberText(number)]),
  );
  const origin = originOf(ctx);
  const stored: OriginatedEvent[] = [];
  for (const event of events) {
    let data = event.data;
    if (data['invoiceNumber'] === null && typeof data['invoiceId'] === 'string') {
      data = { ...data, invoiceNumber: numbers.get(data['invoiceId']) ?? null };
    }
    if (data['creditNoteNumber'] === null && typeof data['creditNoteId'] === 'string') {
      data = { ...data, creditNoteNumber: noteNumbers.get(data['creditNoteId']) ?? null };
    }
    if (event.link !== undefined)
      data = { ...data, [event.link.field]: await pageUrl(ctx, event.link.page, event.link.subjectId) };
    const { kind, occurredAt, customerId, subscriptionId, cause = null } = event;
    stored.push({ kind, occurredAt, customerId, subscriptionId, cause, data, ...origin });
  }
  return stored;
}
