import type { Page } from '../../../graphql/reading/connections.ts';
import type { NamedOrder } from '../../../graphql/reading/cursors.ts';
import {
  type Below,
  type ListArguments,
  listLoader,
  withMembers,
} from '../../../graphql/reading/list-rows.ts';
import { listOf, readList } from '../../../graphql/reading/lists.ts';
import { batchedByColumns } from '../../../graphql/reading/loaders.ts';
import { type EventFilter, type EventRow, readLastEventTimes } from '../../../outbox/read.ts';
import type { Condition } from '../../../platform/db/row-lists.ts';
import type { Context } from '../../../request/context.ts';
import { customerSearch } from '../../customers/customers/search-store.ts';
import { EventKind, EventSource } from '../../organization/event-types/enums.ts';
import { aboutSubjects } from './find-by-subject.ts';

/** Sorts events by position, newest first. Events have neither a creation time nor a `seq`. */
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
    ids: f.ids(),
    types: f.oneOf('kind', EventKind, 'Event types to include.', {
      index: { name: 'Event_environmentId_kind_position_idx' },
    }),
    customerIds: f.oneOf('customerId', 'ID', 'IDs of the customers to include.', {
      index: { name: 'Event_environmentId_customerId_position_idx' },
    }),
    subscriptionIds: f.oneOf('subscriptionId', 'ID', 'IDs of the subscriptions to include.', {
      // The index of the customer's events is sufficient to find the events of a subscription.
      index: {
        name: 'Event_environmentId_customerId_position_idx',
        owner: { model: 'Subscription', column: 'customerId' },
      },
    }),
    subjectIds: aboutSubjects,
    sources: f.oneOf('source', EventSource, 'Sources of the events to include.'),
    occurredAt: f.instants('occurredAt', 'Time at which the event occurred.'),
  }),
  search: {
    idPrefix: 'whev',
    description: "Text to search for in the customer's name, email address, or external ID.",
    ...customerSearch(),
  },
  sort: {
    position: {
      column: 'position',
      index: 'Event_environmentId_position_key',
      isUnique: true,
      description: 'Order in which the events were recorded.',
    },
  },
});

/** Lists matching events, newest first by default. Runs one SQL statement. */
export const listEvents = (
  ctx: Context,
  { kinds, customerId, subscriptionId }: EventFilter,
  args: ListArguments,
): Promise<Page<EventRow>> => {
  const filter = { customerId: customerId ?? undefined, subscriptionId: subscriptionId ?? undefined };
  return readList(ctx, eventList, withMembers(args, { types: kinds ?? undefined }), { filter });
};

/** SQL condition that excludes usage events, which make up most events and have their own list. */
const isNoUsage: Condition = () => `t.kind <> 'usage.recorded'`;

type TimelineArguments = ListArguments & { readonly types?: readonly string[] | null | undefined };

/**
 * Lists the matching events that have the given ID in a column, newest first. Excludes `usage.recorded`. Lookups are
 * batched.
 */
export function loadTimeline(
  ctx: Context,
  by: 'customerId' | 'subscriptionId' | 'invoiceId',
  id: string,
  { types, ...args }: TimelineArguments,
  columns: NonNullable<Below['columns']>,
): Promise<Page<EventRow>> {
  const matching = withMembers(args, { types: types ?? undefined });
  return listLoader(ctx, eventList, matching, { by, conditions: [isNoUsage], columns })(id);
}

/**
 * Returns the time of a customer's last event, according to the environment's clock. `null` if the customer has no
 * events. Lookups are batched.
 */
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
