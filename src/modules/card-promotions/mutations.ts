import { builder } from '../../graphql/builder.ts';
import { DeletedObject } from '../../graphql/deleted.ts';
import { BillingInterval } from '../plans/enums.ts';
import { createCardPromotion } from './create.ts';
import { deleteCardPromotion } from './delete.ts';
import { CardPromotion } from './types.ts';
import { updateCardPromotion } from './update.ts';

const digits = { minItems: 1, maxItems: 500, pattern: /^(\d{6}|\d{8})$/ } as const;
const offer = 'The offer it grants; its first phase is a discount.';

const CardPromotionCreateInput = builder.inputType('CardPromotionCreateInput', {
  description: 'A new card promotion.',
  fields: (t) => ({
    offerId: t.id({ required: true, rule: { minLength: 1 }, description: offer }),
    bins: t.stringList({
      required: true,
      rule: digits,
      description: 'First digits of the cards it is for, 6 or 8 of them; 1 to 500.',
    }),
    billingInterval: t.field({
      type: BillingInterval,
      rule: { nullable: true },
      description: 'The interval it is for. Defaults to every one.',
    }),
    autoDiscovered: t.boolean({
      rule: { default: false },
      description: 'True lets a checkout find it by the card. Defaults to false.',
    }),
  }),
});

builder.mutationField('cardPromotionCreate', (t) =>
  t.field({
    type: CardPromotion,
    description:
      'Ties an offer to cards. `duplicate` for digits another promotion has, `offer_not_found`, `offer_not_applicable` unless the first phase is a discount, `card_promotions_not_available`.',
    errors: ['duplicate', 'offer_not_found', 'offer_not_applicable', 'card_promotions_not_available'],
    access: { scope: 'write' },
    args: {
      input: t.arg({
        type: CardPromotionCreateInput,
        required: true,
        description: 'The new card promotion.',
      }),
    },
    resolve: (_root, { input }, ctx) => createCardPromotion(ctx, input),
  }),
);

const CardPromotionUpdateInput = builder.inputType('CardPromotionUpdateInput', {
  description: 'Changes to a card promotion; what is left out stays as it is.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the card promotion.' }),
    offerId: t.id({ rule: { minLength: 1 }, description: offer }),
    bins: t.stringList({
      rule: digits,
      description: 'First digits of the cards it is for, 6 or 8 of them; they replace the stored ones.',
    }),
    billingInterval: t.field({
      type: BillingInterval,
      rule: { nullable: true },
      description: 'The interval it is for; null for every one.',
    }),
    autoDiscovered: t.boolean({ description: 'True lets a checkout find it by the card.' }),
  }),
});

builder.mutationField('cardPromotionUpdate', (t) =>
  t.field({
    type: CardPromotion,
    description:
      'Changes a card promotion, for later checkouts. `not_found`, `duplicate`, `offer_not_found`, `offer_not_applicable`, `card_promotions_not_available`.',
    errors: [
      'not_found',
      'duplicate',
      'offer_not_found',
      'offer_not_applicable',
      'card_promotions_not_available',
    ],
    access: { scope: 'write' },
    args: { input: t.arg({ type: CardPromotionUpdateInput, required: true, description: 'The changes.' }) },
    resolve: (_root, { input }, ctx) => updateCardPromotion(ctx, input),
  }),
);

const CardPromotionDeleteInput = builder.inputType('CardPromotionDeleteInput', {
  description: 'Which card promotion to delete.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Id of the card promotion.' }) }),
});

builder.mutationField('cardPromotionDelete', (t) =>
  t.field({
    type: DeletedObject,
    description:
      'Deletes a card promotion; its digits are free again. `not_found`, `card_promotions_not_available`.',
    errors: ['not_found', 'card_promotions_not_available'],
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: CardPromotionDeleteInput, required: true, description: 'The card promotion.' }),
    },
    resolve: (_root, { input }, ctx) => deleteCardPromotion(ctx, input.id),
  }),
);
