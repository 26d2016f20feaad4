import { builder } from '../../graphql/builder.ts';
import { BillingInterval } from '../plans/enums.ts';
import { createPromoCode } from './create.ts';
import { PromoCode } from './types.ts';
import { updatePromoCode } from './update.ts';

const interval = { nullable: true } as const;
const limit = { minimum: 1 } as const;
const plans = { minLength: 1, maxItems: 100 } as const;

const PromoCodeCreateInput = builder.inputType('PromoCodeCreateInput', {
  description: 'A new promo code.',
  fields: (t) => ({
    code: t.string({
      required: true,
      rule: { minLength: 1, maxLength: 100, pattern: /^[A-Za-z0-9-]+$/ },
      description:
        'Letters, digits and hyphens, 1 to 100; kept and looked up in upper case. It never changes.',
    }),
    offerId: t.id({
      required: true,
      rule: { minLength: 1 },
      description:
        'The offer it grants, with exactly one phase that is a share or an amount off. It never changes.',
    }),
    billingInterval: t.field({
      type: BillingInterval,
      rule: interval,
      description: 'The interval it is for. Defaults to every one.',
    }),
    maxRedemptions: t.field({
      type: 'SafeInt',
      rule: limit,
      description: 'How often it can be redeemed in all, from 1. Defaults to unlimited.',
    }),
    expiresAt: t.field({ type: 'DateTime', description: 'From when on it is rejected. Never by default.' }),
    planIds: t.idList({
      rule: plans,
      description: 'Ids or codes of the plans it is for, up to 100; all plans when empty or absent.',
    }),
  }),
});

builder.mutationField('promoCodeCreate', (t) =>
  t.field({
    type: PromoCode,
    description:
      'Creates a promo code for an offer. `duplicate` when the code is taken, `offer_not_applicable` for an offer with other phases.',
    rest: {
      method: 'POST',
      path: '/promo-codes',
      status: 201,
      view: 'PromoCode',
      errors: ['offer_not_found', 'offer_not_applicable', 'plan_not_found', 'duplicate'],
    },
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: PromoCodeCreateInput, required: true, description: 'The new promo code.' }),
    },
    resolve: (_root, { input }, ctx) => createPromoCode(ctx, input),
  }),
);

const PromoCodeUpdateInput = builder.inputType('PromoCodeUpdateInput', {
  description: 'New limits of a promo code; what is left out stays as it is.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the promo code.' }),
    billingInterval: t.field({
      type: BillingInterval,
      rule: interval,
      description: 'The interval it is for; null for every one.',
    }),
    maxRedemptions: t.field({
      type: 'SafeInt',
      rule: { ...limit, nullable: true },
      description:
        'How often it can be redeemed in all, from 1; null without a limit. Below the present count it only stops further ones.',
    }),
    expiresAt: t.field({
      type: 'DateTime',
      rule: { nullable: true },
      description: 'From when on it is rejected; null for never.',
    }),
    active: t.boolean({ description: 'False switches it off, true on again; read back as `isActive`.' }),
    planIds: t.idList({
      rule: plans,
      description:
        'Ids or codes of the plans it is for, up to 100; they replace the stored ones, none means all plans.',
    }),
  }),
});

builder.mutationField('promoCodeUpdate', (t) =>
  t.field({
    type: PromoCode,
    description: 'Changes the limits of a promo code; code and offer never change. What was redeemed stays.',
    rest: {
      method: 'PATCH',
      path: '/promo-codes/{id}',
      view: 'PromoCode',
      errors: ['promo_code_not_found', 'plan_not_found'],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: PromoCodeUpdateInput, required: true, description: 'The new limits.' }) },
    resolve: (_root, { input }, ctx) => updatePromoCode(ctx, input),
  }),
);
