import type { Context } from '../../context.ts';
import { eventKinds } from '../../domain/events.ts';
import { builder } from '../../graphql/builder.ts';
import { loadRow } from '../../graphql/loaders.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import { parseOneOf } from '../../graphql/scalars.ts';
import type { EventRow } from '../../infra/event-rows.ts';
import { Customer } from '../customers/types.ts';
import { Subscription } from '../subscriptions/types.ts';
import { stateSnapshot } from './state-snapshot.ts';

builder.scalarType('EventKind', {
  description: `A kind of event, one of ${eventKinds.join(', ')}.`,
  serialize: String,
  parseValue: parseOneOf(eventKinds),
});

/** What an event says to a receiver: what was stored, and for `customer.state_changed` what is so at the moment. */
export async function deliveredData(context: Context, event: EventRow): Promise<object> {
  const stored = event.data as object;
  if (event.kind !== 'customer.state_changed' || event.customerId === null) return stored;
  return { ...stored, ...(await stateSnapshot(context, event.customerId)) };
}

export const Event = builder.prismaObject('Event', {
  description: 'Something that happened, in the envelope webhook endpoints receive.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `whev_…`; the same for every receiver and every attempt.' }),
    event: t.expose('kind', { type: 'EventKind', description: 'What happened.' }),
    timestamp: t.expose('occurredAt', { type: 'DateTime', description: 'Business time of the change.' }),
    organizationId: t.id({ description: 'Whose event it is.', resolve: (_event, _args, context) => context.environment.organizationId }),
    mode: t.string({ description: '`live` or `sandbox`.', resolve: (_event, _args, context) => (context.livemode ? 'live' : 'sandbox') }),
    apiVersion: t.string({ description: 'The version that shapes `data`.', resolve: (_event, _args, context) => context.version }),
    data: t.field({
      type: 'Json',
      description: 'Facts of the event, by its kind. Those of `customer.state_changed` are worked out when it is read.',
      resolve: (event, _args, context) => deliveredData(context, event),
    }),
    position: t.expose('position', { type: 'SafeInt', description: 'Place among the events of the environment: gap-free, from 1 on.' }),
    customer: t.field({
      type: Customer,
      nullable: true,
      description: 'The customer it is about; null when it is about none.',
      resolve: ({ customerId }, _args, context) => (customerId === null ? null : loadRow(context, 'Customer', customerId)),
    }),
    subscription: t.field({
      type: Subscription,
      nullable: true,
      description: 'The subscription it is about, as it is now; null when it is about none.',
      resolve: ({ subscriptionId }, _args, context) => (subscriptionId === null ? null : loadRow(context, 'Subscription', subscriptionId)),
    }),
  }),
});

export const EventConnection = connectionOf('Event', Event, 'events');
