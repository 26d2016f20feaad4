import type { MrrState } from '../../../../domain/rows/recurring-rows.ts';
import { restView } from '../../../../graphql/declare/rest.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { connectionOf } from '../../../../graphql/reading/pagination.ts';
import type { Row } from '../../../../platform/db/rows.ts';
import { BillingInterval } from '../../../catalog/plans/enums.ts';
import { Event } from '../../../messages/events/types.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import { PaymentProvider } from '../../../payments/transactions/enums.ts';
import { MrrMovementKind, MrrReason } from '../enums.ts';
import { loadEntries, loadEvents } from '../load-entries.ts';
import { MrrComponentsType } from './points.ts';

const MrrStateType = builder.objectRef<MrrState>('MrrState').implement({
  description: 'Monthly recurring revenue of one subscription, with its dimensions.',
  fields: (t) => ({
    components: t.field({
      type: MrrComponentsType,
      description: 'Components of the monthly recurring revenue.',
      resolve: ({ base, discount, seats, quota, addons }) => ({
        base: BigInt(base),
        discount: BigInt(discount),
        seats: BigInt(seats),
        quota: BigInt(quota),
        addons: BigInt(addons),
      }),
    }),
    currency: t.member('currency', Currency).describe('Currency of the amounts.'),
    plan: t.rowById('Plan', { id: ({ planId }) => planId, description: 'Plan of the subscription.' }),
    interval: t
      .maybe('interval', BillingInterval)
      .describe('Billing interval of the plan. `null` if the plan is free.'),
    country: t
      .maybe('country', 'String')
      .describe(
        'Country of the customer when the revenue was recorded, as an ISO 3166-1 alpha-2 code. `null` if not known.',
      ),
    provider: t
      .maybe('provider', PaymentProvider)
      .describe('Payment provider. `null` if the subscription has no provider.'),
    isPastDue: t.member('isPastDue', 'Boolean').describe('Whether the subscription is past due.'),
  }),
});

const MrrEntryType = builder.objectRef<Row<'MrrEntry'>>('MrrEntry').implement({
  description: 'A change in the monthly recurring revenue of a subscription, with its cause.',
  fields: (t) => ({
    subscription: t.rowById('Subscription', {
      id: ({ subscriptionId }) => subscriptionId,
      description: 'Subscription that changed.',
    }),
    reason: t.member('reason', MrrReason).describe('Reason for the change.'),
    before: t
      .maybe('before', MrrStateType)
      .describe('Revenue before the change. `null` if the subscription had no revenue.'),
    after: t
      .maybe('after', MrrStateType)
      .describe('Revenue after the change. `null` if the subscription has no revenue.'),
    occurredAt: t
      .member('occurredAt', 'DateTime')
      .describe("Time at which the revenue changed. In a sandbox, the test clock's time."),
    events: t.field({
      type: [Event],
      description: 'Events of the subscription that were recorded together with the change, oldest first.',
      resolve: (entry, _args, ctx) => loadEvents(ctx, entry),
    }),
  }),
});

const MrrChange = builder.prismaObject('MrrCustomerDay', {
  name: 'MrrChange',
  description: "A daily change in a customer's monthly recurring revenue, in one currency.",
  fields: (t) => ({
    customer: t.rowById('Customer', { id: 'customerId', description: 'Customer whose revenue changed.' }),
    ...t.columns('day', 'currency'),
    kind: t.expose('kind', { type: MrrMovementKind }),
    reason: t.expose('reason', { type: MrrReason }),
    ...t.columns('before', 'after'),
    entries: t.computed({
      type: [MrrEntryType],
      description:
        "Changes to the customer's subscriptions that add up to this daily change, oldest first. Includes changes without an effect on revenue. Only changes in the same currency are included.",
      columns: ['customerId', 'day', 'seq', 'currency'],
      resolve: (change, _args, ctx) => loadEntries(ctx, change),
    }),
  }),
});

export const MrrChangeConnection = connectionOf(
  'MrrChange',
  MrrChange,
  'changes in recurring revenue',
  'latest day first',
);

const stateView = `{ components { base discount seats quota addons } currency plan { id name } interval country provider isPastDue }`;

restView(
  'MrrChange',
  'MrrChange',
  `customer { id externalId fullName email } day currency kind reason before after
   entries { subscription { id } reason before ${stateView} after ${stateView} occurredAt events { id event } }`,
);
