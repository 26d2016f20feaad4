import { eventSummary } from '../../../documents/event-summary.ts';
import type { EventSubjectModel } from '../../../domain/events/event-subject.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import type { EventRow } from '../../../outbox/read.ts';
import { prefixOf } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { actorIdOf, loadActor, loadActorName } from '../../customers/actors/store.ts';
import { EventActor } from '../../customers/actors/types.ts';
import { Customer } from '../../customers/customers/types.ts';
import { CreditNote } from '../../invoices/credit-notes/types/credit-note.ts';
import { Invoice } from '../../invoices/invoices/types/invoice.ts';
import { EventKind } from '../../organization/event-types/enums.ts';
import { Language } from '../../organization/organizations/types/organization.ts';
import { TaxRegistration } from '../../organization/tax-registrations/types.ts';
import { PayoutBankAccount } from '../../payments/bank-accounts/types.ts';
import { ConnectedAccount } from '../../payments/connections/types.ts';
import { Payment } from '../../payments/payments/types.ts';
import { Payout } from '../../payments/payouts/types.ts';
import { Receipt } from '../../payments/receipts/types.ts';
import { Transaction } from '../../payments/transactions/types.ts';
import { PlanGrant } from '../../subscriptions/plan-grants/types.ts';
import { Subscription } from '../../subscriptions/subscriptions/types/subscription.ts';
import { UsageEvent } from '../../usage/usage/types/usage.ts';
import { EventPayload } from '../event-payloads/types.ts';
import { type EventDigest, maxDigestCustomers } from './collect.ts';
import { stateSnapshot } from './snapshot-state.ts';
import { loadSubject } from './store.ts';

/** Returns the data of an event as delivered to webhooks: the stored data and, for `customer.state_changed`, the current state. */
export async function deliveredData(
  ctx: Context,
  event: Pick<EventRow, 'kind' | 'customerId' | 'data'>,
): Promise<Readonly<Record<string, unknown>>> {
  const { data: stored } = event;
  if (event.kind !== 'customer.state_changed' || event.customerId === null) return stored;
  return { ...stored, ...(await stateSnapshot(ctx, event.customerId)) };
}

/** Models of event subjects, by the prefix of their IDs. */
const subjectTypes: Readonly<Record<string, EventSubjectModel | 'ConnectedAccount'>> = {
  con: 'ConnectedAccount',
  cus: 'Customer',
  evt: 'UsageEvent',
  crn: 'CreditNote',
  inv: 'Invoice',
  pay: 'Payment',
  pba: 'PayoutBankAccount',
  pgr: 'PlanGrant',
  po: 'Payout',
  rcp: 'Receipt',
  sub: 'Subscription',
  txn: 'Transaction',
  txr: 'TaxRegistration',
};

const EventSubject = builder.unionType('EventSubject', {
  description: 'Object to which an event refers.',
  types: [
    Customer,
    Subscription,
    Invoice,
    CreditNote,
    Transaction,
    Receipt,
    Payment,
    PlanGrant,
    Payout,
    PayoutBankAccount,
    ConnectedAccount,
    TaxRegistration,
    UsageEvent,
  ],
  resolveType: ({ id }) => subjectTypes[prefixOf(id)],
});

export const Event = builder.prismaObject('Event', {
  ...node({ prefix: 'whev' }),
  description: 'An event, in the same format as in webhook deliveries.',
  fields: (t) => ({
    ...t.columns('id'),
    event: t.expose('kind', { type: EventKind }),
    timestamp: t.column('occurredAt'),
    organizationId: t.computed({
      type: 'ID',
      description: 'ID of the organization, starting with `org_`.',
      columns: [],
      resolve: (_event, _args, ctx) => ctx.environment.organizationId,
    }),
    mode: t.computed({
      type: 'String',
      description: 'Environment of the event, `live` or `sandbox`.',
      columns: [],
      resolve: (_event, _args, ctx) => (ctx.livemode ? 'live' : 'sandbox'),
    }),
    apiVersion: t.computed({
      type: 'String',
      description: 'API version that determines the format of `data`.',
      columns: [],
      resolve: (_event, _args, ctx) => ctx.version,
    }),
    data: t.computed({
      type: 'Json',
      description:
        'Data of the event. The fields depend on the event type. For `customer.state_changed`, the data is computed when the event is read.',
      columns: ['kind', 'customerId', 'data'],
      resolve: (event, _args, ctx) => deliveredData(ctx, event),
    }),
    payload: t.computed({
      type: EventPayload,
      description:
        'Data of the event, with a type for each event type. For `customer.state_changed`, the data is computed when the event is read.',
      columns: ['kind', 'customerId', 'data'],
      resolve: async (event, _args, ctx) => ({ kind: event.kind, data: await deliveredData(ctx, event) }),
    }),
    ...t.columns('position'),
    summary: t.computed({
      type: 'String',
      description:
        'One-sentence summary of the event, with names and amounts at the time of the event, such as `Invoice INV-0007 for $49.00 was paid.`',
      args: {
        language: t.arg({ type: Language, description: 'Language of the summary. Defaults to English.' }),
      },
      columns: ['kind', 'data'],
      resolve: ({ kind, data }, { language }) => eventSummary(kind, data, language ?? 'en'),
    }),
    ...t.columns('source'),
    actor: t.computed({
      type: EventActor,
      nullable: true,
      description:
        "API key, member, or customer that caused the event. `null` if the source is `clock`, `worker`, or `provider`. Also `null` if the API key or member was deleted, or if the caller isn't allowed to read the API key or member. Reading an API key requires the scope `keys`. Members are visible only to members.",
      columns: ['source', 'actorId', 'customerId'],
      resolve: (event, _args, ctx) => loadActor(ctx, event),
    }),
    actorId: t.computed({
      type: 'ID',
      nullable: true,
      description:
        "ID of the API key, member, or customer that caused the event, even if the API key, member, or customer was deleted. If the source is `provider`, the ID of the payment provider's message. `null` if the source is `clock` or `worker`.",
      columns: ['source', 'actorId', 'customerId'],
      resolve: (event) => actorIdOf(event),
    }),
    actorName: t.computed({
      type: 'String',
      nullable: true,
      description:
        "Name of the API key, member, or customer that caused the event, even if the API key or member was deleted. `null` if the customer has no name, or if there's no actor.",
      columns: ['source', 'actorId', 'customerId'],
      resolve: (event, _args, ctx) => loadActorName(ctx, event),
    }),
    ...t.columns('requestId'),
    subject: t.computed({
      type: EventSubject,
      nullable: true,
      description:
        "Current state of the event's subject: the object in `data`, or otherwise the subscription or customer. `null` if the subject is the organization's funds or a payment route. Also `null` if the subject is no longer stored, or if the caller can't read the subject.",
      columns: ['kind', 'customerId', 'subscriptionId', 'data'],
      resolve: (event, _args, ctx) => loadSubject(ctx, event),
    }),
    customer: t.rowById('Customer', {
      id: 'customerId',
      nullable: true,
      description: "Customer that the event belongs to. `null` if the event isn't related to a customer.",
    }),
    subscription: t.rowById('Subscription', {
      id: 'subscriptionId',
      nullable: true,
      description:
        "Current state of the subscription that the event belongs to. `null` if the event isn't related to a subscription.",
    }),
  }),
});

export const EventConnection = connectionOf('Event', Event, 'events');

const EventCount = builder.objectRef<{ kind: string; count: number }>('EventCount').implement({
  description: 'Number of events of one type.',
  fields: (t) => ({
    event: t.member('kind', EventKind).describe('Type of the counted events.'),
    count: t.member('count', 'Int').describe('Number of events. At least 1.'),
  }),
});

export const EventDigestType = builder.objectRef<EventDigest>('EventDigest').implement({
  description: 'Summary of the events in a time span.',
  fields: (t) => ({
    fromPosition: t
      .member('fromPosition', 'SafeInt')
      .describe('Position of the first event. Follows the last position of the previous digest.'),
    toPosition: t.member('toPosition', 'SafeInt').describe('Position of the last event.'),
    counts: t.field({
      type: [EventCount],
      description: 'Number of events by type, in the order in which the types first occurred.',
      resolve: ({ counts }) => Array.from(counts, ([kind, count]) => ({ kind, count })),
    }),
    customerIds: t.field({
      type: ['ID'],
      description: `IDs of the customers that the events belong to, without duplicates. Up to ${maxDigestCustomers.toLocaleString('en')}.`,
      resolve: ({ customerIds }) => [...customerIds],
    }),
  }),
});
