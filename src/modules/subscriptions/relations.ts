import { builder } from '../../graphql/builder.ts';
import { columnsOf } from '../../graphql/columns.ts';
import { InvoiceStatus } from '../invoices/enums.ts';
import { SubscriptionStatus } from './enums.ts';
import { loadCurrentSubscription } from './store.ts';
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
    filter: { status: t.arg({ type: InvoiceStatus, description: 'Only those with this status.' }) },
  }),
  dunning: t.field({
    type: SubscriptionDunning,
    nullable: true,
    description: 'How an unpaid invoice is being collected; null unless one is.',
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
    filter: { status: t.arg({ type: SubscriptionStatus, description: 'Only those with this status.' }) },
  }),
}));

builder.prismaObjectField('Invoice', 'subscription', (t) =>
  t.row('subscription', { description: 'The subscription it is about; null without one.' }),
);

builder.prismaObjectField('Transaction', 'subscription', (t) =>
  t.row('subscription', { description: 'The subscription it was charged for; null without one.' }),
);
