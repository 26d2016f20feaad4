import { dayMs } from '../../../domain/time/period.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { single, withMembers } from '../../../graphql/reading/list-rows.ts';
import { readList } from '../../../graphql/reading/lists.ts';
import { emptyPage } from '../../../graphql/reading/pages.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { findCustomer, requireCustomer } from '../../customers/customers/store.ts';
import { SubscriptionStatus } from './enums.ts';
import { defaultSize, subscriptionList } from './list.ts';
import { listDeadlines } from './list-deadlines.ts';
import {
  loadCurrentSubscription,
  mostCounted,
  readDeadlineDays,
  requireSubscription,
  type SubscriptionRow,
} from './store.ts';
import { UpcomingDeadlineConnection, UpcomingDeadlineDay, UpcomingDeadlineKind } from './types/deadlines.ts';
import { Subscription, SubscriptionConnection } from './types/subscription.ts';

builder.queryField('subscriptions', (t) =>
  t.field({
    type: SubscriptionConnection,
    description:
      "Lists subscriptions. Newest first by default. The list is empty if the customer doesn't exist.",
    rest: { method: 'GET', path: '/subscriptions', view: 'SubscriptionSummary', defaultLimit: defaultSize },
    access: { scope: 'read' },
    args: {
      ...subscriptionList.args,
      customerId: t.arg.string({ description: 'ID or external ID of the customer to filter by.' }),
      status: t.arg({ type: SubscriptionStatus, description: 'Status of the subscriptions to include.' }),
    },
    resolve: async (_root, args, ctx, info) => {
      const customer = args.customerId ? await findCustomer(ctx, args.customerId) : undefined;
      if (customer === null) return emptyPage<SubscriptionRow>();
      const filter = { customerId: customer?.id };
      return readList(ctx, subscriptionList, withMembers(args, { statuses: single(args.status) }), {
        filter,
        info,
      });
    },
  }),
);

builder.queryField('subscription', (t) =>
  t.field({
    type: Subscription,
    description: 'Returns a subscription in any status.',
    rest: {
      method: 'GET',
      path: '/subscriptions/{id}',
      view: 'Subscription',
    },
    errors: ['subscription_not_found'],
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'ID of the subscription.' }) },
    resolve: (_root, { id }, ctx) => requireSubscription(ctx, id),
  }),
);

builder.queryField('subscriptionActive', (t) =>
  t.field({
    type: Subscription,
    nullable: true,
    description:
      "Returns the customer's current subscription, in any status except `canceled`. `null` if the customer has never had a subscription, or if every subscription is canceled.",
    rest: {
      method: 'GET',
      path: '/subscriptions/active',
      view: 'Subscription',
      allowsNull: true,
    },
    errors: ['customer_not_found'],
    access: { scope: 'read' },
    args: {
      customerId: t.arg.string({
        required: true,
        description: 'ID or external ID of the customer.',
      }),
    },
    resolve: async (_root, { customerId }, ctx) => {
      const customer = await requireCustomer(ctx, customerId, 'customerId');
      return loadCurrentSubscription(ctx, customer.id);
    },
  }),
);

builder.queryField('upcomingDeadlines', (t) =>
  t.field({
    type: UpcomingDeadlineConnection,
    description:
      "Lists upcoming deadlines, such as renewals, trial ends, payment retries, and notices, in the order in which they're processed. Processing a deadline can create further deadlines.",
    access: { scope: 'read' },
    args: {
      ...pageArgs(),
      until: t.arg({
        type: 'DateTime',
        description: "Latest due time of the deadlines to include. In a sandbox, the test clock's time.",
      }),
      customerId: t.arg.string({
        description:
          "ID or external ID of the customer to filter by. Includes the deadlines of the customer's subscriptions.",
      }),
      kinds: t.arg({
        type: [UpcomingDeadlineKind],
        description: 'Deadline types to include. Defaults to all types.',
      }),
    },
    resolve: (_root, args, ctx, info) => listDeadlines(ctx, args, info),
  }),
);

builder.queryField('upcomingDeadlineDays', (t) =>
  t.field({
    type: [UpcomingDeadlineDay],
    description: `Returns the number of upcoming deadlines per day and type, sorted by day. Days without deadlines are omitted. Counts up to the first ${mostCounted.toLocaleString('en')} deadlines.`,
    access: { scope: 'read' },
    args: {
      days: t.arg({
        type: 'Int',
        rule: { minimum: 1, maximum: 366 },
        description: 'Number of 24-hour periods to include, starting now. From 1 to 366. Defaults to 14.',
      }),
      kinds: t.arg({
        type: [UpcomingDeadlineKind],
        description: 'Deadline types to include. Defaults to all types.',
      }),
    },
    resolve: (_root, { days, kinds }, ctx) =>
      readDeadlineDays(ctx.sql, new Date(ctx.clock.now().getTime() + (days ?? 14) * dayMs), kinds ?? null),
  }),
);
