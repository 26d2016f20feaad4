import type { Period } from '../../../domain/period.ts';
import type { CanUse, ConsumptionUse, CountedUse, UnitPrice } from '../../../domain/usage/access.ts';
import { builder } from '../../../graphql/builder.ts';
import { Currency } from '../../currencies/enums.ts';

// How much of a feature is used: the objects inside feature access.

const AccessPeriod = builder.objectRef<Period>('FeatureAccessPeriod').implement({
  description: 'A span that units are counted in.',
  fields: (t) => ({
    start: t.expose('start', { type: 'DateTime', description: 'Inclusive.' }),
    end: t.expose('end', { type: 'DateTime', description: 'Exclusive.' }),
  }),
});

const AccessUnitPrice = builder.objectRef<UnitPrice>('FeatureAccessUnitPrice').implement({
  description: 'The price of one unit.',
  fields: (t) => ({
    amount: t.expose('amount', { type: 'SafeInt', amount: 'RATE', description: 'At the scale beside it.' }),
    currency: t.expose('currency', { type: Currency, description: 'Lower-case ISO 4217 code.' }),
    scale: t.exposeInt('scale', { description: 'Always 10000: so much is 1.00.' }),
  }),
});

const AccessOverage = builder.objectRef<CountedUse['overage']>('FeatureAccessOverage').implement({
  description: 'Units beyond the included ones.',
  fields: (t) => ({
    enabled: t.exposeBoolean('enabled', {
      description: 'Whether they are sold at the moment: never on free plans and in trials.',
    }),
    units: t.expose('units', { type: 'SafeInt', description: 'How many are used; 0 when unlimited.' }),
    unitPrice: t.field({
      type: AccessUnitPrice,
      nullable: true,
      description: 'What each costs; null where none is sold.',
      resolve: ({ unitPrice }) => unitPrice ?? null,
    }),
  }),
});

const AccessMoney = builder
  .objectRef<{ readonly amount: bigint; readonly currency: string }>('FeatureAccessMoney')
  .implement({
    description: 'An amount of money.',
    fields: (t) => ({
      amount: t.expose('amount', {
        type: 'SafeInt',
        amount: 'MINOR',
        description: 'Minor units of the currency.',
      }),
      currency: t.expose('currency', { type: Currency, description: 'Lower-case ISO 4217 code.' }),
    }),
  });

const words = {
  period: 'What is counted in.',
  used: 'Units used in it.',
  included: 'Units included.',
  remaining: 'Included units left; null when unlimited.',
  unlimited: 'True without a limit.',
  overage: 'Units beyond the included ones.',
} as const;

type Of<M extends ConsumptionUse['model']> = Extract<ConsumptionUse, { readonly model: M }>;

const MeteredUse = builder.objectRef<Of<'metered'>>('MeteredConsumption').implement({
  description: 'Use of a feature on a plan that counts units and bills them afterwards.',
  fields: (t) => ({
    model: t.exposeString('model', { description: 'Always `metered`.' }),
    period: t.field({
      type: AccessPeriod,
      description: 'The consumption window.',
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
  description: 'Use of a feature that takes credits.',
  fields: (t) => ({
    model: t.exposeString('model', { description: 'Always `credits`.' }),
    period: t.field({
      type: AccessPeriod,
      description: 'The consumption window.',
      resolve: ({ period }) => period,
    }),
    unitsUsed: t.expose('unitsUsed', { type: 'SafeInt', description: words.used }),
    creditsPerUnit: t.expose('creditsPerUnit', { type: 'SafeInt', description: 'Credits one unit takes.' }),
    creditsConsumed: t.expose('creditsConsumed', {
      type: 'SafeInt',
      description: 'Credits the feature took in the window.',
    }),
    availableUnits: t.field({
      type: 'SafeInt',
      nullable: true,
      description: 'Units the credits left cover, which other features draw on too; never null here.',
      resolve: ({ availableUnits }) => availableUnits,
    }),
  }),
});

const BalanceUse = builder.objectRef<Of<'balance'>>('BalanceConsumption').implement({
  description: 'Use of a feature that takes money from a balance.',
  fields: (t) => ({
    model: t.exposeString('model', { description: 'Always `balance`.' }),
    period: t.field({
      type: AccessPeriod,
      description: 'The consumption window.',
      resolve: ({ period }) => period,
    }),
    unitsUsed: t.expose('unitsUsed', {
      type: 'SafeInt',
      description: 'Units used in it; tokens of AI models.',
    }),
    spent: t.field({
      type: AccessMoney,
      description: 'What the feature took in the window.',
      resolve: ({ spent }) => spent,
    }),
    availableUnits: t.field({
      type: 'SafeInt',
      nullable: true,
      description:
        'Units the balance covers; null where AI models set the price, and where a unit costs nothing.',
      resolve: ({ availableUnits }) => availableUnits ?? null,
    }),
    unitPrice: t.field({
      type: AccessUnitPrice,
      nullable: true,
      description: 'What one unit costs; null where AI models set the price.',
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
  description: 'What a usage feature draws on, by how the plan is paid for.',
  types: [MeteredUse, CreditsUse, BalanceUse],
  resolveType: ({ model }) => modelTypes[model],
});

export const SeatsUse = builder.objectRef<CountedUse>('SeatsAccessUsage').implement({
  description: 'Seats held.',
  fields: (t) => ({
    period: t.field({
      type: AccessPeriod,
      description: 'The span they are billed for.',
      resolve: ({ period }) => period,
    }),
    unitsUsed: t.expose('unitsUsed', { type: 'SafeInt', description: 'Seats in force.' }),
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
    description: 'Units of quota held.',
    fields: (t) => ({
      period: t.field({
        type: AccessPeriod,
        description: 'The span they are billed for.',
        resolve: ({ period }) => period,
      }),
      unitsUsed: t.expose('unitsUsed', { type: 'SafeInt', description: 'Units held.' }),
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
        description: 'The highest count of the period, which is the billed one.',
      }),
    }),
  });

export const FeatureCanUse = builder.objectRef<CanUse>('FeatureCanUse').implement({
  description: 'Whether one unit more could be used now. Reserves nothing.',
  fields: (t) => ({
    allowed: t.exposeBoolean('allowed', { description: 'Whether it would be accepted.' }),
    willBeCharged: t.exposeBoolean('willBeCharged', {
      description: 'Whether it would cost money or credits.',
    }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: 'The code of the rejection; null when it is allowed.',
    }),
  }),
});
