import { builder } from '../../../../graphql/reading/builder.ts';
import { acceptRetentionOffer } from '../accept-retention-offer.ts';
import { demandOffered } from '../store.ts';
import { PortalSubscription } from '../types/subscription.ts';
import { inputField, portalInput } from './declare.ts';

const PortalRetentionOfferAcceptInput = portalInput(
  'PortalRetentionOfferAcceptInput',
  'Parameters for accepting a retention offer.',
  {
    key: inputField.string({
      required: true,
      rule: { minLength: 1, maxLength: 100 },
      description: 'Value of `key` from the `retentionOffer` that the page shows.',
    }),
    reason: inputField.string({
      rule: { maxLength: 1_000, multiline: true },
      description:
        'Cancellation reason of the customer, visible to the organization. Up to 1,000 characters.',
    }),
  },
);

builder.mutationField('portalRetentionOfferAccept', (t) =>
  t.field({
    type: PortalSubscription,
    description:
      "Applies the retention offer to the portal's subscription, starting with the next billing period. Also revokes a scheduled cancellation. Accepting the offer again changes nothing.",
    errors: [
      [
        'offer_not_applicable',
        'the terms have changed or the offer is no longer available (`details.reason`)',
      ],
      'offer_not_found',
      'subscription_not_found',
      'invalid_subscription_status',
    ],
    access: { page: 'portal' },
    args: {
      input: t.arg({ type: PortalRetentionOfferAcceptInput, required: true }),
    },
    resolve: async (_root, { input }, ctx) => {
      await demandOffered(ctx, 'cancel');
      return acceptRetentionOffer(ctx, input);
    },
  }),
);
