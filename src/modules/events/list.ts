import type { Context } from '../../context.ts';
import type { Page } from '../../graphql/connections.ts';
import type { NamedOrder } from '../../graphql/cursors.ts';
import { type ListArguments, listOf, readList, withMembers } from '../../graphql/lists.ts';
import type { EventFilter, EventRow } from '../../outbox/read.ts';

/** The latest first: events have a position instead of a creation time and seq. */
const latestFirst: NamedOrder = {
  name: 'position',
  keys: [{ column: 'position' }],
  direction: 'desc',
  prefix: 'event.',
};

export const eventList = listOf('Event', {
  name: 'Event',
  of: 'events',
  defaultOrder: latestFirst,
  filter: (f) => ({
    types: f.oneOf('kind', 'EventKind', 'What happened.', {
      index: { name: 'Event_environmentId_kind_position_idx' },
    }),
    customerIds: f.oneOf('customerId', 'ID', 'Our ids of the customers they are about.', {
      index: { name: 'Event_environmentId_customerId_position_idx' },
    }),
    subscriptionIds: f.oneOf('subscriptionId', 'ID', 'Ids of the subscriptions they are about.', {
      index: { name: 'Event_environmentId_subscriptionId_position_idx' },
    }),
    occurredAt: f.instants('occurredAt', 'When it happened.'),
  }),
  sort: {
    position: {
      column: 'position',
      index: 'Event_environmentId_position_key',
      isUnique: true,
      description: 'The order they were recorded in.',
    },
  },
});

/** A page of the matching events, the latest first unless they are sorted otherwise. One statement. */
export const listEvents = (
  ctx: Context,
  { kinds, customerId, subscriptionId }: EventFilter,
  args: ListArguments,
): Promise<Page<EventRow>> => {
  const filter = { customerId: customerId ?? undefined, subscriptionId: subscriptionId ?? undefined };
  return readList(ctx, eventList, withMembers(args, { types: kinds ?? undefined }), { filter });
};
