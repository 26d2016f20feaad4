import type { FeatureRow } from '../../../../domain/pricing/catalog.ts';
import { excessOf } from '../../../../domain/pricing/terms.ts';
import { futureCount } from '../../../../domain/usage/counts.ts';
import { ratesPerUnit, shownUnits } from '../../../../domain/usage/metered-terms.ts';
import type { BaseAccess } from '../../../../domain/usage/plan-grant-terms.ts';
import { type UsageTerms, unitPriceOf } from '../../../../domain/usage/terms.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import type { Context } from '../../../../request/context.ts';
import { FeatureType } from '../../../catalog/features/types.ts';
import { appliedRate, Rate, unlessPlainText } from '../../../catalog/rates/types.ts';
import { loadAccess } from '../load-consumption.ts';
import { hasAccess, loadHeldFeatures } from '../load-terms.ts';
import type { SubscriptionRow } from '../store.ts';

/** Feature of a subscription with the applicable terms, the plan's own terms during a plan grant, and the used units or the current count. */
export type SubscriptionFeatureShape = {
  readonly feature: FeatureRow;
  readonly terms: UsageTerms;
  readonly base: BaseAccess | null;
  /** Usage in counted units, or the number of seats or quota units. */
  readonly count: bigint;
  /** Number of units from the next billing period onward. `null` unless a decrease is scheduled (CON-44). */
  readonly next: bigint | null;
};

/** Returns the features of a subscription, sorted by code. Usage is 0 if the subscription doesn't give access. */
export async function loadFeatures(
  ctx: Context,
  subscription: SubscriptionRow,
): Promise<SubscriptionFeatureShape[]> {
  if (hasAccess(subscription))
    return (await loadAccess(ctx, subscription)).map(({ feature, terms, base, meter, count }) => ({
      feature,
      terms,
      base,
      count: feature.type === 'usage' ? meter.counter.total : count.count,
      next: count.pendingRemovals > 0n ? futureCount(count) : null,
    }));
  return (await loadHeldFeatures(ctx, subscription)).map((held) => ({ ...held, count: 0n, next: null }));
}

export const BooleanBaseAccess = builder.objectRef<BaseAccess>('BooleanBaseAccess').implement({
  description: 'Access to a boolean feature that the customer would have without the active plan grant.',
  fields: (t) => ({
    enabled: t.member('enabled', 'Boolean').describe('Whether the plan enables the feature.'),
  }),
});

const CountBaseAccess = builder.objectRef<BaseAccess>('CountBaseAccess').implement({
  description: 'Access to a counted feature that the customer would have without the active plan grant.',
  fields: (t) => ({
    included: t.member('included', 'SafeInt').describe('Units included in the plan.'),
    unlimited: t.member('unlimited', 'Boolean').describe('`true` if the plan includes unlimited units.'),
  }),
});

const FeatureUsage = builder.objectRef<SubscriptionFeatureShape>('SubscriptionFeatureUsage').implement({
  description: 'Usage of a counted feature.',
  fields: (t) => ({
    current: t.field({
      type: 'SafeInt',
      description: 'Units used in the current usage window, or the current number of seats or quota units.',
      resolve: ({ terms, count }) => shownUnits(terms, count),
    }),
    next: t
      .maybe('next', 'SafeInt')
      .describe('Number of units from the next billing period on. `null` unless a decrease is scheduled.'),
    included: t.field({
      type: 'SafeInt',
      description: 'Number of included units, before any overage.',
      resolve: ({ terms }) => shownUnits(terms, terms.includedAmount),
    }),
    overageQuantity: t.field({
      type: 'SafeInt',
      description: 'Units above the included amount. 0 if usage is unlimited.',
      resolve: ({ terms, count }) => shownUnits(terms, excessOf(terms, count)),
    }),
    overageUnitPrice: t.field({
      type: 'SafeInt',
      nullable: true,
      amount: 'RATE',
      description:
        "Price of one unit of overage, in ten-thousandths of the currency unit (10,000 = 1.00). `null` if overage isn't sold.",
      resolve: ({ terms }) => (terms.overageEnabled ? unitPriceOf(terms) : null),
    }),
    rate: t.field({
      type: Rate,
      nullable: true,
      description:
        "Price of overage, in the currency of the subscription. If the rate changed in the current period, contains the rate that results in the lower price for the current overage. `null` if overage isn't sold.",
      args: {
        unlessPlain: t.arg.boolean({ description: unlessPlainText('overageUnitPrice') }),
      },
      resolve: ({ terms, count }, { unlessPlain }) =>
        terms.overageEnabled
          ? appliedRate(ratesPerUnit(terms), shownUnits(terms, excessOf(terms, count)), unlessPlain)
          : null,
    }),
    unlimited: t.boolean({
      description: 'Whether usage of the feature is unlimited.',
      resolve: ({ terms }) => terms.unlimited,
    }),
  }),
});

const shared = {
  code: 'Code of the feature.',
  name: 'Name of the feature.',
  enabled: 'Whether the feature is enabled for the subscription.',
  baseAccess:
    'Access that the customer would have without the active plan grant. `null` if no plan grant is active.',
} as const;

const BooleanFeature = builder.objectRef<SubscriptionFeatureShape>('SubscriptionBooleanFeature').implement({
  description: 'Feature that is either enabled or disabled.',
  fields: (t) => ({
    code: t.string({ description: shared.code, resolve: ({ feature }) => feature.code }),
    name: t.string({ description: shared.name, resolve: ({ feature }) => feature.name }),
    type: t.field({
      type: FeatureType,
      description: 'Always `boolean`.',
      resolve: ({ feature }) => feature.type,
    }),
    enabled: t.boolean({ description: shared.enabled, resolve: ({ terms }) => terms.enabled }),
    baseAccess: t.maybe('base', BooleanBaseAccess).describe(shared.baseAccess),
  }),
});

const typeNames = {
  boolean: 'SubscriptionBooleanFeature',
  usage: 'SubscriptionUsageFeature',
  seats: 'SubscriptionSeatsFeature',
  quota: 'SubscriptionQuotaFeature',
} as const;

/** Creates the GraphQL type for usage, seat, or quota features. The three types have the same fields. */
const countedFeature = (kind: Exclude<keyof typeof typeNames, 'boolean'>, description: string) =>
  builder.objectRef<SubscriptionFeatureShape>(typeNames[kind]).implement({
    description,
    fields: (t) => ({
      code: t.string({ description: shared.code, resolve: ({ feature }) => feature.code }),
      name: t.string({ description: shared.name, resolve: ({ feature }) => feature.name }),
      type: t.field({
        type: FeatureType,
        description: `Always \`${kind}\`.`,
        resolve: ({ feature }) => feature.type,
      }),
      enabled: t.boolean({ description: shared.enabled, resolve: ({ terms }) => terms.enabled }),
      usage: t.field({
        type: FeatureUsage,
        description: 'Usage of the feature.',
        resolve: (feature) => feature,
      }),
      baseAccess: t.maybe('base', CountBaseAccess).describe(shared.baseAccess),
    }),
  });

export const SubscriptionFeature = builder.unionType('SubscriptionFeature', {
  description: 'Feature of a subscription, with the terms that apply to the subscription.',
  types: [
    BooleanFeature,
    countedFeature('usage', 'Usage feature. Usage accumulates within a usage window and is then reset.'),
    countedFeature('seats', 'Seat feature, which counts seats that are assigned to people.'),
    countedFeature('quota', 'Quota feature, which counts a resource that the customer adds and removes.'),
  ],
  resolveType: ({ feature }) => typeNames[feature.type],
});

export const featuresSelection = `features {
  ... on SubscriptionBooleanFeature { code name type enabled baseAccess { enabled } }
  ${[typeNames.usage, typeNames.seats, typeNames.quota]
    .map(
      (name) =>
        `... on ${name} { code name type enabled usage { current included overageQuantity overageUnitPrice unlimited } baseAccess { included unlimited } }`,
    )
    .join('\n  ')}
}`;
