import { InputFieldBuilder } from '@pothos/core';
import { builder } from '../../../../graphql/reading/builder.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import { RateModel, RateSource } from '../enums.ts';

const RateTierInput = builder.inputType('RateTierInput', {
  description:
    'Tier of a rate. Contains the quantities above the previous tier, up to and including `upTo`. Decimals have up to 12 decimal places.',
  fields: (t) => ({
    upTo: t.field({
      type: 'Decimal',
      rule: { nullable: true },
      description:
        'Upper bound of the tier, inclusive. Greater than in the previous tier, with up to 9 decimal places. `null` in the last tier.',
    }),
    amount: t.field({
      type: 'Decimal',
      description:
        'Price of `per` units, in major units of the currency, such as dollars. From 0 to 1,000,000,000. Must be 0 for the model `stairs`. Defaults to 0.',
    }),
    flat: t.field({
      type: 'Decimal',
      description:
        'Amount that is charged once if the tier is entered, in major units of the currency. From 0 to 1,000,000,000. Must be 0 for the model `per_unit`. Defaults to 0.',
    }),
  }),
});

const RateModifierInput = builder.inputType('RateModifierInput', {
  description: 'Factor on a derived rate for events with certain properties.',
  fields: (t) => ({
    when: t.field({
      type: 'Json',
      required: true,
      description:
        'Values by property, such as `{"mode": ["batch"]}`. The factor applies if each property of the event has one of its values. From 1 to 3 properties.',
    }),
    factorBps: t.int({
      required: true,
      description: 'Factor in basis points; 10,000 leaves the price unchanged. From 0 to 100,000.',
    }),
  }),
});

const inputField = new InputFieldBuilder(builder, 'InputObject');

/** Input fields of a rate. `readRate` checks the bounds, so that all problems are reported with the reason `bad_rate`. */
const rateInputFields = (t: typeof inputField) => ({
  model: t.field({ type: RateModel, description: 'Pricing model. Defaults to `per_unit`.' }),
  per: t.field({
    type: 'SafeInt',
    description: 'Number of units that cost `amount`. From 1 to 1,000,000,000,000. Defaults to 1.',
  }),
  amount: t.field({
    type: 'Decimal',
    description:
      "Price of `per` units, for a rate with a single tier. From 0 to 1,000,000,000. Can't be combined with `tiers`.",
  }),
  tiers: t.field({
    type: [RateTierInput],
    description: 'Tiers in ascending order. From 1 to 20 tiers. Required unless `amount` is set.',
  }),
  minimum: t.field({
    type: 'Decimal',
    rule: { nullable: true },
    description:
      'Lowest price of a quantity above 0. From 0 to 900,000,000,000. `null` or omitted if there is no minimum.',
  }),
  maximum: t.field({
    type: 'Decimal',
    rule: { nullable: true },
    description:
      "Highest price. From 0 to 900,000,000,000. Can't be lower than `minimum`. `null` or omitted if there is no maximum.",
  }),
});

const rateInputText =
  'Amounts are decimals in units of the currency, such as dollars, or in credits, with up to 12 decimal places.';

const RateTermsInput = builder.inputType('RateInput', {
  description: `Rate: a price for each quantity. ${rateInputText}`,
  fields: (t) => ({ ...rateInputFields(t) }),
});

/** Input of a rate or of rates by dimension. */
export const PreviewRateInput = builder.inputType('RatePreviewRateInput', {
  description: `Rate, or rates by dimension. ${rateInputText}`,
  fields: (t) => ({ ...rateInputFields(t), ...cellInputFields(t) }),
});

const RateCellInput = builder.inputType('RateCellInput', {
  description: 'Rate for usage with certain dimension values.',
  fields: (t) => ({
    when: t.field({
      type: 'Json',
      required: true,
      description:
        'Values by dimension, such as `{"model": ["large"]}`. The rate applies to usage with one of the values of each dimension. From 1 to 3 dimensions. Two cells with the same number of dimensions can\'t match the same usage.',
    }),
    rate: t.field({ type: RateTermsInput, required: true, description: 'Rate of the usage.' }),
  }),
});

/** Input fields of the cells of a rate card. `readCard` checks the number of cells. */
const cellInputFields = (t: typeof inputField) => ({
  cells: t.field({
    type: [RateCellInput],
    description:
      'Rates for combinations of dimension values. Usage belongs to the matching cell with the most dimensions. Up to 500 cells.',
  }),
  default: t.field({
    type: RateTermsInput,
    rule: { nullable: true },
    description: 'Rate for all other usage. `null` or omitted if other usage is rejected.',
  }),
});

const RateOverrideInput = builder.inputType('RateOverrideInput', {
  description: `Rate, or rates by dimension, that replace others in a market or in a currency. ${rateInputText}`,
  fields: (t) => ({
    currency: t.field({
      type: Currency,
      required: true,
      description: "Currency of the amounts. Can't be `usd` without a market.",
    }),
    marketId: t.id({
      rule: { nullable: true },
      description:
        'ID of the market. `null` or omitted if the rate applies in all markets that have no other rate in the currency.',
    }),
    ...rateInputFields(t),
    ...cellInputFields(t),
  }),
});

/** Input field of the overrides of rates. */
const overridesField = (t: typeof inputField) =>
  t.field({
    type: [RateOverrideInput],
    description:
      'Rates that replace the rates in markets and currencies, with the same conditions and the same bounds of tiers. In all other currencies, the rates are derived with the exchange rate of the plan. At most one per market, and one per currency without a market. Not allowed for rates in credits. Defaults to the existing overrides.',
  });

/** Input fields of a rate card. */
export const cardInputFields = (t: typeof inputField) => {
  const { minimum, maximum } = rateInputFields(t);
  return { ...cellInputFields(t), minimum, maximum, overrides: overridesField(t) };
};

/** Input fields of a rate or cost that is taken from another source. */
const sourceInputFields = (t: typeof inputField) => ({
  from: t.field({
    type: RateSource,
    description:
      "Source of a derived rate or cost of a plan's feature. A rate can have the source `cost`, and a cost the source `ai_models`. Can't be combined with prices.",
  }),
  marginBps: t.int({
    description:
      'Margin of a derived rate on the cost, in basis points; 10,000 = 100%. From 0 to 1,000,000. Defaults to 0.',
  }),
  modifiers: t.field({
    type: [RateModifierInput],
    description: 'Factors of a derived rate. All matching factors apply. Up to 10 items.',
  }),
});

/** Input of a plan feature's cost. */
export const FeatureCostInput = builder.inputType('FeatureCostInput', {
  description: `Cost of a feature, or the source of the cost. ${rateInputText}`,
  fields: (t) => ({ ...rateInputFields(t), ...sourceInputFields(t) }),
});

/** Input of a plan feature's rate, which can have overrides. */
export const FeatureRateInput = builder.inputType('FeatureRateInput', {
  description: `Rate of a feature, with rates for markets and currencies. ${rateInputText}`,
  fields: (t) => ({
    ...rateInputFields(t),
    overrides: overridesField(t),
    ...cellInputFields(t),
    ...sourceInputFields(t),
  }),
});

/** Input of an add-on's rate, which can have overrides. */
export const AddonRateInput = builder.inputType('AddonRateInput', {
  description: `Rate of an add-on's feature, with rates for markets and currencies. ${rateInputText}`,
  fields: (t) => ({ ...rateInputFields(t), overrides: overridesField(t), ...cellInputFields(t) }),
});
