import { budgetKey, code, reference } from '../../../../graphql/declare/shapes.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { tokenInputs, UsagePropertyInput } from '../../usage/types/inputs.ts';
import { HoldExcess } from '../enums.ts';

const maxCount = Number.MAX_SAFE_INTEGER;
const lifetime = { minimum: 1, maximum: 86_400 } as const;
const holdReference = 'ID of the hold, or the identifier that you assigned to the hold.';

const UsageEstimateInput = builder.inputType('UsageEstimateInput', {
  description:
    'Largest quantity that the usage can have. Set `value` or `quantity` for units, or `model` and the token counts for an AI model.',
  fields: (t) => ({
    ...tokenInputs('value'),
    value: t.field({
      type: 'SafeInt',
      rule: { minimum: 0, maximum: maxCount },
      description: 'Number of units. 1 or more.',
    }),
    quantity: t.field({
      type: 'Decimal',
      description: "Number of units as a decimal, instead of `value`. Can't be 0.",
    }),
  }),
});

export const UsageHoldInput = builder.inputType('UsageHoldInput', {
  description: 'Parameters for opening a hold.',
  fields: (t) => ({
    customerId: t.id({ required: true, rule: reference, description: 'ID or external ID of the customer.' }),
    featureCode: t.string({
      required: true,
      rule: code,
      description: 'Code of a usage feature whose meter is `sum` or `count`.',
    }),
    estimate: t.field({
      type: UsageEstimateInput,
      required: true,
      description: 'Largest quantity that the usage can have.',
    }),
    atLeast: t.field({
      type: 'Decimal',
      description:
        "Smallest quantity to reserve if the estimate doesn't fit: output tokens for AI models, and otherwise units. The largest quantity that fits is reserved. Defaults to the estimate.",
    }),
    budget: t.string({
      rule: budgetKey,
      description:
        "Key of the customer's budget whose limits the usage counts toward. Defaults to no budget.",
    }),
    holdId: t.string({
      rule: reference,
      description:
        'Identifier that you assign to the hold. Each identifier is used once. If the same hold is sent again, the response contains the hold.',
    }),
    expiresIn: t.int({
      rule: { ...lifetime, default: 900 },
      description: 'Lifetime in seconds. From 1 to 86,400. Defaults to 900.',
    }),
    onExcess: t.field({
      type: HoldExcess,
      rule: { default: 'fit' },
      description: "Effect of the part of a settlement that the hold didn't reserve. Defaults to `fit`.",
    }),
    properties: t.field({
      type: [UsagePropertyInput],
      rule: { maxItems: 100 },
      description:
        'Custom properties of the usage, which limits can filter by. Up to 100 items. Settlements without properties have these properties.',
    }),
  }),
});

export const UsageHoldExtendInput = builder.inputType('UsageHoldExtendInput', {
  description: 'Parameters for extending a hold. Set `expiresIn`, `add`, or both.',
  fields: (t) => ({
    id: t.id({ required: true, rule: reference, description: holdReference }),
    expiresIn: t.int({
      rule: lifetime,
      description:
        'Lifetime in seconds from now. From 1 to 86,400. Never shortens the hold. Defaults to the current end.',
    }),
    add: t.field({ type: UsageEstimateInput, description: 'Quantity to add to the estimate.' }),
  }),
});

export const UsageSettleInput = builder.inputType('UsageSettleInput', {
  description: 'Parameters for settling a hold.',
  fields: (t) => ({
    id: t.id({ required: true, rule: reference, description: holdReference }),
    ...tokenInputs('value'),
    value: t.field({
      type: 'SafeInt',
      rule: { minimum: 0, maximum: maxCount, default: 1 },
      description: 'Number of units used. Defaults to 1.',
    }),
    quantity: t.field({
      type: 'Decimal',
      description: 'Number of units used as a decimal, instead of `value`. At least 0.',
    }),
    eventId: t.string({ rule: reference, 
      description: 'Identifier that you assign to the event. Each identifier is recorded once.',
     }),
    timestamp: t.field({
      type: 'DateTime',
      description: 'Time of the event. Defaults to the current time.',
    }),
    properties: t.field({
      type: [UsagePropertyInput],
      rule: { maxItems: 100 },
      description: 'Custom properties of the event. Up to 100 items. Defaults to the properties of the hold.',
    }),
    final: t.boolean({ 
      description: 'Whether the settlement ends the hold and frees the rest. Defaults to `true`.',
     }),
  }),
});

export const UsageReleaseInput = builder.inputType('UsageReleaseInput', {
  description: 'Parameters for releasing a hold.',
  fields: (t) => ({
    id: t.id({ required: true, rule: reference, description: holdReference }),
  }),
});
