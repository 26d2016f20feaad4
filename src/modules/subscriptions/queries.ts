import { builder } from '../../graphql/builder.ts';
import { single, withMembers } from '../../graphql/list-rows.ts';
import { readList } from '../../graphql/lists.ts';
import { emptyPage } from '../../graphql/pages.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { findCustomer, requireCustomer } from '../customers/store.ts';
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
      'Subscriptions, newest first unless they are sorted otherwise. A customer that does not exist has none.',
    rest: { method: 'GET', path: '/subscriptions', view: 'SubscriptionSummary', defaultLimit: defaultSize },
    access: { scope: 'read' },
    args: {
      ...subscriptionList.args,
      customerId: t.arg.string({ description: 'Our id of a customer, else its external id.' }),
      status: t.arg({ type: SubscriptionStatus, description: 'Only those with this status.' }),
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
    description: 'One subscription in any status; `subscription_not_found` when there is none.',
    rest: {
      method: 'GET',
      path: '/subscriptions/{id}',
      view: 'Subscription',
      errors: ['subscription_not_found'],
    },
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_root, { id }, ctx) => requireSubscription(ctx, id),
  }),
);

builder.queryField('subscriptionActive', (t) =>
  t.field({
    type: Subscription,
    nullable: true,
    description:
      'The subscription of a customer that is not canceled, in any status; null without one. `customer_not_found` when there is no such customer.',
    rest: {
      method: 'GET',
      path: '/subscriptions/active',
      view: 'Subscription',
      allowsNull: true,
      errors: ['customer_not_found'],
    },
    access: { scope: 'read' },
    args: {
      customerId: t.arg.string({
        required: true,
        description: 'Our id of a customer, else its external id.',
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
      'What will happen automatically, in the order in which it will: renewals, ends of trials, retries, notices. Later ones may come up on the way.',
    access: { scope: 'read' },
    args: {
      ...pageArgs(),
      until: t.arg({ type: 'DateTime', description: 'Only those due by then, in business time.' }),
      customerId: t.arg.string({
        description: 'Only those of the subscriptions of this customer: our id, else its external id.',
      }),
      kinds: t.arg({ type: [UpcomingDeadlineKind], description: 'Only those of these kinds.' }),
    },
    resolve: (_root, args, ctx, info) => listDeadlines(ctx, args, info),
  }),
);

const dayMs = 86_400_000;

builder.queryField('upcomingDeadlineDays', (t) =>
  t.field({
    type: [UpcomingDeadlineDay],
    description: `How many deadlines of each kind the coming days have, in order; days without any are left out. At most the first ${mostCounted} deadlines are counted.`,
    access: { scope: 'read' },
    args: {
      days: t.arg({
        type: 'Int',
        rule: { minimum: 1, maximum: 366 },
        description: 'How many days of 24 hours from now on, 1 to 366. Defaults to 14.',
      }),
      kinds: t.arg({ type: [UpcomingDeadlineKind], description: 'Only those of these kinds.' }),
    },
    resolve: (_root, { days, kinds }, ctx) =>
      readDeadlineDays(ctx.sql, new Date(ctx.clock.now().getTime() + (days ?? 14) * dayMs), kinds ?? null),
  }),
);
