import { InputFieldBuilder } from '@pothos/core';
import { maxOf, rateScale } from '../../../domain/money/money.ts';
import { type Pool, poolScale } from '../../../domain/pricing/feature-cell.ts';
import type { DerivedRate as DerivedRateDocument, Modifier } from '../../../domain/rates/derived.ts';
import { exactText } from '../../../domain/rates/exact.ts';
import {
  type HeldRate,
  heldPoolPrice,
  heldUnitPrice,
  heldVersion,
  storedRate,
} from '../../../domain/rates/held.ts';
import type { RateLine as RateLineValue } from '../../../domain/rates/lines.ts';
import { type RateDocument, rateDocument } from '../../../domain/rates/rate.ts';
import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { Currency } from '../../organization/currencies/enums.ts';
import { RateLineKind, RateModel, RateSource } from './enums.ts';
import type { RatePreviewResult } from './preview.ts';
import type { StoredOverride } from './read-feature-rate.ts';

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

export const RateTermsInput = builder.inputType('RateInput', {
  description: `Rate: a price for each quantity. ${rateInputText}`,
  fields: (t) => ({ ...rateInputFields(t) }),
});

const RateOverrideInput = builder.inputType('RateOverrideInput', {
  description: `Rate that replaces another rate in a market or in a currency. ${rateInputText}`,
  fields: (t) => ({
    currency: t.field({
      type: Currency,
      required: true,
      description: "Currency of the amounts. Can't be `usd` without a market.",
    }),
    marketId: t.id({
      rule: { nullable: true },
      description:
        'ID of the market. `null` or omitted if the rate applies in all markets without a rate of their own.',
    }),
    ...rateInputFields(t),
  }),
});

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
    overrides: t.field({
      type: [RateOverrideInput],
      description:
        'Rates that replace the rate in markets and currencies, with the same bounds of tiers. In all other currencies, the rate is derived with the exchange rate of the plan. At most one per market, and one per currency without a market. Not allowed for rates in credits. Defaults to the existing overrides.',
    }),
    ...sourceInputFields(t),
  }),
});

type StoredTier = RateDocument['tiers'][number];

const RateTier = builder.objectRef<StoredTier>('RateTier').implement({
  description: 'Tier of a rate. Contains the quantities above the previous tier, up to and including `upTo`.',
  fields: (t) => ({
    upTo: t.maybe('upTo', 'Decimal').describe('Upper bound of the tier, inclusive. `null` in the last tier.'),
    amount: t
      .member('amount', 'Decimal')
      .describe('Price of `per` units, in major units of the currency, such as dollars.'),
    flat: t
      .member('flat', 'Decimal')
      .describe('Amount that is charged once if the tier is entered, in major units of the currency.'),
  }),
});

/** Rate of a feature, with its overrides in markets and currencies. */
export type ShownRate = RateDocument & { readonly overrides?: readonly StoredOverride[] };

const RateOverride = builder.objectRef<StoredOverride>('RateOverride').implement({
  description:
    'Rate that replaces another rate in a market or in a currency. Amounts are decimals in units of the currency.',
  fields: (t) => ({
    currency: t.member('currency', Currency).describe('Currency of the amounts.'),
    marketId: t
      .maybe('marketId', 'ID')
      .describe('ID of the market. `null` if the rate applies in all markets without a rate of their own.'),
    model: t.field({ type: RateModel, description: 'Pricing model.', resolve: ({ rate }) => rate.model }),
    per: t.field({
      type: 'SafeInt',
      description: 'Number of units that cost `amount`.',
      resolve: ({ rate }) => rate.per,
    }),
    tiers: t.field({
      type: [RateTier],
      description: 'Tiers in ascending order.',
      resolve: ({ rate }) => rate.tiers,
    }),
    minimum: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Lowest price of a quantity above 0. `null` if there is no minimum.',
      resolve: ({ rate }) => rate.minimum ?? null,
    }),
    maximum: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Highest price. `null` if there is no maximum.',
      resolve: ({ rate }) => rate.maximum ?? null,
    }),
  }),
});

export const Rate = builder.objectRef<ShownRate>('Rate').implement({
  description:
    'Rate: a price for each quantity. Amounts are decimals in major units of the currency, such as dollars.',
  fields: (t) => ({
    model: t.member('model', RateModel).describe('Pricing model.'),
    per: t.member('per', 'SafeInt').describe('Number of units that cost `amount`.'),
    tiers: t.member('tiers', [RateTier]).describe('Tiers in ascending order.'),
    minimum: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Lowest price of a quantity above 0. `null` if there is no minimum.',
      resolve: ({ minimum }) => minimum ?? null,
    }),
    maximum: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Highest price. `null` if there is no maximum.',
      resolve: ({ maximum }) => maximum ?? null,
    }),
    overrides: t.field({
      type: [RateOverride],
      nullable: true,
      description:
        "Rates that replace the rate in markets and currencies. `null` if the rate has none, or if it isn't the rate of a plan's feature.",
      resolve: ({ overrides = [] }) => (overrides.length === 0 ? null : overrides),
    }),
  }),
});

/** Returns the description of the argument `unlessPlain`. `field` contains the price per unit. */
export const unlessPlainText = (field: string, unit = 'unit'): string =>
  `Whether to return \`null\` if the rate is only a price per ${unit}, which \`${field}\` contains. Defaults to \`false\`.`;

/**
 * Returns true if an integer contains the whole price: a price per unit in ten-thousandths of the currency unit, or in whole
 * credits.
 */
const isPlain = (rates: HeldRate, pool: Pool | null): boolean =>
  heldPoolPrice(rates, pool === 'credits' ? poolScale.credits : rateScale) !== null;

/**
 * Returns a stored rate. `null` if `isOmitted` is true and the rate is only a price per unit. `pool` is the pool from which usage is
 * deducted; `null` if units are invoiced.
 */
export const rateUnlessPlain = (
  rate: RateDocument | null,
  pool: Pool | null,
  isOmitted: boolean | null | undefined,
): RateDocument | null =>
  rate !== null && isOmitted === true && isPlain(storedRate(rate), pool) ? null : rate;

/**
 * Returns a rate with its overrides. `null` if there is no rate, or if `isOmitted` is true and prices per unit in the currencies are the whole
 * price.
 */
export function rateWithOverrides(
  rate: RateDocument | null,
  overrides: readonly StoredOverride[],
  pool: Pool | null,
  isOmitted: boolean | null | undefined,
): ShownRate | null {
  const isShown = overrides.some((one) => one.marketId !== null || !isPlain(storedRate(one.rate), pool));
  const shown = rateUnlessPlain(rate, pool, isOmitted === true && !isShown);
  return shown === null ? null : { ...shown, overrides };
}

/**
 * Returns the version of a held rate that applies to a number of units, at least 1. `null` if there is no rate, or if `isOmitted` is true and
 * the rate is only a price per unit.
 */
export function heldRateUnlessPlain(
  rates: HeldRate | null,
  units: bigint,
  isOmitted: boolean | null | undefined,
): RateDocument | null {
  if (rates === null || (isOmitted === true && heldUnitPrice(rates) !== null)) return null;
  return rateDocument(heldVersion(rates, maxOf(units, 1n)));
}

const RateModifier = builder.objectRef<Modifier>('RateModifier').implement({
  description: 'Factor on a derived rate for events with certain properties.',
  fields: (t) => ({
    when: t
      .member('when', 'Json')
      .describe(
        'Values by property. The factor applies if each property of the event has one of its values.',
      ),
    factorBps: t
      .member('factorBps', 'Int')
      .describe('Factor in basis points; 10,000 leaves the price unchanged.'),
  }),
});

export const DerivedRate = builder.objectRef<DerivedRateDocument>('DerivedRate').implement({
  description: "Rate that is derived from a feature's cost: the cost × all matching factors × (1 + margin).",
  fields: (t) => ({
    from: t.field({ type: RateSource, description: 'Always `cost`.', resolve: () => 'cost' as const }),
    marginBps: t.int({
      description: 'Margin on the cost, in basis points; 10,000 = 100%.',
      resolve: ({ marginBps }) => marginBps ?? 0,
    }),
    modifiers: t.field({
      type: [RateModifier],
      description: 'Factors for events with certain properties.',
      resolve: ({ modifiers }) => modifiers ?? [],
    }),
  }),
});

/** Fields of a derived rate in REST responses. */
export const derivedRateFields = 'from marginBps modifiers { when factorBps }';

/** Fields of a rate in REST responses. */
export const rateFields = 'model per tiers { upTo amount flat } minimum maximum';

/** Fields of a plan feature's rate in REST responses. */
export const featureRateFields = `${rateFields} overrides { currency marketId ${rateFields} }`;

const RateLine = builder.objectRef<RateLineValue>('RateLine').implement({
  description:
    'Line in the price of a quantity. Lines add up to the rounded price, and lines of 0 are omitted.',
  fields: (t) => ({
    kind: t.member('kind', RateLineKind).describe('Type of the line.'),
    tier: t.int({
      description: 'Number of the tier, starting with 1.',
      resolve: ({ tier }) => tier + 1,
    }),
    quantity: t.field({
      type: 'Decimal',
      description: 'Number of units inside the tier if the kind is `units`. 1 for all other kinds.',
      resolve: ({ quantity }) => exactText(quantity),
    }),
    unitAmount: t.float({
      description:
        'Price per unit in the smallest currency unit. Can be fractional. Equal to `amount` unless the kind is `units`.',
      resolve: ({ unitAmount }) => Number(exactText(unitAmount)),
    }),
    amount: t
      .member('amount', 'MINOR')
      .describe(
        'Amount in the smallest currency unit. Sums are rounded, not lines, so an amount can differ from `quantity` times `unitAmount` by less than 1.',
      ),
  }),
});

export const RatePreview = builder.objectRef<RatePreviewResult>('RatePreview').implement({
  description: 'Price of a quantity.',
  fields: (t) => ({
    quantity: t.member('quantity', 'Decimal').describe('Quantity that is priced.'),
    exact: t
      .member('exact', 'Decimal')
      .describe(
        'Exact price in major units of the currency, such as dollars. Rounded to 18 decimal places if the price has no finite decimal form.',
      ),
    rounded: t.member('rounded', 'MINOR').describe('Price in the smallest currency unit, rounded half up.'),
    lines: t.member('lines', [RateLine]).describe('Lines of the price, in the order of the tiers.'),
  }),
});

restView(
  'RatePreview',
  'RatePreview',
  'quantity exact rounded lines { kind tier quantity unitAmount amount }',
);
