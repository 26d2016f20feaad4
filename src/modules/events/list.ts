import type { Context } from '../../context.ts';
import type { Page } from '../../graphql/connections.ts';
import type { NamedOrder } from '../../graphql/cursors.ts';
import { type Below, type ListArguments, loadListBy, withMembers } from '../../graphql/list-rows.ts';
import { listOf, readList } from '../../graphql/lists.ts';
import { batchedByColumns } from '../../graphql/loaders.ts';
import { type EventFilter, type EventRow, readLastEventTimes } from '../../outbox/read.ts';
import type { Condition } from '../../platform/db/row-lists.ts';
import { belongsToCustomerWith } from '../customers/store.ts';
import { EventKind, EventSource } from './enums.ts';
import { aboutSubjects } from './find-by-subject.ts';

/** The latest first: events have a position instead of a creation time and seq. */
export const latestFirst: NamedOrder = {
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
    ids: f.ids(),
    types: f.oneOf('kind', EventKind, 'What happened.', {
      index: { name: 'Event_environmentId_kind_position_idx' },
    }),
    customerIds: f.oneOf('customerId', 'ID', 'Our ids of the customers they are about.', {
      index: { name: 'Event_environmentId_customerId_position_idx' },
    }),
    subscriptionIds: f.oneOf('subscriptionId', 'ID', 'Ids of the subscriptions they are about.', {
      // Found among those of the customer: one index in order is enough.
      index: {
        name: 'Event_environmentId_customerId_position_idx',
        owner: { model: 'Subscription', column: 'customerId' },
      },
    }),
    subjectIds: aboutSubjects,
    sources: f.oneOf('source', EventSource, 'Where the changes were requested.'),
    occurredAt: f.instants('occurredAt', 'When it happened.'),
  }),
  search: {
    idPrefix: 'whev',
    description: 'Only those about customers with this in name, email address or external id.',
    condition: belongsToCustomerWith,
  },
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

/** Usage is most of all events, and has a list of its own. */
const isNoUsage: Condition = () => `t.kind <> 'usage.recorded'`;

/** The arguments of a timeline. */
type TimelineArguments = ListArguments & { readonly types?: readonly string[] | null | undefined };

/** A page of the matching events whose column has this id, the latest first, without `usage.recorded`. Batched. */
export function loadTimeline(
  ctx: Context,
  by: 'customerId' | 'subscriptionId' | 'invoiceId',
  id: string,
  { types, ...args }: TimelineArguments,
  columns: NonNullable<Below['columns']>,
): Promise<Page<EventRow>> {
  const matching = withMembers(args, { types: types ?? undefined });
  return loadListBy(ctx, eventList, matching, { by, id, conditions: [isNoUsage], columns });
}

/** The business time of a customer's last event; null before the first. Batched. */
export function loadLastEventTime(ctx: Context, customerId: string): Promise<Date | null> {
  const load = ctx.once('last events', () =>
    batchedByColumns<Date | null>(async (ids) => {
      const rows = await readLastEventTimes(ctx.sql, ids);
      const times = new Map(rows.map((row) => [row.customerId, row.occurredAt]));
      return (wanted) => times.get(wanted) ?? null;
    }),
  );
  return load(customerId, 'all');
}
