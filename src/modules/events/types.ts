import type { Context } from '../../context.ts';
import type { EventSubjectModel } from '../../domain/event-subject.ts';
import { eventSummary } from '../../domain/event-summary.ts';
import { builder } from '../../graphql/builder.ts';
import { node } from '../../graphql/node.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import type { EventRow } from '../../outbox/read.ts';
import { ApiKey } from '../api-keys/types.ts';
import { Customer } from '../customers/types.ts';
import { Invoice } from '../invoices/types/invoice.ts';
import { Member } from '../members/types.ts';
import { Language } from '../organizations/types/organization.ts';
import { Payment } from '../payments/types.ts';
import { Payout } from '../payouts/types.ts';
import { PlanGrant } from '../plan-grants/types.ts';
import { Subscription } from '../subscriptions/types/subscription.ts';
import { Transaction } from '../transactions/types.ts';
import { UsageEvent } from '../usage/types/usage.ts';
import { type EventDigest, maxDigestCustomers } from './collect.ts';
import { EventKind, EventSource } from './enums.ts';
import { stateSnapshot } from './snapshot-state.ts';
import { actorIdOf, loadActor, loadActorName, loadSubject } from './store.ts';

/** What an event says to a receiver: what was stored, and for `customer.state_changed` what is so at the moment. */
export async function deliveredData(
  ctx: Context,
  event: Pick<EventRow, 'kind' | 'customerId' | 'data'>,
): Promise<object> {
  const { data: stored } = event;
  if (event.kind !== 'customer.state_changed' || event.customerId === null) return stored;
  return { ...stored, ...(await stateSnapshot(ctx, event.customerId)) };
}

const prefixOf = ({ id }: { readonly id: string }): string => id.slice(0, id.indexOf('_'));

const actorTypes: Readonly<Record<string, string>> = { key: 'ApiKey', mem: 'Member', cus: 'Customer' };

export const EventActor = builder.unionType('EventActor', {
  description:
    'Who caused an event: a program with its API key, a member of the organization, or a customer.',
  types: [ApiKey, Member, Customer],
  resolveType: (actor) => actorTypes[prefixOf(actor)],
});

/** The types of subjects by the prefix of their ids. */
const subjectTypes: Readonly<Record<string, EventSubjectModel>> = {
  cus: 'Customer',
  evt: 'UsageEvent',
  inv: 'Invoice',
  pay: 'Payment',
  pgr: 'PlanGrant',
  po: 'Payout',
  sub: 'Subscription',
  txn: 'Transaction',
};

const EventSubject = builder.unionType('EventSubject', {
  description: 'What an event is about.',
  types: [Customer, Subscription, Invoice, Transaction, Payment, PlanGrant, Payout, UsageEvent],
  resolveType: (subject) => subjectTypes[prefixOf(subject)],
});

export const Event = builder.prismaObject('Event', {
  ...node({ prefix: 'whev' }),
  description: 'Something that happened, in the envelope webhook endpoints receive.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'Our identifier, `whev_…`; the same for every receiver and every attempt.',
    }),
    event: t.expose('kind', { type: EventKind, description: 'What happened.' }),
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
    data: t.computed({
      type: 'Json',
      description:
        'Facts of the event, by its kind. Those of `customer.state_changed` are computed when it is read.',
      columns: ['kind', 'customerId', 'data'],
      resolve: (event, _args, ctx) => deliveredData(ctx, event),
    }),
    position: t.expose('position', {
      type: 'SafeInt',
      description: 'Place among the events of the environment: gap-free, from 1 on.',
    }),
    summary: t.computed({
      type: 'String',
      description:
        'The event in one sentence, with names and amounts as they were: `Invoice INV-0007 of $49.00 was paid.`',
      args: { language: t.arg({ type: Language, description: 'The language. Defaults to English.' }) },
      columns: ['kind', 'data'],
      resolve: ({ kind, data }, { language }) => eventSummary(kind, data, language ?? 'en'),
    }),
    source: t.expose('source', { type: EventSource, description: 'Where the change was requested.' }),
    actor: t.computed({
      type: EventActor,
      nullable: true,
      description:
        'Who caused it. Null for `clock`, `worker` and `provider`, for a key or a member that is gone, and for one the caller may not see: API keys are shown to callers with the scope `keys`, members to members.',
      columns: ['source', 'actorId', 'customerId'],
      resolve: (event, _args, ctx) => loadActor(ctx, event),
    }),
    actorId: t.computed({
      type: 'ID',
      nullable: true,
      description:
        'Id of who caused it: of the API key, the member or the customer, even when it is gone; for `provider` that of its message. Null for `clock` and `worker`.',
      columns: ['source', 'actorId', 'customerId'],
      resolve: (event) => actorIdOf(event),
    }),
    actorName: t.computed({
      type: 'String',
      nullable: true,
      description:
        'Name of the API key, the member or the customer that caused it, even when the key or the member is gone; null for a customer without a name, and where no one caused it.',
      columns: ['source', 'actorId', 'customerId'],
      resolve: (event, _args, ctx) => loadActorName(ctx, event),
    }),
    requestId: t.exposeString('requestId', {
      nullable: true,
      description: 'Id of the request that caused it, as in `X-Request-Id`; null where no request did.',
    }),
    subject: t.computed({
      type: EventSubject,
      nullable: true,
      description:
        'What it is about, as it is now: what its data name, else its subscription, else its customer. Null for the funds of the organization, and for what is no longer stored.',
      columns: ['kind', 'customerId', 'subscriptionId', 'data'],
      resolve: (event, _args, ctx) => loadSubject(ctx, event),
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
    event: t.expose('kind', { type: EventKind, description: 'The kind.' }),
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
