import { addonPool } from '../../../domain/pricing/pools.ts';
import { ownRate } from '../../../domain/rates/derived.ts';
import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import { creditsPerUnitOf, unitPriceOf } from '../rates/compute-first-unit.ts';
import { FeatureRateCard, featureCardFields, shownCard } from '../rates/types/card.ts';
import { featureRateFields, Rate, rateWithOverrides, unlessPlainText } from '../rates/types.ts';

export const AddonConsumptionModel = builder.enumType('AddonConsumptionModel', {
  description:
    'Model that an add-on uses to bill its units. Determines which plans the add-on can be added to.',
  values: {
    boolean: { description: 'The add-on has no units. Compatible with every plan.' },
    metered: {
      description:
        'The add-on includes its own units. Additional units are treated as overage. Compatible with metered plans.',
    },
    credits: { description: "Units are deducted from the plan's credits. Compatible with credits plans." },
    balance: {
      description: "Units are deducted from the plan's prepaid balance. Compatible with balance plans.",
    },
  } as const,
});

export const Addon = builder.prismaObject('Addon', {
  ...node({ prefix: 'adn' }),
  description: 'Optional, recurring extension that adds one feature to a subscription.',
  fields: (t) => ({
    ...t.columns('id', 'name', 'slug', 'description'),
    basePrice: t.column('basePriceMinor'),
    featureCode: t.fromRow('feature', {
      columns: ['code'],
      type: 'String',
      description: 'Code of the feature that the add-on provides.',
      resolve: ({ code }) => code,
    }),
    featureName: t.fromRow('feature', {
      columns: ['name'],
      type: 'String',
      description: 'Name of the feature that the add-on provides.',
      resolve: ({ name }) => name,
    }),
    feature: t.row('feature', { description: 'Feature that the add-on provides. Never changes.' }),
    ...t.columns('consumptionModel'),
    includedUnits: t.computed({
      type: 'SafeInt',
      description: 'Units included in the price, per usage window. 0 unless the add-on is metered.',
      columns: ['includedUnits'],
      resolve: ({ includedUnits }) => includedUnits ?? 0n,
    }),
    overageRate: t.computed({
      type: 'SafeInt',
      nullable: true,
      amount: 'RATE',
      description:
        'Price of the first unit above the included units in ten-thousandths of a US dollar (10,000 = 1.00 USD), rounded. `null` unless the consumption model is `metered` or `balance`.',
      columns: ['consumptionModel', 'rate'],
      resolve: (addon) => unitPriceOf({ rate: addon.rate, pool: addonPool(addon) }),
    }),
    creditCost: t.computed({
      type: 'SafeInt',
      nullable: true,
      description:
        'Credits for the first unit, rounded to a whole number, at least 1. `null` unless the consumption model is `credits`.',
      columns: ['consumptionModel', 'rate'],
      resolve: (addon) => creditsPerUnitOf({ rate: addon.rate, pool: addonPool(addon) }),
    }),
    rate: t.computed({
      type: Rate,
      nullable: true,
      description:
        'Price of units above the included units, in US dollars. If usage is deducted from a pool, the price of all units, in US dollars or credits. `null` if the consumption model is `boolean`, or if the add-on has rates by dimension.',
      args: {
        unlessPlain: t.arg.boolean({ description: unlessPlainText('overageRate` or `creditCost') }),
      },
      columns: ['consumptionModel', 'rate', 'overrides'],
      resolve: (addon, { unlessPlain }) =>
        rateWithOverrides(ownRate(addon.rate), addon.overrides, addonPool(addon), unlessPlain),
    }),
    rateCard: t.computed({
      type: FeatureRateCard,
      nullable: true,
      description:
        'Rates by dimension, of the add-on itself or of a saved rate card. `null` if the add-on has one rate for all usage.',
      columns: ['rate', 'overrides'],
      resolve: ({ rate, overrides }) => shownCard(rate, overrides),
    }),
    ...t.columns('createdAt', 'updatedAt'),
    ...t.resource('addon'),
  }),
});

export const AddonConnection = connectionOf('Addon', Addon, 'add-ons');

const shown = (rate: string): string =>
  `id name slug description basePrice featureCode featureName createdAt updatedAt consumptionModel includedUnits overageRate creditCost
  ${rate} { ${featureRateFields} } rateCard { ${featureCardFields} } object livemode`;

restView('Addon', 'Addon', shown('rate(unlessPlain: true)'), {
  absentWhenUnset: ['rate', 'rate.overrides', 'rateCard', 'rateCard.overrides'],
});

restView('AddonRate', 'Addon', shown('rate'), {
  absentWhenUnset: ['rate.overrides', 'rateCard', 'rateCard.overrides'],
});
