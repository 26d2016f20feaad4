import type { Context } from '../../../context.ts';
import { excessOf, type HeldFeature } from '../../../domain/pricing/terms.ts';
import type { BaseAccess } from '../../../domain/usage/plan-grant-terms.ts';
import { builder } from '../../../graphql/builder.ts';
import { FeatureType } from '../../features/types.ts';
import { loadAccess } from '../load-consumption.ts';
import { hasAccess, loadHeldFeatures } from '../load-terms.ts';
import type { SubscriptionRow } from '../store.ts';

/** A feature of a subscription with the terms it is held at, those of its plan alone while a plan grant widens them, and the units used or the count in force. */
export type SubscriptionFeatureShape = HeldFeature & {
  readonly base: BaseAccess | null;
  readonly count: bigint;
};

/** The features of a subscription in order of their codes; nothing is used without access. */
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
    }));
  return (await loadHeldFeatures(ctx, subscription)).map((held) => ({ ...held, count: 0n }));
}

export const BooleanBaseAccess = builder.objectRef<BaseAccess>('BooleanBaseAccess').implement({
  description: 'What the plan alone gives of a boolean feature while a plan grant widens it.',
  fields: (t) => ({
    enabled: t.exposeBoolean('enabled', { description: 'Whether the plan switches it on.' }),
  }),
});

const CountBaseAccess = builder.objectRef<BaseAccess>('CountBaseAccess').implement({
  description: 'What the plan alone gives of a counted feature while a plan grant widens it.',
  fields: (t) => ({
    included: t.expose('included', { type: 'SafeInt', description: 'Units included.' }),
    unlimited: t.exposeBoolean('unlimited', { description: 'True without a limit.' }),
  }),
});

const FeatureUsage = builder.objectRef<SubscriptionFeatureShape>('SubscriptionFeatureUsage').implement({
  description: 'How much of a counted feature is used.',
  fields: (t) => ({
    current: t.expose('count', {
      type: 'SafeInt',
      description: 'Units used in the running window, or the count in force.',
    }),
    included: t.field({
      type: 'SafeInt',
      description: 'Units included.',
      resolve: ({ terms }) => terms.includedAmount,
    }),
    overageQuantity: t.field({
      type: 'SafeInt',
      description: 'Units beyond what is included; 0 when unlimited.',
      resolve: ({ terms, count }) => excessOf(terms, count),
    }),
    overageUnitPrice: t.field({
      type: 'SafeInt',
      nullable: true,
      amount: 'RATE',
      description:
        'Price of a unit beyond what is included, 10000 being 1.00; null when none can be charged.',
      resolve: ({ terms }) => (terms.overageEnabled ? terms.unitPriceRate : null),
    }),
    unlimited: t.boolean({ description: 'True without a limit.', resolve: ({ terms }) => terms.unlimited }),
  }),
});

const shared = {
  code: 'The code of the feature.',
  name: 'The name of the feature.',
  enabled: 'Whether the terms held switch the feature on.',
  baseAccess: 'What the plan alone gives; null unless a plan grant widens access.',
} as const;

const BooleanFeature = builder.objectRef<SubscriptionFeatureShape>('SubscriptionBooleanFeature').implement({
  description: 'A capability that is on or off.',
  fields: (t) => ({
    code: t.string({ description: shared.code, resolve: ({ feature }) => feature.code }),
    name: t.string({ description: shared.name, resolve: ({ feature }) => feature.name }),
    type: t.field({
      type: FeatureType,
      description: 'Always `boolean`.',
      resolve: ({ feature }) => feature.type,
    }),
    enabled: t.boolean({ description: shared.enabled, resolve: ({ terms }) => terms.enabled }),
    baseAccess: t.field({
      type: BooleanBaseAccess,
      nullable: true,
      description: shared.baseAccess,
      resolve: ({ base }) => base,
    }),
  }),
});

const typeNames = {
  boolean: 'SubscriptionBooleanFeature',
  usage: 'SubscriptionUsageFeature',
  seats: 'SubscriptionSeatsFeature',
  quota: 'SubscriptionQuotaFeature',
} as const;

/** The three counted kinds have the same fields. */
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
      usage: t.field({ type: FeatureUsage, description: 'How much is used.', resolve: (feature) => feature }),
      baseAccess: t.field({
        type: CountBaseAccess,
        nullable: true,
        description: shared.baseAccess,
        resolve: ({ base }) => base,
      }),
    }),
  });

export const SubscriptionFeature = builder.unionType('SubscriptionFeature', {
  description: 'A feature of the plan a subscription is on, as it is held.',
  types: [
    BooleanFeature,
    countedFeature('usage', 'Consumption that only grows within a window.'),
    countedFeature('seats', 'Licenses assigned to people.'),
    countedFeature('quota', 'A durable countable resource.'),
  ],
  resolveType: ({ feature }) => typeNames[feature.type],
});

/** What REST shows of the features. */
export const featuresSelection = `features {
  ... on SubscriptionBooleanFeature { code name type enabled baseAccess { enabled } }
  ${[typeNames.usage, typeNames.seats, typeNames.quota]
    .map(
      (name) =>
        `... on ${name} { code name type enabled usage { current included overageQuantity overageUnitPrice unlimited } baseAccess { included unlimited } }`,
    )
    .join('\n  ')}
}`;
