import { builder } from '../../../graphql/reading/builder.ts';
import { BillingInterval } from '../plans/enums.ts';
import { createPromoCode } from './create.ts';
import { PromoCode } from './types.ts';
import { updatePromoCode } from './update.ts';

const interval = { nullable: true } as const;
const limit = { minimum: 1 } as const;
const plans = { minLength: 1, maxItems: 100 } as const;

const PromoCodeCreateInput = builder.inputType('PromoCodeCreateInput', {
  description: 'Parameters for creating a promo code.',
  fields: (t) => ({
    code: t.string({
      required: true,
      rule: { minLength: 1, maxLength: 100, pattern: /^[A-Za-z0-9-]+$/ },
      description:
        "Code that customers enter. From 1 to 100 letters, digits, and hyphens. Stored in uppercase and matched case-insensitively. Can't be changed later.",
    }),
    offerId: t.id({
      required: true,
      rule: { minLength: 1 },
      description:
        "ID of the offer that the code grants. The offer must have exactly one phase: a percentage or amount discount. Can't be changed later.",
    }),
    billingInterval: t.field({
      type: BillingInterval,
      rule: interval,
      description: 'Billing interval that the code is valid for. Defaults to all intervals.',
    }),
    maxRedemptions: t.field({
      type: 'SafeInt',
      rule: limit,
      description: 'Maximum number of redemptions across all customers, 1 or more. Defaults to no limit.',
    }),
    expiresAt: t.field({
      type: 'DateTime',
      description: 'Time at which the code expires. Defaults to no expiration.',
    }),
    planIds: t.idList({
      rule: plans,
      description:
        'IDs or codes of the plans that the code is valid for. Up to 100 values. Defaults to all plans. An empty list also means all plans.',
    }),
  }),
});

builder.mutationField('promoCodeCreate', (t) =>
  t.field({
    type: PromoCode,
    description: 'Creates a promo code for an offer.',
    rest: {
      method: 'POST',
      path: '/promo-codes',
      status: 201,
      view: 'PromoCode',
    },
    errors: [
      'offer_not_found',
      [
        'offer_not_applicable',
        'the offer contains anything other than a single percentage or amount discount',
      ],
      'plan_not_found',
      ['duplicate', 'the code is already taken'],
    ],
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: PromoCodeCreateInput, required: true }),
    },
    resolve: (_root, { input }, ctx) => createPromoCode(ctx, input),
  }),
);

const PromoCodeUpdateInput = builder.inputType('PromoCodeUpdateInput', {
  description: 'Parameters for changing a promo code. Omitted fields keep their values.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the promo code.' }),
    billingInterval: t.field({
      type: BillingInterval,
      rule: interval,
      description:
        'Billing interval that the code is valid for. `null` makes the code valid for all intervals.',
    }),
    maxRedemptions: t.field({
      type: 'SafeInt',
      rule: { ...limit, nullable: true },
      description:
        "Maximum number of redemptions across all customers, 1 or more. `null` removes the limit. A value below the current number of redemptions prevents further redemptions. Past redemptions aren't affected.",
    }),
    expiresAt: t.field({
      type: 'DateTime',
      rule: { nullable: true },
      description: 'Time at which the code expires. `null` removes the expiration.',
    }),
    active: t.boolean({ description: 'Whether the promo code is active. Returned as `isActive`.' }),
    planIds: t.idList({
      rule: plans,
      description:
        'IDs or codes of the plans that the code is valid for. Up to 100 values. Replaces the stored plans. An empty list means all plans.',
    }),
  }),
});

builder.mutationField('promoCodeUpdate', (t) =>
  t.field({
    type: PromoCode,
    description:
      "Changes the limits of a promo code. The code and the offer can't be changed. Past redemptions aren't affected.",
    rest: {
      method: 'PATCH',
      path: '/promo-codes/{id}',
      view: 'PromoCode',
    },
    errors: ['promo_code_not_found', 'plan_not_found'],
    access: { scope: 'write' },
    args: { input: t.arg({ type: PromoCodeUpdateInput, required: true }) },
    resolve: (_root, { input }, ctx) => updatePromoCode(ctx, input),
  }),
);
