import { maxOf, rateScale } from '../../../domain/money/money.ts';
import { isCustom, type Pool } from '../../../domain/pricing/pools.ts';
import { isCardDocument, type RateOverride as StoredOverride } from '../../../domain/rates/card.ts';
import type { DerivedRate as DerivedRateDocument, Modifier } from '../../../domain/rates/derived.ts';
import { exactText, whole } from '../../../domain/rates/exact.ts';
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

/** Override of a rate in a market or currency. */
type ShownOverride = Omit<StoredOverride, 'rate'> & { readonly rate: RateDocument };

/** Rate of a feature, with its overrides in markets and currencies. */
export type ShownRate = RateDocument & { readonly overrides?: readonly ShownOverride[] };

const RateOverride = builder.objectRef<ShownOverride>('RateOverride').implement({
  description:
    'Rate that replaces another rate in a market or in a currency. Amounts are decimals in units of the currency.',
  fields: (t) => ({
    currency: t.member('currency', Currency).describe('Currency of the amounts.'),
    marketId: t
      .maybe('marketId', 'ID')
      .describe(
        'ID of the market. `null` if the rate applies in all markets that have no other rate in the currency.',
      ),
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
        "Rates that replace the rate in markets and currencies. `null` if the rate has no overrides, or if the rate isn't the whole price of a feature or add-on.",
      resolve: ({ overrides = [] }) => (overrides.length === 0 ? null : overrides),
    }),
  }),
});

/** Returns the description of the argument `unlessPlain`. `field` contains the price per unit. */
export const unlessPlainText = (field: string, unit = 'unit'): string =>
  `Whether to return \`null\` if the rate is only a price per ${unit}, which \`${field}\` contains. Defaults to \`false\`.`;

/**
 * Returns true if an integer contains the whole price: a price per unit in ten-thousandths of the currency unit, or in whole
 * credits or units.
 */
const isPlain = (rates: HeldRate, pool: Pool | null): boolean =>
  heldPoolPrice(rates, isCustom(pool) ? 1n : rateScale) !== null;

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
  stored: readonly StoredOverride[],
  pool: Pool | null,
  isOmitted: boolean | null | undefined,
): ShownRate | null {
  const overrides = stored.flatMap(({ rate: list, ...override }): ShownOverride[] =>
    isCardDocument(list) ? [] : [{ ...override, rate: list }],
  );
  const isShown = overrides.some((one) => one.marketId !== null || !isPlain(storedRate(one.rate), pool));
  const shown = rateUnlessPlain(rate, pool, isOmitted === true && !isShown);
  return shown === null ? null : { ...shown, overrides };
}

/**
 * Returns the version of a held rate that applies to a number of units, at least 1. `null` if there is no rate, or if `isOmitted` is true and
 * the rate is only a price per unit.
 */
export function appliedRate(
  rates: HeldRate | null,
  units: bigint,
  isOmitted: boolean | null | undefined,
): RateDocument | null {
  if (rates === null || (isOmitted === true && heldUnitPrice(rates) !== null)) return null;
  return rateDocument(heldVersion(rates, whole(maxOf(units, 1n))));
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
    cell: t
      .maybe('cell', 'String')
      .describe(
        'Dimension values of the cell that the line charges for. `null` if the rate has no dimensions.',
      ),
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
  'quantity exact rounded lines { kind tier cell quantity unitAmount amount }',
  { absentWhenUnset: ['lines.cell'] },
);
