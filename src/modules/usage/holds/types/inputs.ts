import { InputFieldBuilder } from '@pothos/core';
import type { Rule } from '../../../../graphql/declare/rules.ts';
import { budgetKey, code, reference } from '../../../../graphql/declare/shapes.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { tokenInputs, UsagePropertyInput, uncheckedTokenInputs } from '../../usage/types/inputs.ts';
import { HoldExcess } from '../enums.ts';

const t = new InputFieldBuilder(builder, 'InputObject');

const maxCount = Number.MAX_SAFE_INTEGER;
const lifetime = { minimum: 1, maximum: 86_400 } as const;
const holdReference = 'ID of the hold, or the identifier that you assigned to the hold.';

/** Rules of an input. Items of a batch have no rules in the schema, because each item is checked separately. */
type Ruled = (rule: Rule) => { readonly rule?: Rule };

const checked: Ruled = (rule) => ({ rule });
const unchecked: Ruled = () => ({});

const tokensWith = (ruled: Ruled) => (ruled === checked ? tokenInputs('value') : uncheckedTokenInputs);

const estimateFields = (ruled: Ruled) => ({
  ...tokensWith(ruled),
  value: t.field({
    type: 'SafeInt',
    ...ruled({ minimum: 0, maximum: maxCount }),
    description: 'Number of units. 1 or more.',
  }),
  quantity: t.field({
    type: 'Decimal',
    description: "Number of units as a decimal, instead of `value`. Can't be 0.",
  }),
});

const estimateText =
  'Largest quantity that the usage can have. Set `value` or `quantity` for units, or `model` and the token counts for an AI model.';

const UsageEstimateInput = builder.inputType('UsageEstimateInput', {
  description: estimateText,
  fields: () => estimateFields(checked),
});

const UsageEstimateItemInput = builder.inputType('UsageEstimateItemInput', {
  description: estimateText,
  fields: () => estimateFields(unchecked),
});

const holdFields = (ruled: Ruled, Estimate: typeof UsageEstimateInput | typeof UsageEstimateItemInput) => ({
  customerId: t.id({
    required: true,
    ...ruled(reference),
    description: 'ID or external ID of the customer.',
  }),
  featureCode: t.string({
    required: true,
    ...ruled(code),
    description: 'Code of a usage feature whose meter is `sum` or `count`.',
  }),
  estimate: t.field({
    type: Estimate,
    required: true,
    description: 'Largest quantity that the usage can have.',
  }),
  atLeast: t.field({
    type: 'Decimal',
    description:
      "Smallest quantity to reserve if the estimate doesn't fit: output tokens for AI models, and otherwise units. The largest quantity that fits is reserved. Defaults to the estimate.",
  }),
  budget: t.string({
    ...ruled(budgetKey),
    description: "Key of the customer's budget whose limits the usage counts toward. Defaults to no budget.",
  }),
  holdId: t.string({
    ...ruled(reference),
    description:
      'Identifier that you assign to the hold. Each identifier is used once. If the same hold is sent again, the response contains the hold.',
  }),
  expiresIn: t.int({
    ...ruled({ ...lifetime, default: 900 }),
    description: 'Lifetime in seconds. From 1 to 86,400. Defaults to 900.',
  }),
  onExcess: t.field({
    type: HoldExcess,
    ...ruled({ default: 'fit' }),
    description: "Effect of the part of a settlement that the hold didn't reserve. Defaults to `fit`.",
  }),
  properties: t.field({
    type: [UsagePropertyInput],
    ...ruled({ maxItems: 100 }),
    description:
      'Custom properties of the usage, which limits can filter by. Up to 100 items. Settlements without properties have these properties.',
  }),
});

export const UsageHoldInput = builder.inputType('UsageHoldInput', {
  description: 'Parameters for opening a hold.',
  fields: () => holdFields(checked, UsageEstimateInput),
});

export const UsageHoldItemInput = builder.inputType('UsageHoldItemInput', {
  description: 'Hold to open in a batch.',
  fields: () => holdFields(unchecked, UsageEstimateItemInput),
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

const settleFields = (ruled: Ruled) => ({
  ...tokensWith(ruled),
  value: t.field({
    type: 'SafeInt',
    ...ruled({ minimum: 0, maximum: maxCount, default: 1 }),
    description: 'Number of units used. Defaults to 1.',
  }),
  quantity: t.field({
    type: 'Decimal',
    description: 'Number of units used as a decimal, instead of `value`. At least 0.',
  }),
  eventId: t.string({
    ...ruled(reference),
    description: 'Identifier that you assign to the event. Each identifier is recorded once.',
  }),
  timestamp: t.field({ type: 'DateTime', description: 'Time of the event. Defaults to the current time.' }),
  properties: t.field({
    type: [UsagePropertyInput],
    ...ruled({ maxItems: 100 }),
    description: 'Custom properties of the event. Up to 100 items. Defaults to the properties of the hold.',
  }),
  final: t.boolean({
    description: 'Whether the settlement ends the hold and frees the rest. Defaults to `true`.',
  }),
});

export const UsageSettleInput = builder.inputType('UsageSettleInput', {
  description: 'Parameters for settling a hold.',
  fields: (t) => ({
    id: t.id({ required: true, rule: reference, description: holdReference }),
    ...settleFields(checked),
  }),
});

export const UsageSettleItemInput = builder.inputType('UsageSettleItemInput', {
  description: 'Settlement of a hold in a batch.',
  fields: (t) => ({
    hold: t.id({ required: true, description: holdReference }),
    ...settleFields(unchecked),
  }),
});

export const UsageReleaseInput = builder.inputType('UsageReleaseInput', {
  description: 'Parameters for releasing a hold.',
  fields: (t) => ({
    id: t.id({ required: true, rule: reference, description: holdReference }),
  }),
});

export const UsageReleaseItemInput = builder.inputType('UsageReleaseItemInput', {
  description: 'Release of a hold in a batch.',
  fields: (t) => ({
    hold: t.id({ required: true, description: holdReference }),
  }),
});
