import { builder } from '../../../graphql/builder.ts';
import { code } from '../../../graphql/shapes.ts';
import { changeSeats } from '../../seats/change.ts';
import { reread, shownSubscription } from '../pay.ts';
import { demandOffered } from '../store.ts';
import { sessionToken } from '../types/session-token.ts';
import { PortalSubscription } from '../types/subscription.ts';

export const PortalSeatsSetInput = builder.inputType('PortalSeatsSetInput', {
  description: 'The seats a customer wants.',
  fields: (t) => ({
    token: t.string(sessionToken),
    featureCode: t.string({
      required: true,
      rule: code,
      description: 'Code of a seats feature of the plan.',
    }),
    count: t.field({
      type: 'SafeInt',
      required: true,
      rule: { minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      description: 'Seats wanted, at least 0.',
    }),
  }),
});

builder.mutationField('portalSeatsSet', (t) =>
  t.field({
    type: PortalSubscription,
    description:
      'Sets the seats of a feature: more come immediately and are charged with the period, fewer leave at its end. `no_active_subscription`, `feature_not_found`, `feature_not_in_plan`, `feature_disabled`, `included_limit_reached` where no more are sold, `subscription_not_found`.',
    errors: [
      'no_active_subscription',
      'feature_not_found',
      'feature_not_in_plan',
      'feature_disabled',
      'included_limit_reached',
      'subscription_not_found',
    ],
    access: { page: 'portal' },
    args: { input: t.arg({ type: PortalSeatsSetInput, required: true, description: 'The seats.' }) },
    resolve: async (_root, { input: { featureCode, count } }, ctx) => {
      await demandOffered(ctx, 'seats');
      const { id, customerId } = await shownSubscription(ctx);
      await changeSeats(ctx, 'set', { customerId, featureCode, count });
      return reread(ctx, id);
    },
  }),
);
