import { builder } from '../../graphql/builder.ts';
import { emptyPage, listRows } from '../../graphql/pages.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { findCustomer, requireCustomer } from '../customers/store.ts';
import { SubscriptionStatus } from './enums.ts';
import { loadCurrentSubscription, requireSubscription, type SubscriptionRow } from './store.ts';
import { Subscription, SubscriptionConnection } from './types/subscription.ts';

/** Page size of the list when the caller names none. */
const defaultSize = 100;

builder.queryField('subscriptions', (t) =>
  t.field({
    type: SubscriptionConnection,
    description: 'Subscriptions, newest first. A customer that does not exist has none.',
    rest: { method: 'GET', path: '/subscriptions', view: 'SubscriptionSummary', defaultLimit: defaultSize },
    access: { scope: 'read' },
    args: {
      ...pageArgs(defaultSize),
      customerId: t.arg.string({ description: 'Our id of a customer, else its external id.' }),
      status: t.arg({ type: SubscriptionStatus, description: 'Only those with this status.' }),
    },
    resolve: async (_root, args, ctx, info) => {
      const customer = args.customerId ? await findCustomer(ctx, args.customerId) : undefined;
      if (customer === null) return emptyPage<SubscriptionRow>();
      const filter = { customerId: customer?.id, status: args.status ?? undefined };
      return listRows(ctx, 'Subscription', args, { filter, defaultSize, info });
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
      'The subscription of a customer that is not canceled, whatever its status; null without one. `customer_not_found` when there is no such customer.',
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
