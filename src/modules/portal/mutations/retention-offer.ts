import { builder } from '../../../graphql/builder.ts';
import { acceptRetentionOffer } from '../accept-retention-offer.ts';
import { demandOffered } from '../store.ts';
import { sessionToken } from '../types/session-token.ts';
import { PortalSubscription } from '../types/subscription.ts';

const PortalRetentionOfferAcceptInput = builder.inputType('PortalRetentionOfferAcceptInput', {
  description: 'A customer who stays.',
  fields: (t) => ({
    token: t.string(sessionToken),
    key: t.string({
      required: true,
      rule: { minLength: 1, maxLength: 100 },
      description: 'The `key` of the `retentionOffer` that was shown.',
    }),
    reason: t.string({
      rule: { maxLength: 1_000, multiline: true },
      description: 'Why the customer was about to leave, up to 1000 characters; the seller sees it.',
    }),
  }),
});

builder.mutationField('portalRetentionOfferAccept', (t) =>
  t.field({
    type: PortalSubscription,
    description:
      'Applies the offer to stay to the subscription of the portal, from its next billing cycle on, and takes back the cancellation that is scheduled, if there is one. Accepting it again changes nothing. `offer_not_applicable` with `details.reason` where the terms are others than those shown or the offer is not made any more, `subscription_not_found`, `invalid_subscription_status`.',
    errors: [
      'offer_not_applicable',
      'offer_not_found',
      'subscription_not_found',
      'invalid_subscription_status',
    ],
    access: { page: 'portal' },
    args: {
      input: t.arg({ type: PortalRetentionOfferAcceptInput, required: true, description: 'The offer.' }),
    },
    resolve: async (_root, { input }, ctx) => {
      await demandOffered(ctx, 'cancel');
      return acceptRetentionOffer(ctx, input);
    },
  }),
);
