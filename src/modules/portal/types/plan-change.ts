import { builder } from '../../../graphql/builder.ts';
import { PlanChangeOutcome } from '../../plan-changes/types.ts';
import type { PortalChange as Change } from '../change-plan.ts';
import { reread } from '../pay.ts';
import { PortalSubscription } from './subscription.ts';

export const PortalPlanChange = builder.objectRef<Change>('PortalPlanChange').implement({
  description: 'The result of a change a customer requested.',
  fields: (t) => ({
    outcome: t.expose('outcome', {
      type: PlanChangeOutcome,
      description: 'Whether it is done, waits, or is to be paid first.',
    }),
    checkoutUrl: t.exposeString('checkoutUrl', {
      nullable: true,
      description: 'Where it is paid for; null unless a checkout is to be paid first.',
    }),
    subscription: t.field({
      type: PortalSubscription,
      description: 'The subscription as it is now.',
      resolve: ({ id }, _args, ctx) => reread(ctx, id),
    }),
  }),
});
