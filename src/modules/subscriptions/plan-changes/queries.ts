import { workCosts } from '../../../graphql/declare/cost-weights.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { SubscriptionPreviewChangeInput } from './mutations.ts';
import { previewPlanChange } from './preview.ts';
import { PlanChangePreview } from './types.ts';

builder.queryField('subscriptionPreviewChange', (t) =>
  t.field({
    type: PlanChangePreview,
    description:
      'Returns a preview of a plan change that takes effect immediately, without making the change. The amounts include only the base price of the plan, without tax, charges in arrears, seats, add-ons, or customer credits. For changes between free plans, all amounts are 0.',
    rest: {
      method: 'POST',
      path: '/subscriptions/{id}/preview-change',
      view: 'PreviewChange',
    },
    errors: [
      'subscription_not_found',
      'subscription_not_active',
      'subscription_has_open_dispute',
      'already_scheduled',
      'plan_not_found',
      'no_change_requested',
      'plans_not_in_same_group',
      ['plan_change_scheduled', 'the change takes effect at the end of the current period'],
      'free_plan_change_not_supported',
      'no_prices_configured',
      'price_not_found',
      'missing_regional_price',
      'offer_not_found',
      'offer_not_applicable',
      'seat_limit_exceeded',
    ],
    access: { scope: 'read' },
    args: {
      input: t.arg({ type: SubscriptionPreviewChangeInput, required: true }),
    },
    complexity: { field: workCosts.preview },
    resolve: (_root, { input }, ctx) => previewPlanChange(ctx, input),
  }),
);
