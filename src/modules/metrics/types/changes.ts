import type { MrrState } from '../../../domain/subscription/state/recurring-rows.ts';
import { builder } from '../../../graphql/builder.ts';
import { connectionOf } from '../../../graphql/pagination.ts';
import { restView } from '../../../graphql/rest.ts';
import type { Row } from '../../../platform/db/rows.ts';
import { Currency } from '../../currencies/enums.ts';
import { Event } from '../../events/types.ts';
import { BillingInterval } from '../../plans/enums.ts';
import { PaymentProvider } from '../../transactions/enums.ts';
import { MrrMovementKind, MrrReason } from '../enums.ts';
import { loadEntries, loadEvents } from '../load-entries.ts';
import { MrrComponentsType } from './points.ts';

const MrrStateType = builder.objectRef<MrrState>('MrrState').implement({
  description: 'The monthly recurring revenue of one subscription, with what it is grouped by.',
  fields: (t) => ({
    components: t.field({
      type: MrrComponentsType,
      description: 'Its parts.',
      resolve: ({ base, discount, seats, quota, addons }) => ({
        base: BigInt(base),
        discount: BigInt(discount),
        seats: BigInt(seats),
        quota: BigInt(quota),
        addons: BigInt(addons),
      }),
    }),
    currency: t.field({ type: Currency, description: 'The currency.', resolve: ({ currency }) => currency }),
    plan: t.rowById('Plan', { id: ({ planId }) => planId, description: 'The plan.' }),
    interval: t.expose('interval', {
      type: BillingInterval,
      nullable: true,
      description: 'How often the plan is billed; null for free plans.',
    }),
    country: t.exposeString('country', {
      nullable: true,
      description: 'The country of the customer then, ISO 3166-1 alpha-2; null where it was unknown.',
    }),
    provider: t.expose('provider', {
      type: PaymentProvider,
      nullable: true,
      description: 'The payment provider; null without one.',
    }),
    isPastDue: t.exposeBoolean('isPastDue', { description: 'Whether it is past due.' }),
  }),
});

const MrrEntryType = builder.objectRef<Row<'MrrEntry'>>('MrrEntry').implement({
  description: 'One change of the monthly recurring revenue of a subscription, written with what led to it.',
  fields: (t) => ({
    subscription: t.rowById('Subscription', {
      id: ({ subscriptionId }) => subscriptionId,
      description: 'The subscription.',
    }),
    reason: t.expose('reason', { type: MrrReason, description: 'Why it changed.' }),
    before: t.expose('before', {
      type: MrrStateType,
      nullable: true,
      description: 'What it was; null for nothing.',
    }),
    after: t.expose('after', {
      type: MrrStateType,
      nullable: true,
      description: 'What it became; null for nothing.',
    }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime', description: 'When, in business time.' }),
    events: t.field({
      type: [Event],
      description: 'The events of the subscription that were written with it, the earliest first.',
      resolve: (entry, _args, ctx) => loadEvents(ctx, entry),
    }),
  }),
});

const MrrChange = builder.prismaObject('MrrCustomerDay', {
  name: 'MrrChange',
  description: 'What one day changed of the monthly recurring revenue of a customer in one currency.',
  fields: (t) => ({
    customer: t.rowById('Customer', { id: 'customerId', description: 'Whose it is.' }),
    day: t.expose('day', { type: 'Date', description: 'The day, in UTC.' }),
    currency: t.expose('currency', { type: Currency, description: 'The currency.' }),
    kind: t.expose('kind', {
      type: MrrMovementKind,
      description: 'What it did; `transfer_in` where revenue only moved from one group to another.',
    }),
    reason: t.expose('reason', { type: MrrReason, description: 'Why it changed last on the day.' }),
    before: t.expose('before', {
      type: 'SafeInt',
      amount: 'RATE',
      description: 'What it was at the end of the day before.',
    }),
    after: t.expose('after', {
      type: 'SafeInt',
      amount: 'RATE',
      description: 'What it was at the end of the day.',
    }),
    entries: t.computed({
      type: [MrrEntryType],
      description:
        'The changes of subscriptions it is made of, in this currency, the earliest first. One that moved no revenue is among them.',
      columns: ['customerId', 'day', 'seq', 'currency'],
      resolve: (change, _args, ctx) => loadEntries(ctx, change),
    }),
  }),
});

export const MrrChangeConnection = connectionOf(
  'MrrChange',
  MrrChange,
  'changes of recurring revenue',
  'latest day first',
);

const stateView = `{ components { base discount seats quota addons } currency plan { id name } interval country provider isPastDue }`;

restView(
  'MrrChange',
  'MrrChange',
  `customer { id externalId fullName email } day currency kind reason before after
   entries { subscription { id } reason before ${stateView} after ${stateView} occurredAt events { id event } }`,
);
