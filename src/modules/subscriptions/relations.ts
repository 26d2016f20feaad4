import { builder } from '../../graphql/builder.ts';
import { columnsOf } from '../../graphql/columns.ts';
import { InvoiceStatus } from '../invoices/enums.ts';
import { invoiceList } from '../invoices/list.ts';
import { Plan } from '../plans/types.ts';
import { SubscriptionStatus } from './enums.ts';
import { subscriptionList } from './list.ts';
import { loadDeadlines, loadScheduledPlan, loadSubscriptionCount } from './load-related.ts';
import { loadCurrentSubscription } from './store.ts';
import { UpcomingDeadline } from './types/deadlines.ts';
import { SubscriptionDunning } from './types/parts.ts';
import { Subscription } from './types/subscription.ts';

// How subscriptions hang together with the areas below; each level of a nested query is one statement.

builder.prismaObjectFields('Subscription', (t) => ({
  customer: t.row('customer', { description: 'Who subscribed.' }),
  catalogPlan: t.row('plan', { description: 'The plan as the catalog has it now.' }),
  price: t.row('price', {
    description: 'The bound price as the catalog has it now, archived or not; null on free plans.',
  }),
  market: t.row('market', {
    description:
      'The market its price is looked up in, kept from the first completed checkout on; null outside all markets.',
  }),
  invoices: t.page('invoices', {
    description: 'The invoices of the subscription.',
    list: invoiceList,
    filter: { status: t.arg({ type: InvoiceStatus, description: 'Only those with this status.' }) },
  }),
  paymentMethod: t.row('paymentMethod', {
    description: 'The card it is charged to; null while none is stored.',
  }),
  scheduledPlan: t.computed({
    type: Plan,
    nullable: true,
    description: 'The plan it will change to at the end of the period; null without a change of plan.',
    columns: ['scheduledChange'],
    resolve: (subscription, _args, ctx, info) => loadScheduledPlan(ctx, subscription, columnsOf(info)),
  }),
  deadlines: t.computed({
    type: [UpcomingDeadline],
    description: 'What will happen to it automatically, the next first.',
    args: {
      first: t.arg({
        type: 'Int',
        defaultValue: 10,
        rule: { minimum: 1, maximum: 20 },
        description: 'How many, 1 to 20. Defaults to 10.',
      }),
    },
    columns: ['id'],
    resolve: ({ id }, { first }, ctx) => loadDeadlines(ctx, id, first ?? 10),
  }),
  dunning: t.computed({
    type: SubscriptionDunning,
    nullable: true,
    description: 'How an unpaid invoice is being collected; null unless one is.',
    columns: ['dunningStartedAt', 'dunningAttempts', 'dunningInvoiceId'],
    resolve: (subscription) => (subscription.dunningStartedAt === null ? null : subscription),
  }),
}));

builder.prismaObjectFields('Customer', (t) => ({
  subscription: t.computed({
    type: Subscription,
    nullable: true,
    description:
      'The one that is not canceled, an open checkout only where there is nothing else; null without one.',
    columns: ['id'],
    resolve: ({ id }, _args, ctx, info) => loadCurrentSubscription(ctx, id, columnsOf(info)),
  }),
  subscriptions: t.page('subscriptions', {
    description: 'All subscriptions of the customer.',
    list: subscriptionList,
    filter: { status: t.arg({ type: SubscriptionStatus, description: 'Only those with this status.' }) },
  }),
}));

builder.prismaObjectField('Invoice', 'subscription', (t) =>
  t.row('subscription', { description: 'The subscription it is about; null without one.' }),
);

builder.prismaObjectField('Transaction', 'subscription', (t) =>
  t.row('subscription', { description: 'The subscription it was charged for; null without one.' }),
);

/** The statuses of the subscriptions that are counted. */
const countedStatuses = () =>
  builder.args((t) => ({
    statuses: t.field({
      type: [SubscriptionStatus],
      rule: { minItems: 1 },
      description: 'Only those with one of these statuses. Defaults to all.',
    }),
  }));

builder.prismaObjectField('Plan', 'subscriptionCount', (t) =>
  t.computed({
    type: 'Int',
    description: 'How many subscriptions there are to the plan.',
    args: countedStatuses(),
    columns: ['id'],
    resolve: ({ id }, { statuses }, ctx) => loadSubscriptionCount(ctx, 'planId', id, statuses ?? null),
  }),
);

builder.prismaObjectField('PlanPrice', 'subscriptionCount', (t) =>
  t.computed({
    type: 'Int',
    description: 'How many subscriptions are bound to the price.',
    args: countedStatuses(),
    columns: ['id'],
    resolve: ({ id }, { statuses }, ctx) => loadSubscriptionCount(ctx, 'priceId', id, statuses ?? null),
  }),
);
