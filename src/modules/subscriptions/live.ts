import { builder } from '../../graphql/builder.ts';
import { watch } from '../../graphql/live.ts';
import { loadRow } from '../../graphql/loaders.ts';
import { requireSubscription, type SubscriptionRow } from './store.ts';
import { Subscription } from './types/subscription.ts';

/** Whether nothing can follow: a canceled subscription starts again only when it was active or in a trial once (SUB-33). */
const isOver = ({ status, activatedAt, trialEndsAt }: SubscriptionRow): boolean =>
  status === 'canceled' && activatedAt === null && trialEndsAt === null;

builder.subscriptionField('subscriptionChanged', (t) =>
  t.field({
    type: Subscription,
    description:
      'A subscription as it is now, then after every change, quick successions sent as one. Completes when nothing can follow. `subscription_not_found` when there is none.',
    errors: ['subscription_not_found'],
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    subscribe: async (_root, { id }, ctx) => {
      await requireSubscription(ctx, id);
      return watch(ctx, (present) => loadRow(present, 'Subscription', id), isOver);
    },
    resolve: (subscription) => subscription,
  }),
);
