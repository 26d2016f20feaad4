import { watch } from '../../../graphql/live/live.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { loadRow } from '../../../graphql/reading/loaders.ts';
import { requireSubscription, type SubscriptionRow } from './store.ts';
import { Subscription } from './types/subscription.ts';

/**
 * True if the subscription can't change anymore. A canceled subscription can only be reactivated if it was ever active or in a trial
 * (SUB-33).
 */
const isOver = ({ status, activatedAt, trialEndsAt }: SubscriptionRow): boolean =>
  status === 'canceled' && activatedAt === null && trialEndsAt === null;

builder.subscriptionField('subscriptionChanged', (t) =>
  t.field({
    type: Subscription,
    description:
      'Emits the subscription immediately and after every change. Changes in quick succession are combined. The stream completes when the subscription can no longer change.',
    errors: ['subscription_not_found'],
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'ID of the subscription.' }) },
    subscribe: async (_root, { id }, ctx) => {
      await requireSubscription(ctx, id);
      return watch(ctx, (present) => loadRow(present, 'Subscription', id), isOver);
    },
    resolve: (subscription) => subscription,
  }),
);
