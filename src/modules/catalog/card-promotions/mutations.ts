import { builder } from '../../../graphql/reading/builder.ts';
import { deletionField } from '../../../graphql/reading/deleted.ts';
import { BillingInterval } from '../plans/enums.ts';
import { createCardPromotion } from './create.ts';
import { cardPromotionRows, releaseBins } from './store.ts';
import { CardPromotion } from './types.ts';
import { updateCardPromotion } from './update.ts';

const digits = { minItems: 1, maxItems: 500, pattern: /^(\d{6}|\d{8})$/ } as const;
const offer = 'ID of the offer that the promotion grants. The first phase of the offer must be a discount.';

const CardPromotionCreateInput = builder.inputType('CardPromotionCreateInput', {
  description: 'Parameters for creating a card promotion.',
  fields: (t) => ({
    offerId: t.id({ required: true, rule: { minLength: 1 }, description: offer }),
    bins: t.stringList({
      required: true,
      rule: digits,
      description:
        'BINs of the eligible cards. A BIN is the first 6 or 8 digits of a card number. From 1 to 500 values.',
    }),
    billingInterval: t.field({
      type: BillingInterval,
      rule: { nullable: true },
      description: 'Billing interval that the promotion is valid for. Defaults to all intervals.',
    }),
    autoDiscovered: t.boolean({
      rule: { default: false },
      description:
        'Whether the promotion is applied automatically if the customer pays with an eligible card. Defaults to `false`.',
    }),
  }),
});

builder.mutationField('cardPromotionCreate', (t) =>
  t.field({
    type: CardPromotion,
    description: 'Creates a card promotion, which grants an offer to customers who pay with eligible cards.',
    errors: [
      ['duplicate', 'another card promotion has one of the BINs'],
      'offer_not_found',
      ['offer_not_applicable', "the first phase of the offer isn't a discount"],
      ['card_promotions_not_available', 'card promotions are turned off for the organization'],
    ],
    access: { scope: 'write' },
    args: {
      input: t.arg({
        type: CardPromotionCreateInput,
        required: true,
      }),
    },
    resolve: (_root, { input }, ctx) => createCardPromotion(ctx, input),
  }),
);

const CardPromotionUpdateInput = builder.inputType('CardPromotionUpdateInput', {
  description: 'Parameters for changing a card promotion. Omitted fields keep their values.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the card promotion.' }),
    offerId: t.id({ rule: { minLength: 1 }, description: offer }),
    bins: t.stringList({
      rule: digits,
      description:
        'BINs of the eligible cards. A BIN is the first 6 or 8 digits of a card number. From 1 to 500 values. Replaces the stored BINs.',
    }),
    billingInterval: t.field({
      type: BillingInterval,
      rule: { nullable: true },
      description: 'Billing interval that the promotion is valid for. `null` means all intervals.',
    }),
    autoDiscovered: t.boolean({
      description:
        'Whether the promotion is applied automatically if the customer pays with an eligible card.',
    }),
  }),
});

builder.mutationField('cardPromotionUpdate', (t) =>
  t.field({
    type: CardPromotion,
    description:
      "Changes a card promotion. Offer terms that were already quoted don't change, but the new BINs and billing interval are checked when the customer pays.",
    errors: [
      'not_found',
      ['duplicate', 'another card promotion has one of the BINs'],
      'offer_not_found',
      ['offer_not_applicable', "the first phase of the offer isn't a discount"],
      ['card_promotions_not_available', 'card promotions are turned off for the organization'],
    ],
    access: { scope: 'write' },
    args: { input: t.arg({ type: CardPromotionUpdateInput, required: true }) },
    resolve: (_root, { input }, ctx) => updateCardPromotion(ctx, input),
  }),
);

deletionField('cardPromotionDelete', {
  of: 'a card promotion',
  reference: 'ID of the card promotion.',
  description: 'Deletes a card promotion. Other card promotions can then use its BINs.',
  errors: [
    'not_found',
    ['card_promotions_not_available', 'card promotions are turned off for the organization'],
  ],
  access: { scope: 'write' },
  delete: (ctx, id) => cardPromotionRows.delete(ctx, id, (tx, { id }) => releaseBins(tx, id)),
});
