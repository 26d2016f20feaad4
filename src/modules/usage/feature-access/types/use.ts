import type { Period } from '../../../../domain/time/period.ts';
import type { CanUse, ConsumptionUse, CountedUse, UnitPrice } from '../../../../domain/usage/access.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { Currency } from '../../../organization/currencies/enums.ts';

// Types for the usage of a feature, nested in feature access.

const AccessPeriod = builder.objectRef<Period>('FeatureAccessPeriod').implement({
  description: 'Period in which units are counted.',
  fields: (t) => ({
    start: t.expose('start', { type: 'DateTime', description: 'Start of the period, inclusive.' }),
    end: t.expose('end', { type: 'DateTime', description: 'End of the period, exclusive.' }),
  }),
});

const AccessUnitPrice = builder.objectRef<UnitPrice>('FeatureAccessUnitPrice').implement({
  description: 'Price of one unit.',
  fields: (t) => ({
    amount: t.expose('amount', {
      type: 'SafeInt',
      amount: 'RATE',
      description:
        'Price in ten-thousandths of the currency unit. Divide the number by `scale` to get the price in currency units.',
    }),
    currency: t.expose('currency', { type: Currency, description: 'Currency of the price.' }),
    scale: t.exposeInt('scale', {
      description: 'Divisor that converts `amount` to currency units. Always 10,000.',
    }),
  }),
});

const AccessOverage = builder.objectRef<CountedUse['overage']>('FeatureAccessOverage').implement({
  description: 'Overage: units above the included amount.',
  fields: (t) => ({
    enabled: t.exposeBoolean('enabled', {
      description: 'Whether overage is currently sold. Always `false` on free plans and in trials.',
    }),
    units: t.expose('units', {
      type: 'SafeInt',
      description: 'Units of overage used. 0 if usage is unlimited.',
    }),
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
      amount: t.expose('amount', {
        type: 'SafeInt',
        amount: 'MINOR',
        description: 'Amount in the smallest currency unit, such as cents.',
      }),
      currency: t.expose('currency', { type: Currency, description: 'Currency of the amount.' }),
    }),
  });

const words = {
  period: 'Period in which units are counted.',
  used: 'Units used in the current usage window.',
  included: 'Number of included units, before any overage.',
  remaining: 'Included units left. `null` if unlimited.',
  unlimited: 'Whether usage is unlimited.',
  overage: 'Units above the included amount.',
} as const;

type Of<M extends ConsumptionUse['model']> = Extract<ConsumptionUse, { readonly model: M }>;

const MeteredUse = builder.objectRef<Of<'metered'>>('MeteredConsumption').implement({
  description: "Usage of a feature on a metered plan, which bills units after they're used.",
  fields: (t) => ({
    model: t.exposeString('model', { description: 'Always `metered`.' }),
    period: t.field({
      type: AccessPeriod,
      description: 'Current usage window.',
      resolve: ({ period }) => period,
    }),
    unitsUsed: t.expose('unitsUsed', { type: 'SafeInt', description: words.used }),
    includedUnits: t.expose('includedUnits', { type: 'SafeInt', description: words.included }),
    remainingUnits: t.field({
      type: 'SafeInt',
      nullable: true,
      description: words.remaining,
      resolve: ({ remainingUnits }) => remainingUnits ?? null,
    }),
    unlimited: t.exposeBoolean('unlimited', { description: words.unlimited }),
    overage: t.field({ type: AccessOverage, description: words.overage, resolve: ({ overage }) => overage }),
  }),
});

const CreditsUse = builder.objectRef<Of<'credits'>>('CreditsConsumption').implement({
  description: 'Usage of a feature that is deducted from credits.',
  fields: (t) => ({
    model: t.exposeString('model', { description: 'Always `credits`.' }),
    period: t.field({
      type: AccessPeriod,
      description: 'Current usage window.',
      resolve: ({ period }) => period,
    }),
    unitsUsed: t.expose('unitsUsed', { type: 'SafeInt', description: words.used }),
    creditsPerUnit: t.expose('creditsPerUnit', {
      type: 'SafeInt',
      description: 'Credits deducted per unit.',
    }),
    creditsConsumed: t.expose('creditsConsumed', {
      type: 'SafeInt',
      description: 'Credits deducted for the feature in the current usage window.',
    }),
    availableUnits: t.field({
      type: 'SafeInt',
      nullable: true,
      description:
        'Units that the remaining credits cover. Other features use the same credits. Never `null`.',
      resolve: ({ availableUnits }) => availableUnits,
    }),
  }),
});

const BalanceUse = builder.objectRef<Of<'balance'>>('BalanceConsumption').implement({
  description: 'Usage of a feature that is deducted from a prepaid balance.',
  fields: (t) => ({
    model: t.exposeString('model', { description: 'Always `balance`.' }),
    period: t.field({
      type: AccessPeriod,
      description: 'Current usage window.',
      resolve: ({ period }) => period,
    }),
    unitsUsed: t.expose('unitsUsed', {
      type: 'SafeInt',
      description: 'Units used in the current usage window. For AI models, the number of tokens.',
    }),
    spent: t.field({
      type: AccessMoney,
      description: 'Amount deducted for the feature in the current usage window.',
      resolve: ({ spent }) => spent,
    }),
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
  description: 'Seat usage of a customer.',
  fields: (t) => ({
    period: t.field({
      type: AccessPeriod,
      description: 'Billing period.',
      resolve: ({ period }) => period,
    }),
    unitsUsed: t.expose('unitsUsed', { type: 'SafeInt', description: 'Current number of seats.' }),
    includedUnits: t.expose('includedUnits', { type: 'SafeInt', description: words.included }),
    remainingUnits: t.field({
      type: 'SafeInt',
      nullable: true,
      description: words.remaining,
      resolve: ({ remainingUnits }) => remainingUnits ?? null,
    }),
    unlimited: t.exposeBoolean('unlimited', { description: words.unlimited }),
    overage: t.field({ type: AccessOverage, description: words.overage, resolve: ({ overage }) => overage }),
  }),
});

export const QuotaUse = builder
  .objectRef<CountedUse & { readonly billedUnits: bigint }>('QuotaAccessUsage')
  .implement({
    description: 'Quota usage of a customer.',
    fields: (t) => ({
      period: t.field({
        type: AccessPeriod,
        description: 'Billing period.',
        resolve: ({ period }) => period,
      }),
      unitsUsed: t.expose('unitsUsed', { type: 'SafeInt', description: 'Current number of units.' }),
      includedUnits: t.expose('includedUnits', { type: 'SafeInt', description: words.included }),
      remainingUnits: t.field({
        type: 'SafeInt',
        nullable: true,
        description: words.remaining,
        resolve: ({ remainingUnits }) => remainingUnits ?? null,
      }),
      unlimited: t.exposeBoolean('unlimited', { description: words.unlimited }),
      overage: t.field({
        type: AccessOverage,
        description: words.overage,
        resolve: ({ overage }) => overage,
      }),
      billedUnits: t.expose('billedUnits', {
        type: 'SafeInt',
        description: 'Highest count in the billing period. Determines the charge.',
      }),
    }),
  });

export const FeatureCanUse = builder.objectRef<CanUse>('FeatureCanUse').implement({
  description:
    "Result of checking whether one more unit would be accepted. The check doesn't reserve the unit.",
  fields: (t) => ({
    allowed: t.exposeBoolean('allowed', { description: 'Whether the unit would be accepted.' }),
    willBeCharged: t.exposeBoolean('willBeCharged', {
      description: 'Whether the unit would cost money or credits.',
    }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: 'Error code of the rejection. `null` if the unit would be accepted.',
    }),
  }),
});
