import type { Period } from '../../../../domain/time/period.ts';
import type { CanUse, ConsumptionUse, CountedUse, UnitPrice } from '../../../../domain/usage/access.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { Currency } from '../../../organization/currencies/enums.ts';

// GraphQL types for the usage that is part of feature access.

const AccessPeriod = builder.objectRef<Period>('FeatureAccessPeriod').implement({
  description: 'Period in which units are counted.',
  fields: (t) => ({
    start: t.member('start', 'DateTime').describe('Start of the period, inclusive.'),
    end: t.member('end', 'DateTime').describe('End of the period, exclusive.'),
  }),
});

const AccessUnitPrice = builder.objectRef<UnitPrice>('FeatureAccessUnitPrice').implement({
  description: 'Price of one unit.',
  fields: (t) => ({
    amount: t
      .member('amount', 'RATE')
      .describe(
        'Price in ten-thousandths of the currency unit. Divide the number by `scale` to get the price in currency units.',
      ),
    currency: t.member('currency', Currency).describe('Currency of the price.'),
    scale: t
      .member('scale', 'Int')
      .describe('Divisor that converts `amount` to currency units. Always 10,000.'),
  }),
});

const AccessOverage = builder.objectRef<CountedUse['overage']>('FeatureAccessOverage').implement({
  description: 'Overage: units above the included amount.',
  fields: (t) => ({
    enabled: t
      .member('enabled', 'Boolean')
      .describe('Whether overage is currently sold. Always `false` on free plans and in trials.'),
    units: t.member('units', 'SafeInt').describe('Units of overage used. 0 if usage is unlimited.'),
    unitPrice: t.field({
      type: AccessUnitPrice,
      nullable: true,
      description: "Price of one unit of overage. `null` if overage isn't sold.",
      resolve: ({ unitPrice }) => unitPrice ?? null,
    }),
  }),
});

const AccessMoney = builder
  .objectRef<{ readonly amount: bigint; readonly currency: string }>('FeatureAccessMoney')
  .implement({
    description: 'Amount of money in one currency.',
    fields: (t) => ({
      amount: t.member('amount', 'MINOR').describe('Amount in the smallest currency unit, such as cents.'),
      currency: t.member('currency', Currency).describe('Currency of the amount.'),
    }),
  });

const words = {
  period: 'Period in which units are counted.',
  used: 'Units used in the current usage window.',
  included: 'Number of included units, before any overage.',
  remaining: 'Included units left. `null` if usage is unlimited.',
  unlimited: 'Whether usage is unlimited.',
  overage: 'Units above the included amount.',
} as const;

type Of<M extends ConsumptionUse['model']> = Extract<ConsumptionUse, { readonly model: M }>;

const MeteredUse = builder.objectRef<Of<'metered'>>('MeteredConsumption').implement({
  description: "Feature usage on a metered plan. Units are billed after they're used.",
  fields: (t) => ({
    model: t.member('model', 'String').describe('Always `metered`.'),
    period: t.member('period', AccessPeriod).describe('Current usage window.'),
    unitsUsed: t.member('unitsUsed', 'SafeInt').describe(words.used),
    includedUnits: t.member('includedUnits', 'SafeInt').describe(words.included),
    remainingUnits: t.field({
      type: 'SafeInt',
      nullable: true,
      description: words.remaining,
      resolve: ({ remainingUnits }) => remainingUnits ?? null,
    }),
    unlimited: t.member('unlimited', 'Boolean').describe(words.unlimited),
    overage: t.member('overage', AccessOverage).describe(words.overage),
  }),
});

const CreditsUse = builder.objectRef<Of<'credits'>>('CreditsConsumption').implement({
  description: 'Feature usage that is deducted from credits.',
  fields: (t) => ({
    model: t.member('model', 'String').describe('Always `credits`.'),
    period: t.member('period', AccessPeriod).describe('Current usage window.'),
    unitsUsed: t.member('unitsUsed', 'SafeInt').describe(words.used),
    creditsPerUnit: t.member('creditsPerUnit', 'SafeInt').describe('Credits deducted per unit.'),
    creditsConsumed: t
      .member('creditsConsumed', 'SafeInt')
      .describe('Credits deducted for the feature in the current usage window.'),
    availableUnits: t
      .maybe('availableUnits', 'SafeInt')
      .describe('Units that the remaining credits cover. Other features use the same credits. Never `null`.'),
  }),
});

const BalanceUse = builder.objectRef<Of<'balance'>>('BalanceConsumption').implement({
  description: 'Feature usage that is deducted from a prepaid balance.',
  fields: (t) => ({
    model: t.member('model', 'String').describe('Always `balance`.'),
    period: t.member('period', AccessPeriod).describe('Current usage window.'),
    unitsUsed: t
      .member('unitsUsed', 'SafeInt')
      .describe('Units used in the current usage window. For AI models, the number of tokens.'),
    spent: t
      .member('spent', AccessMoney)
      .describe('Amount deducted for the feature in the current usage window.'),
    availableUnits: t.field({
      type: 'SafeInt',
      nullable: true,
      description:
        'Units that the balance covers. `null` if AI models determine the price, or if the feature is free.',
      resolve: ({ availableUnits }) => availableUnits ?? null,
    }),
    unitPrice: t.field({
      type: AccessUnitPrice,
      nullable: true,
      description: 'Price of one unit. `null` if AI models determine the price.',
      resolve: ({ unitPrice }) => unitPrice ?? null,
    }),
  }),
});

const modelTypes = {
  metered: 'MeteredConsumption',
  credits: 'CreditsConsumption',
  balance: 'BalanceConsumption',
} as const;

export const FeatureConsumption = builder.unionType('FeatureConsumption', {
  description:
    'Consumption of a usage feature. The concrete type depends on the consumption model of the plan.',
  types: [MeteredUse, CreditsUse, BalanceUse],
  resolveType: ({ model }) => modelTypes[model],
});

export const SeatsUse = builder.objectRef<CountedUse>('SeatsAccessUsage').implement({
  description: "A customer's seat usage.",
  fields: (t) => ({
    period: t.member('period', AccessPeriod).describe('Current billing period.'),
    unitsUsed: t.member('unitsUsed', 'SafeInt').describe('Current number of seats.'),
    includedUnits: t.member('includedUnits', 'SafeInt').describe(words.included),
    remainingUnits: t.field({
      type: 'SafeInt',
      nullable: true,
      description: words.remaining,
      resolve: ({ remainingUnits }) => remainingUnits ?? null,
    }),
    unlimited: t.member('unlimited', 'Boolean').describe(words.unlimited),
    overage: t.member('overage', AccessOverage).describe(words.overage),
  }),
});

export const QuotaUse = builder
  .objectRef<CountedUse & { readonly billedUnits: bigint }>('QuotaAccessUsage')
  .implement({
    description: "A customer's quota usage.",
    fields: (t) => ({
      period: t.member('period', AccessPeriod).describe('Current billing period.'),
      unitsUsed: t.member('unitsUsed', 'SafeInt').describe('Current number of units.'),
      includedUnits: t.member('includedUnits', 'SafeInt').describe(words.included),
      remainingUnits: t.field({
        type: 'SafeInt',
        nullable: true,
        description: words.remaining,
        resolve: ({ remainingUnits }) => remainingUnits ?? null,
      }),
      unlimited: t.member('unlimited', 'Boolean').describe(words.unlimited),
      overage: t.member('overage', AccessOverage).describe(words.overage),
      billedUnits: t
        .member('billedUnits', 'SafeInt')
        .describe('Highest number of units in the billing period. Determines the charge.'),
    }),
  });

export const FeatureCanUse = builder.objectRef<CanUse>('FeatureCanUse').implement({
  description:
    "Result of checking whether one more unit would be accepted. The check doesn't reserve the unit.",
  fields: (t) => ({
    allowed: t
      .member('allowed', 'Boolean')
      .describe('Whether a request for one more unit would be accepted.'),
    willBeCharged: t
      .member('willBeCharged', 'Boolean')
      .describe('Whether the additional unit would cost money or credits.'),
    reason: t
      .maybe('reason', 'String')
      .describe('Error code of the rejection. `null` if the unit would be accepted.'),
  }),
});
