import type { Context } from '../../context.ts';
import { eventKinds } from '../../domain/events.ts';
import { builder } from '../../graphql/builder.ts';
import { node } from '../../graphql/node.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import { parseOneOf } from '../../graphql/scalars.ts';
import type { EventRow } from '../../outbox/read.ts';
import { type EventDigest, maxDigestCustomers } from './collect.ts';
import { stateSnapshot } from './snapshot-state.ts';

builder.scalarType('EventKind', {
  description: `A kind of event, one of ${eventKinds.join(', ')}.`,
  serialize: String,
  parseValue: parseOneOf(eventKinds),
});

/** What an event says to a receiver: what was stored, and for `customer.state_changed` what is so at the moment. */
export async function deliveredData(ctx: Context, event: EventRow): Promise<object> {
  const { data: stored } = event;
  if (event.kind !== 'customer.state_changed' || event.customerId === null) return stored;
  return { ...stored, ...(await stateSnapshot(ctx, event.customerId)) };
}

export const Event = builder.prismaObject('Event', {
  ...node({ prefix: 'whev' }),
  description: 'Something that happened, in the envelope webhook endpoints receive.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'Our identifier, `whev_…`; the same for every receiver and every attempt.',
    }),
    event: t.expose('kind', { type: 'EventKind', description: 'What happened.' }),
    timestamp: t.expose('occurredAt', { type: 'DateTime', description: 'Business time of the change.' }),
    organizationId: t.computed({
      type: 'ID',
      description: 'Whose event it is.',
      columns: [],
      resolve: (_event, _args, ctx) => ctx.environment.organizationId,
    }),
    mode: t.computed({
      type: 'String',
      description: '`live` or `sandbox`.',
      columns: [],
      resolve: (_event, _args, ctx) => (ctx.livemode ? 'live' : 'sandbox'),
    }),
    apiVersion: t.computed({
      type: 'String',
      description: 'The version that shapes `data`.',
      columns: [],
      resolve: (_event, _args, ctx) => ctx.version,
    }),
    data: t.field({
      type: 'Json',
      description:
        'Facts of the event, by its kind. Those of `customer.state_changed` are worked out when it is read.',
      resolve: (event, _args, ctx) => deliveredData(ctx, event),
    }),
    position: t.expose('position', {
      type: 'SafeInt',
      description: 'Place among the events of the environment: gap-free, from 1 on.',
    }),
    customer: t.rowById('Customer', {
      id: 'customerId',
      nullable: true,
      description: 'The customer it is about; null when it is about none.',
    }),
    subscription: t.rowById('Subscription', {
      id: 'subscriptionId',
      nullable: true,
      description: 'The subscription it is about, as it is now; null when it is about none.',
    }),
  }),
});

export const EventConnection = connectionOf('Event', Event, 'events');

const EventCount = builder.objectRef<{ kind: string; count: number }>('EventCount').implement({
  description: 'How many events of a kind there were.',
  fields: (t) => ({
    event: t.expose('kind', { type: 'EventKind', description: 'The kind.' }),
    count: t.exposeInt('count', { description: 'How many, 1 at least.' }),
  }),
});

export const EventDigestType = builder.objectRef<EventDigest>('EventDigest').implement({
  description: 'What happened in a while, counted.',
  fields: (t) => ({
    fromPosition: t.expose('fromPosition', {
      type: 'SafeInt',
      description: 'Position of its first event: the next one after the digest before.',
    }),
    toPosition: t.expose('toPosition', { type: 'SafeInt', description: 'Position of its last event.' }),
    counts: t.field({
      type: [EventCount],
      description: 'The kinds there were, those that came first before others.',
      resolve: ({ counts }) => Array.from(counts, ([kind, count]) => ({ kind, count })),
    }),
    customerIds: t.field({
      type: ['ID'],
      description: `Ids of the customers the events are about, each once; ${maxDigestCustomers} at most.`,
      resolve: ({ customerIds }) => [...customerIds],
    }),
  }),
});
