import type { BaseAccess } from '../../../domain/usage/plan-grant-terms.ts';
import { builder } from '../../../graphql/builder.ts';
import { connectionOf } from '../../../graphql/pagination.ts';
import { restView } from '../../../graphql/rest.ts';
import { FeatureType } from '../../features/types.ts';
import { BooleanBaseAccess } from '../../subscriptions/types/features.ts';
import type { AccessShape } from '../list.ts';
import { FeatureCanUse, FeatureConsumption, QuotaUse, SeatsUse } from './use.ts';

type Of<T extends AccessShape['type']> = Extract<AccessShape, { readonly type: T }>;

const words = {
  code: 'Code of the feature.',
  name: 'Name of the feature.',
  unitName: 'What one unit is called; null when it has no name.',
  allowed: 'Whether it may be used now.',
  canUse: 'Whether one unit more could be used now, and whether that costs anything.',
  baseAccess: 'What the plan alone gives; null unless a plan grant widens access.',
  object: 'Always `feature_access`.',
  livemode: 'True for live data.',
} as const;

const UnitsBaseAccess = builder.objectRef<BaseAccess>('UnitsBaseAccess').implement({
  description: 'What the plan alone gives of a counted feature while a plan grant widens it.',
  fields: (t) => ({
    includedUnits: t.expose('included', { type: 'SafeInt', description: 'Units included.' }),
    unlimited: t.exposeBoolean('unlimited', { description: 'True without a limit.' }),
  }),
});

const BooleanAccess = builder.objectRef<Of<'boolean'>>('BooleanFeatureAccess').implement({
  description: 'Access to a capability that is on or off.',
  fields: (t) => ({
    code: t.exposeString('code', { description: words.code }),
    name: t.exposeString('name', { description: words.name }),
    unitName: t.exposeString('unitName', { nullable: true, description: words.unitName }),
    allowed: t.exposeBoolean('allowed', { description: words.allowed }),
    type: t.expose('type', { type: FeatureType, description: 'Always `boolean`.' }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether the terms held switch it on.' }),
    baseAccess: t.field({
      type: BooleanBaseAccess,
      nullable: true,
      description: words.baseAccess,
      resolve: ({ baseAccess }) => baseAccess,
    }),
    canUse: t.field({ type: FeatureCanUse, description: words.canUse, resolve: ({ canUse }) => canUse }),
    object: t.string({ description: words.object, resolve: () => 'feature_access' }),
    livemode: t.boolean({ description: words.livemode, resolve: (_access, _args, ctx) => ctx.livemode }),
  }),
});

const UsageAccess = builder.objectRef<Of<'usage'>>('UsageFeatureAccess').implement({
  description: 'Access to consumption that only grows within a window.',
  fields: (t) => ({
    code: t.exposeString('code', { description: words.code }),
    name: t.exposeString('name', { description: words.name }),
    unitName: t.exposeString('unitName', { nullable: true, description: words.unitName }),
    allowed: t.exposeBoolean('allowed', { description: words.allowed }),
    type: t.expose('type', { type: FeatureType, description: 'Always `usage`.' }),
    consumption: t.field({
      type: FeatureConsumption,
      description: 'What it draws on.',
      resolve: ({ consumption }) => consumption,
    }),
    baseAccess: t.field({
      type: UnitsBaseAccess,
      nullable: true,
      description: words.baseAccess,
      resolve: ({ baseAccess }) => baseAccess,
    }),
    canUse: t.field({ type: FeatureCanUse, description: words.canUse, resolve: ({ canUse }) => canUse }),
    object: t.string({ description: words.object, resolve: () => 'feature_access' }),
    livemode: t.boolean({ description: words.livemode, resolve: (_access, _args, ctx) => ctx.livemode }),
  }),
});

const SeatsAccess = builder.objectRef<Of<'seats'>>('SeatsFeatureAccess').implement({
  description: 'Access to licenses assigned to people.',
  fields: (t) => ({
    code: t.exposeString('code', { description: words.code }),
    name: t.exposeString('name', { description: words.name }),
    unitName: t.exposeString('unitName', { nullable: true, description: words.unitName }),
    allowed: t.exposeBoolean('allowed', { description: words.allowed }),
    type: t.expose('type', { type: FeatureType, description: 'Always `seats`.' }),
    usage: t.field({ type: SeatsUse, description: 'Seats held.', resolve: ({ usage }) => usage }),
    baseAccess: t.field({
      type: UnitsBaseAccess,
      nullable: true,
      description: words.baseAccess,
      resolve: ({ baseAccess }) => baseAccess,
    }),
    canUse: t.field({ type: FeatureCanUse, description: words.canUse, resolve: ({ canUse }) => canUse }),
    object: t.string({ description: words.object, resolve: () => 'feature_access' }),
    livemode: t.boolean({ description: words.livemode, resolve: (_access, _args, ctx) => ctx.livemode }),
  }),
});

const QuotaAccess = builder.objectRef<Of<'quota'>>('QuotaFeatureAccess').implement({
  description: 'Access to a durable countable resource.',
  fields: (t) => ({
    code: t.exposeString('code', { description: words.code }),
    name: t.exposeString('name', { description: words.name }),
    unitName: t.exposeString('unitName', { nullable: true, description: words.unitName }),
    allowed: t.exposeBoolean('allowed', { description: words.allowed }),
    type: t.expose('type', { type: FeatureType, description: 'Always `quota`.' }),
    usage: t.field({ type: QuotaUse, description: 'Units held.', resolve: ({ usage }) => usage }),
    baseAccess: t.field({
      type: UnitsBaseAccess,
      nullable: true,
      description: words.baseAccess,
      resolve: ({ baseAccess }) => baseAccess,
    }),
    canUse: t.field({ type: FeatureCanUse, description: words.canUse, resolve: ({ canUse }) => canUse }),
    object: t.string({ description: words.object, resolve: () => 'feature_access' }),
    livemode: t.boolean({ description: words.livemode, resolve: (_access, _args, ctx) => ctx.livemode }),
  }),
});

const typeNames = {
  boolean: 'BooleanFeatureAccess',
  usage: 'UsageFeatureAccess',
  seats: 'SeatsFeatureAccess',
  quota: 'QuotaFeatureAccess',
} as const;

export const FeatureAccess = builder.unionType('FeatureAccess', {
  description: 'What a customer may do with one feature now, and how much is used.',
  types: [BooleanAccess, UsageAccess, SeatsAccess, QuotaAccess],
  resolveType: ({ type }) => typeNames[type],
});

export const FeatureAccessConnection = connectionOf(
  'FeatureAccess',
  FeatureAccess,
  'features a customer has',
);

const unitPrice = 'unitPrice { amount currency scale }';
const period = 'period { start end }';
const counted = `${period} unitsUsed includedUnits remainingUnits unlimited overage { enabled units ${unitPrice} }`;
const base = 'baseAccess { includedUnits unlimited }';
const ends = 'object livemode';
const named = 'code name unitName allowed type';

restView(
  'FeatureAccess',
  'FeatureAccess',
  `... on BooleanFeatureAccess { ${named} enabled baseAccess { enabled } ${ends} }
  ... on UsageFeatureAccess { ${named} consumption {
    ... on MeteredConsumption { model ${counted} }
    ... on CreditsConsumption { model ${period} unitsUsed creditsPerUnit creditsConsumed availableUnits }
    ... on BalanceConsumption { model ${period} unitsUsed spent { amount currency } availableUnits ${unitPrice} }
  } ${base} ${ends} }
  ... on SeatsFeatureAccess { ${named} usage { ${counted} } ${base} ${ends} }
  ... on QuotaFeatureAccess { ${named} usage { ${counted} billedUnits } ${base} ${ends} }`,
  {
    absentWhenNull: [
      'baseAccess',
      'consumption.remainingUnits',
      'consumption.overage.unitPrice',
      'consumption.availableUnits',
      'consumption.unitPrice',
      'usage.remainingUnits',
      'usage.overage.unitPrice',
    ],
  },
);
