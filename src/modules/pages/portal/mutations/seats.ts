import { maxChosenSeats } from '../../../../domain/subscription/payments/checkout-choices.ts';
import { code } from '../../../../graphql/declare/shapes.ts';
import { seatsSet } from '../../../usage/seats/mutations.ts';
import { inputField, portalMutation } from './declare.ts';

export const seatsSetAction = portalMutation('portalSeatsSet', {
  parameters: 'Parameters for setting the number of seats.',
  fields: {
    featureCode: inputField.string({
      required: true,
      rule: code,
      description: 'Code of a feature of the type `seats` in the plan.',
    }),
    count: inputField.field({
      type: 'SafeInt',
      required: true,
      rule: { minimum: 0, maximum: maxChosenSeats },
      description: 'Number of seats, from 0 to 1,000,000.',
    }),
  },
  setting: 'seats',
  operation: seatsSet,
  as: ({ customerId }, { featureCode, count }) => ({ customerId, featureCode, count }),
  description:
    'Sets the number of seats for a feature. Additional seats are available immediately and billed for the rest of the period. Removed seats remain available until the end of the period.',
  errors: [
    'no_active_subscription',
    'feature_not_found',
    'feature_not_in_plan',
    'feature_disabled',
    ['included_limit_reached', 'no more seats are available'],
    'subscription_not_found',
  ],
});
