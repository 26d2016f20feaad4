import { builder } from '../../graphql/builder.ts';
import { loadExistingRow, loadPageBy, loadRow } from '../../graphql/loaders.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { Customer } from '../customers/types.ts';
import { InvoiceConnection } from '../invoices/types.ts';
import { InvoiceStatus } from '../invoices/words.ts';
import { Market } from '../markets/types.ts';
import { PlanPrice } from '../plans/price-types.ts';
import { Plan } from '../plans/types.ts';
import { SubscriptionDunning } from './parts.ts';
import { loadCurrentSubscription } from './service.ts';
import { Subscription, SubscriptionConnection } from './types.ts';
import { SubscriptionStatus } from './words.ts';

// How subscriptions hang together with the areas below; each level of a nested query is one statement.

builder.prismaObjectFields('Subscription', (t) => ({
  customer: t.field({
    type: Customer,
    description: 'Who subscribed.',
    columns: ['customerId'],
    resolve: ({ customerId }, _args, context, info) => loadExistingRow(context, 'Customer', customerId, info),
  }),
  catalogPlan: t.field({
    type: Plan,
    description: 'The plan as the catalogue has it now.',
    columns: ['planId'],
    resolve: ({ planId }, _args, context, info) => loadExistingRow(context, 'Plan', planId, info),
  }),
  price: t.field({
    type: PlanPrice,
    nullable: true,
    description: 'The bound price as the catalogue has it now, archived or not; null on free plans.',
    columns: ['priceId'],
    resolve: ({ priceId }, _args, context, info) => (priceId === null ? null : loadRow(context, 'PlanPrice', priceId, info)),
  }),
  market: t.field({
    type: Market,
    nullable: true,
    description: 'The market its price is looked up in, kept from the first completed checkout on; null outside all markets.',
    columns: ['marketId'],
    resolve: ({ marketId }, _args, context, info) => (marketId === null ? null : loadRow(context, 'Market', marketId, info)),
  }),
  invoices: t.field({
    type: InvoiceConnection,
    description: 'The invoices of the subscription.',
    args: { ...pageArgs(), status: t.arg({ type: InvoiceStatus, description: 'Only those with this status.' }) },
    columns: ['id'],
    resolve: ({ id }, args, context, info) =>
      loadPageBy(context, 'Invoice', 'subscriptionId', id, args, { status: args.status ?? undefined }, info),
  }),
  dunning: t.field({
    type: SubscriptionDunning,
    nullable: true,
    description: 'How an unpaid invoice is being collected; null unless one is.',
    resolve: (subscription) => (subscription.dunningStartedAt === null ? null : subscription),
  }),
}));

builder.prismaObjectFields('Customer', (t) => ({
  subscription: t.field({
    type: Subscription,
    nullable: true,
    description: 'The one that is not canceled, an open checkout only where there is nothing else; null without one (SUB-4).',
    columns: ['id'],
    resolve: ({ id }, _args, context, info) => loadCurrentSubscription(context, id, info),
  }),
  subscriptions: t.field({
    type: SubscriptionConnection,
    description: 'All subscriptions of the customer.',
    args: { ...pageArgs(), status: t.arg({ type: SubscriptionStatus, description: 'Only those with this status.' }) },
    columns: ['id'],
    resolve: ({ id }, args, context, info) =>
      loadPageBy(context, 'Subscription', 'customerId', id, args, { status: args.status ?? undefined }, info),
  }),
}));

builder.prismaObjectField('Invoice', 'subscription', (t) =>
  t.field({
    type: Subscription,
    nullable: true,
    description: 'The subscription it is about; null without one.',
    columns: ['subscriptionId'],
    resolve: ({ subscriptionId }, _args, context, info) =>
      subscriptionId === null ? null : loadRow(context, 'Subscription', subscriptionId, info),
  }),
);

builder.prismaObjectField('Transaction', 'subscription', (t) =>
  t.field({
    type: Subscription,
    nullable: true,
    description: 'The subscription it was charged for; null without one.',
    columns: ['subscriptionId'],
    resolve: ({ subscriptionId }, _args, context, info) =>
      subscriptionId === null ? null : loadRow(context, 'Subscription', subscriptionId, info),
  }),
);
