import type { BaseAccess } from '../../../../domain/usage/plan-grant-terms.ts';
import { restView } from '../../../../graphql/declare/rest.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { connectionOf } from '../../../../graphql/reading/pagination.ts';
import { FeatureType } from '../../../catalog/features/types.ts';
import { BooleanBaseAccess } from '../../../subscriptions/subscriptions/types/features.ts';
import type { AccessShape } from '../list.ts';
import { FeatureCanUse, FeatureConsumption, QuotaUse, SeatsUse } from './use.ts';

type Of<T extends AccessShape['type']> = Extract<AccessShape, { readonly type: T }>;

const words = {
  code: 'Code of the feature.',
  name: 'Name of the feature.',
  unitName: 'Name of one unit, such as "API call". `null` if the unit has no name.',
  allowed: 'Whether the customer can use the feature now.',
  canUse:
    'Result of checking one more unit: whether the unit can be used now, and whether it would be charged.',
  baseAccess:
    'Access that the customer would have without the active plan grant. `null` if no plan grant is active.',
} as const;

const UnitsBaseAccess = builder.objectRef<BaseAccess>('UnitsBaseAccess').implement({
  description: 'Access to a counted feature that the customer would have without the active plan grant.',
  fields: (t) => ({
    includedUnits: t.member('included', 'SafeInt').describe('Units included in the plan.'),
    unlimited: t.member('unlimited', 'Boolean').describe('`true` if the plan includes unlimited units.'),
  }),
});

const BooleanAccess = builder.objectRef<Of<'boolean'>>('BooleanFeatureAccess').implement({
  description: 'Access to a boolean feature.',
  fields: (t) => ({
    code: t.member('code', 'String').describe(words.code),
    name: t.member('name', 'String').describe(words.name),
    unitName: t.maybe('unitName', 'String').describe(words.unitName),
    allowed: t.member('allowed', 'Boolean').describe(words.allowed),
    type: t.member('type', FeatureType).describe('Always `boolean`.'),
    enabled: t.member('enabled', 'Boolean').describe('Whether the feature is enabled for the subscription.'),
    baseAccess: t.maybe('baseAccess', BooleanBaseAccess).describe(words.baseAccess),
    canUse: t.member('canUse', FeatureCanUse).describe(words.canUse),
    ...t.resource('feature_access'),
  }),
});

const UsageAccess = builder.objectRef<Of<'usage'>>('UsageFeatureAccess').implement({
  description: 'Access to a usage feature. Usage accumulates within a usage window and is then reset.',
  fields: (t) => ({
    code: t.member('code', 'String').describe(words.code),
    name: t.member('name', 'String').describe(words.name),
    unitName: t.maybe('unitName', 'String').describe(words.unitName),
    allowed: t.member('allowed', 'Boolean').describe(words.allowed),
    type: t.member('type', FeatureType).describe('Always `usage`.'),
    consumption: t
      .member('consumption', FeatureConsumption)
      .describe('Consumption in the current usage window.'),
    baseAccess: t.maybe('baseAccess', UnitsBaseAccess).describe(words.baseAccess),
    canUse: t.member('canUse', FeatureCanUse).describe(words.canUse),
    ...t.resource('feature_access'),
  }),
});

const SeatsAccess = builder.objectRef<Of<'seats'>>('SeatsFeatureAccess').implement({
  description: 'Access to a seat feature, which counts seats that are assigned to people.',
  fields: (t) => ({
    code: t.member('code', 'String').describe(words.code),
    name: t.member('name', 'String').describe(words.name),
    unitName: t.maybe('unitName', 'String').describe(words.unitName),
    allowed: t.member('allowed', 'Boolean').describe(words.allowed),
    type: t.member('type', FeatureType).describe('Always `seats`.'),
    usage: t.member('usage', SeatsUse).describe('Current seat usage.'),
    baseAccess: t.maybe('baseAccess', UnitsBaseAccess).describe(words.baseAccess),
    canUse: t.member('canUse', FeatureCanUse).describe(words.canUse),
    ...t.resource('feature_access'),
  }),
});

const QuotaAccess = builder.objectRef<Of<'quota'>>('QuotaFeatureAccess').implement({
  description: "Access to a quota feature. Units count until they're removed.",
  fields: (t) => ({
    code: t.member('code', 'String').describe(words.code),
    name: t.member('name', 'String').describe(words.name),
    unitName: t.maybe('unitName', 'String').describe(words.unitName),
    allowed: t.member('allowed', 'Boolean').describe(words.allowed),
    type: t.member('type', FeatureType).describe('Always `quota`.'),
    usage: t.member('usage', QuotaUse).describe('Current quota usage.'),
    baseAccess: t.maybe('baseAccess', UnitsBaseAccess).describe(words.baseAccess),
    canUse: t.member('canUse', FeatureCanUse).describe(words.canUse),
    ...t.resource('feature_access'),
  }),
});

const typeNames = {
  boolean: 'BooleanFeatureAccess',
  usage: 'UsageFeatureAccess',
  seats: 'SeatsFeatureAccess',
  quota: 'QuotaFeatureAccess',
} as const;

export const FeatureAccess = builder.unionType('FeatureAccess', {
  description: "A customer's current access to one feature, with the current usage.",
  types: [BooleanAccess, UsageAccess, SeatsAccess, QuotaAccess],
  resolveType: ({ type }) => typeNames[type],
});

export const FeatureAccessConnection = connectionOf('FeatureAccess', FeatureAccess, "a customer's features");

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
    absentWhenUnset: [
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
