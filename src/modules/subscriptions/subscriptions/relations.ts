import { columnsOf } from '../../../graphql/declare/columns.ts';
import { oncePerField } from '../../../graphql/declare/places.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { Plan } from '../../catalog/plans/types.ts';
import { InvoiceStatus } from '../../invoices/invoices/enums.ts';
import { invoiceList } from '../../invoices/invoices/list.ts';
import { SubscriptionStatus } from './enums.ts';
import { subscriptionList } from './list.ts';
import { loadDeadlines, loadScheduledPlan, loadSubscriptionCount } from './load-related.ts';
import { type CurrentSubscriptionLoader, currentSubscriptionLoader } from './store.ts';
import { UpcomingDeadline } from './types/deadlines.ts';
import { SubscriptionDunning } from './types/parts.ts';
import { Subscription } from './types/subscription.ts';

// Relations between subscriptions and other modules. Each level of a nested query runs one SQL statement.

builder.prismaObjectFields('Subscription', (t) => ({
  customer: t.row('customer', { description: 'Customer who owns the subscription.' }),
  catalogPlan: t.row('plan', {
    description: "Subscription's plan, as currently defined in the catalog.",
  }),
  price: t.row('price', {
    description:
      'Price of the subscription, as currently defined in the catalog. An archived price is also returned. `null` on free plans.',
  }),
  market: t.row('market', {
    description:
      "Market that determines the subscription's price. Can't change after the first checkout is completed. `null` if the customer isn't in any market.",
  }),
  invoices: t.page('invoices', {
    description: 'Invoices of the subscription.',
    list: invoiceList,
    filter: { status: t.arg({ type: InvoiceStatus, description: 'Status of the invoices to include.' }) },
  }),
  paymentMethod: t.row('paymentMethod', {
    description: 'Payment method that is charged. `null` if no payment method is stored.',
  }),
  scheduledPlan: t.computed({
    type: Plan,
    nullable: true,
    description:
      'Plan that the subscription changes to at the end of the current period. `null` if no plan change is scheduled.',
    columns: ['scheduledChange'],
    resolve: (subscription, _args, ctx, info) => loadScheduledPlan(ctx, subscription, columnsOf(info)),
  }),
  deadlines: t.computed({
    type: [UpcomingDeadline],
    description: 'Upcoming deadlines of the subscription, earliest first.',
    args: {
      first: t.arg({
        type: 'Int',
        defaultValue: 10,
        rule: { minimum: 1, maximum: 20 },
        description: 'Number of deadlines to return, from 1 to 20. Defaults to 10.',
      }),
    },
    columns: ['id'],
    resolve: ({ id }, { first }, ctx) => loadDeadlines(ctx, id, first ?? 10),
  }),
  dunning: t.computed({
    type: SubscriptionDunning,
    nullable: true,
    description: 'Dunning status of the unpaid invoice. `null` if no invoice is in dunning.',
    columns: ['dunningStartedAt', 'dunningAttempts', 'dunningInvoiceId', 'retryTerms'],
    resolve: (subscription) => (subscription.dunningStartedAt === null ? null : subscription),
  }),
}));

const loader = oncePerField<CurrentSubscriptionLoader>();

builder.prismaObjectFields('Customer', (t) => ({
  subscription: t.computed({
    type: Subscription,
    nullable: true,
    description:
      "Subscription that isn't canceled. A subscription with an open checkout is returned only if the customer has no other subscription. `null` if the customer has never had a subscription, or if every subscription is canceled.",
    columns: ['id'],
    resolve: ({ id }, _args, ctx, info) =>
      loader(info, () => currentSubscriptionLoader(ctx, columnsOf(info)))(id),
  }),
  subscriptions: t.page('subscriptions', {
    description: 'Subscriptions of the customer.',
    list: subscriptionList,
    filter: {
      status: t.arg({ type: SubscriptionStatus, description: 'Status of the subscriptions to include.' }),
    },
  }),
}));

builder.prismaObjectField('Invoice', 'subscription', (t) =>
  t.row('subscription', {
    description:
      "Subscription that the invoice belongs to. `null` if the invoice doesn't belong to a subscription.",
  }),
);

builder.prismaObjectField('Transaction', 'subscription', (t) =>
  t.row('subscription', {
    description: "Subscription that was charged. `null` if the payment doesn't belong to a subscription.",
  }),
);

/** Filter for the statuses of the subscriptions to count. */
const countedStatuses = () =>
  builder.args((t) => ({
    statuses: t.field({
      type: [SubscriptionStatus],
      rule: { minItems: 1 },
      description: 'Statuses to include. Defaults to all statuses.',
    }),
  }));

builder.prismaObjectField('Plan', 'subscriptionCount', (t) =>
  t.computed({
    type: 'Int',
    description: 'Number of subscriptions to the plan.',
    args: countedStatuses(),
    columns: ['id'],
    resolve: ({ id }, { statuses }, ctx) => loadSubscriptionCount(ctx, 'planId', id, statuses ?? null),
  }),
);

builder.prismaObjectField('PlanPrice', 'subscriptionCount', (t) =>
  t.computed({
    type: 'Int',
    description: 'Number of subscriptions with this price.',
    args: countedStatuses(),
    columns: ['id'],
    resolve: ({ id }, { statuses }, ctx) => loadSubscriptionCount(ctx, 'priceId', id, statuses ?? null),
  }),
);
