import { builder } from '../../graphql/builder.ts';
import { watchRow } from '../../graphql/live.ts';
import { findSubscription, requireSubscription, type SubscriptionRow } from './store.ts';
import { Subscription } from './types/subscription.ts';

/** Whether nothing can follow: a canceled subscription starts again only when it was active or in a trial once (SUB-33). */
const isOver = ({ status, activatedAt, trialEndsAt }: SubscriptionRow): boolean =>
  status === 'canceled' && activatedAt === null && trialEndsAt === null;

builder.subscriptionField('subscriptionChanged', (t) =>
  t.field({
    type: Subscription,
    description:
      'A subscription as it is now, then after every change, quick ones told as one. Completes when nothing can follow. `subscription_not_found` when there is none.',
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    subscribe: async (_root, { id }, ctx) => {
      await requireSubscription(ctx, id);
      return watchRow(ctx, () => findSubscription(ctx, id), isOver);
    },
    resolve: (subscription) => subscription,
  }),
);
