import type { Context } from '../context.ts';
import { invoiceNumberText } from '../domain/invoicing/number.ts';
import type { ChangeSet, EventDraft } from '../domain/subscription/state/aggregate.ts';
import { originOf } from '../event-origin.ts';
import type { OriginatedEvent } from '../outbox/write.ts';
import type { NumberedRows } from './number.ts';

async function storedCauses(ctx: Context, causes: readonly string[]): Promise<Set<string>> {
  if (causes.length === 0) return new Set();
  const rows = await ctx.sql<{ cause: string }>(
    // Each cause is looked up by itself: a list of them is compared with all causes of the environment while the server knows nothing of their number.
    `SELECT named.cause FROM unnest($2::text[]) AS named(cause)
     CROSS JOIN LATERAL (SELECT FROM "Event" WHERE "environmentId" = $1 AND cause = named.cause OFFSET 0) AS t`,
    [causes],
  );
  return new Set(rows.map(({ cause }) => cause));
}

/**
 * The events of the change sets that are to be stored, in order: of those with a cause only the first ever (BIL-4). They are sorted out
 * before positions are taken, so that positions have no gaps; the locks on the customers keep rivals with the same cause away.
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

/** The address of a hosted page: signed, and the same each time for the same subject (SUB-12, SUB-14). */
export async function pageUrl(
  ctx: Context,
  page: 'checkout' | 'pay' | 'recover',
  subjectId: string,
): Promise<string> {
  const token = await ctx.app.secrets.signPage({ page, environmentId: ctx.environment.id, subjectId });
  return `${ctx.app.config.publicUrl}/${page}/${token}`;
}

/**
 * The events as they are stored, with the values only the writer knows filled in: numbers of new invoices, signed page addresses, and what they
 * come from.
 */
export async function writtenEvents(
  ctx: Context,
  events: readonly EventDraft[],
  rows: NumberedRows,
): Promise<OriginatedEvent[]> {
  const numbers = new Map(rows.invoices.added.map(({ id, number }) => [id, invoiceNumberText(number)]));
  const origin = originOf(ctx);
  const stored: OriginatedEvent[] = [];
  for (const event of events) {
    let data = event.data;
    if (data['invoiceNumber'] === null && typeof data['invoiceId'] === 'string') {
      data = { ...data, invoiceNumber: numbers.get(data['invoiceId']) ?? null };
    }
    if (event.link !== undefined)
      data = { ...data, [event.link.field]: await pageUrl(ctx, event.link.page, event.link.subjectId) };
    const { kind, occurredAt, customerId, subscriptionId, cause = null } = event;
    stored.push({ kind, occurredAt, customerId, subscriptionId, cause, data, ...origin });
  }
  return stored;
}
