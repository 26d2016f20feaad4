import type { Context } from '../../context.ts';
import type { Page } from '../../graphql/connections.ts';
import type { NamedOrder } from '../../graphql/cursors.ts';
import { type PageArguments, readPage } from '../../graphql/pages.ts';
import type { EventFilter, EventRow } from '../../outbox/read.ts';
import { isAmong } from '../../platform/db/row-lists.ts';

/** The latest first: events have a position instead of a creation time and seq. */
export const latestFirst: NamedOrder = {
  name: 'position',
  keys: [{ column: 'position' }],
  direction: 'desc',
  prefix: 'event.',
};

/** A page of the matching events, the latest first. One statement. */
export const listEvents = (
  ctx: Context,
  { kinds, customerId, subscriptionId }: EventFilter,
  args: PageArguments,
): Promise<Page<EventRow>> => {
  const filter = { customerId: customerId ?? undefined, subscriptionId: subscriptionId ?? undefined };
  const conditions = kinds ? [isAmong('Event', { column: 'kind', values: kinds })] : [];
  return readPage(ctx, { model: 'Event', filter, conditions, order: latestFirst }, args);
};
