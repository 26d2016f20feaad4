import { builder } from '../../graphql/builder.ts';
import { SubscriptionPreviewChangeInput } from './mutations.ts';
import { previewPlanChange } from './preview.ts';
import { PlanChangePreview } from './types.ts';

builder.queryField('subscriptionPreviewChange', (t) =>
  t.field({
    type: PlanChangePreview,
    description:
      'What a change that takes effect immediately would cost for the base alone, without doing it. One that would wait for the end of the period is rejected with `plan_change_scheduled`; between free plans every amount is 0.',
    rest: {
      method: 'POST',
      path: '/subscriptions/{id}/preview-change',
      view: 'PreviewChange',
      errors: [
        'subscription_not_found',
        'subscription_not_active',
        'subscription_has_open_dispute',
        'already_scheduled',
        'plan_not_found',
        'no_change_requested',
        'plans_not_in_same_group',
        'plan_change_scheduled',
        'free_plan_change_not_supported',
        'no_prices_configured',
        'price_not_found',
        'missing_regional_price',
        'offer_not_found',
        'offer_not_applicable',
        'seat_limit_exceeded',
      ],
    },
    access: { scope: 'read' },
    args: {
      input: t.arg({ type: SubscriptionPreviewChangeInput, required: true, description: 'The change.' }),
    },
    resolve: (_root, { input }, ctx) => previewPlanChange(ctx, input),
  }),
);
