import { builder } from '../../graphql/builder.ts';
import { emptyPage, listRows, pageArgs } from '../../graphql/pagination.ts';
import { findCustomer, requireCustomer } from '../customers/service.ts';
import { requireSubscription, type SubscriptionRow } from './find.ts';
import { loadCurrentSubscription } from './service.ts';
import { Subscription, SubscriptionConnection } from './types.ts';
import { SubscriptionStatus } from './words.ts';

/** Page size of the list when the caller names none (protocols C6). */
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
    resolve: async (_root, args, context, info) => {
      const customer = args.customerId ? await findCustomer(context, args.customerId) : undefined;
      if (customer === null) return emptyPage<SubscriptionRow>();
      const filter = { customerId: customer?.id, status: args.status ?? undefined };
      return listRows(context, 'Subscription', args, { filter, defaultSize, info });
    },
  }),
);

builder.queryField('subscription', (t) =>
  t.field({
    type: Subscription,
    description: 'One subscription in any status; `subscription_not_found` when there is none.',
    rest: { method: 'GET', path: '/subscriptions/{id}', view: 'Subscription', errors: ['subscription_not_found'] },
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_root, { id }, context) => requireSubscription(context, id),
  }),
);

builder.queryField('subscriptionActive', (t) =>
  t.field({
    type: Subscription,
    nullable: true,
    description:
      'The subscription of a customer that is not canceled, whatever its status; null without one (SUB-4). `customer_not_found` when there is no such customer.',
    rest: { method: 'GET', path: '/subscriptions/active', view: 'Subscription', allowsNull: true, errors: ['customer_not_found'] },
    access: { scope: 'read' },
    args: { customerId: t.arg.string({ required: true, description: 'Our id of a customer, else its external id.' }) },
    resolve: async (_root, { customerId }, context) => {
      const customer = await requireCustomer(context, customerId, 'customerId');
      return loadCurrentSubscription(context, customer.id);
    },
  }),
);
