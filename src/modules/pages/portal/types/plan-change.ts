import { builder } from '../../../../graphql/reading/builder.ts';
import { PlanChangeOutcome } from '../../../subscriptions/plan-changes/types.ts';
import type { PortalChange as Change } from '../change-plan.ts';
import { reread } from '../pay.ts';
import { PortalSubscription } from './subscription.ts';

export const PortalPlanChange = builder.objectRef<Change>('PortalPlanChange').implement({
  description: 'Result of a plan change requested by a customer.',
  fields: (t) => ({
    outcome: t
      .member('outcome', PlanChangeOutcome)
      .describe('Outcome of the change: completed, scheduled, or requiring a checkout.'),
    checkoutUrl: t
      .maybe('checkoutUrl', 'String')
      .describe('URL of the checkout. `null` unless a checkout must be paid first.'),
    subscription: t.field({
      type: PortalSubscription,
      description: 'Subscription in its current state.',
      resolve: ({ id }, _args, ctx) => reread(ctx, id),
    }),
  }),
});
