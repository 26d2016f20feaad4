import type { UsageCheckResult } from '../../../../domain/usage/check.ts';
import { restView } from '../../../../graphql/declare/rest.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import { LimitState } from '../../limits/types/state.ts';
import { UsageThrottle } from './throttle.ts';

type Of<M extends UsageCheckResult['consumptionModel']> = Extract<
  UsageCheckResult,
  { readonly consumptionModel: M }
>;

const CheckModel = builder.enumType('UsageCheckModel', {
  description: 'Consumption model of the plan. Determines the concrete type of the check.',
  values: {
    metered: { description: "Units are billed after they're used." },
    credits: { description: 'Units are deducted from credits.' },
    balance: { description: 'Units are deducted from a prepaid balance.' },
  },
});

const words = {
  allowed: 'Whether an event with this quantity would be accepted now.',
  subscriptionStatus: 'Status of the subscription.',
  featureCode: 'Code of the feature.',
  quantity: 'Number of units to check.',
  reason: 'Error code of the rejection. `null` if the event would be accepted.',
  message: 'Message of the rejection. `null` if the event would be accepted.',
  model: 'Consumption model of the plan.',
  limits:
    'Limits that apply to the usage: limits that reject it first, then by the used share. `null` if no limit applies.',
  maxQuantity:
    'Largest whole quantity that all limits and the plan accept now, also for features that count the usage. `null` if every quantity is accepted, if no limit applies, or for AI models.',
  throttle:
    'Delay that a limit would ask for. `null` if no limit with the action `throttle` counts the usage.',
} as const;

const MeteredCheck = builder.objectRef<Of<'metered'>>('MeteredUsageCheck').implement({
  description: 'Usage check on a plan with the consumption model `metered`.',
  fields: (t) => ({
    allowed: t.member('allowed', 'Boolean').describe(words.allowed),
    subscriptionStatus: t.member('subscriptionStatus', 'String').describe(words.subscriptionStatus),
    featureCode: t.member('featureCode', 'String').describe(words.featureCode),
    quantity: t.member('quantity', 'SafeInt').describe(words.quantity),
    reason: t.maybe('reason', 'String').describe(words.reason),
    message: t.maybe('message', 'String').describe(words.message),
    consumptionModel: t.member('consumptionModel', CheckModel).describe(words.model),
    limits: t.field({
      type: [LimitState],
      nullable: true,
      description: words.limits,
      resolve: ({ limits }) => (limits === undefined ? null : [...limits]),
    }),
    maxQuantity: t.field({
      type: 'SafeInt',
      nullable: true,
      description: words.maxQuantity,
      resolve: ({ maxQuantity }) => maxQuantity ?? null,
    }),
    throttle: t.field({
      type: UsageThrottle,
      nullable: true,
      description: words.throttle,
      resolve: ({ throttle }) => throttle ?? null,
    }),
    current: t.member('current', 'SafeInt').describe('Units used in the current usage window.'),
    remaining: t
      .member('remaining', 'SafeInt')
      .describe('Included units left. Never negative, even if usage is unlimited.'),
    unlimited: t.member('unlimited', 'Boolean').describe('Whether usage is unlimited.'),
    included: t.member('included', 'SafeInt').describe('Number of included units, before any overage.'),
    overageEnabled: t
      .member('overageEnabled', 'Boolean')
      .describe('Whether the customer can currently use more than the included amount.'),
    overageUnitPrice: t
      .maybe('overageUnitPrice', 'RATE')
      .describe(
        'Price of one unit of overage, in ten-thousandths of the currency unit (10,000 = 1.00). `null` if no price is set.',
      ),
    isEstimate: t
      .maybe('isEstimate', 'Boolean')
      .describe(
        "`true` if the meter's total is known only at the end of the usage window. `current` is then the total so far, and an event is never rejected because of a limit. `null` otherwise.",
      ),
    ...t.resource('usage_check'),
  }),
});

const CreditsCheck = builder.objectRef<Of<'credits'>>('CreditsUsageCheck').implement({
  description: 'Usage check on a plan with the consumption model `credits`.',
  fields: (t) => ({
    allowed: t.member('allowed', 'Boolean').describe(words.allowed),
    subscriptionStatus: t.member('subscriptionStatus', 'String').describe(words.subscriptionStatus),
    featureCode: t.member('featureCode', 'String').describe(words.featureCode),
    quantity: t.member('quantity', 'SafeInt').describe(words.quantity),
    reason: t.maybe('reason', 'String').describe(words.reason),
    message: t.maybe('message', 'String').describe(words.message),
    consumptionModel: t.member('consumptionModel', CheckModel).describe(words.model),
    limits: t.field({
      type: [LimitState],
      nullable: true,
      description: words.limits,
      resolve: ({ limits }) => (limits === undefined ? null : [...limits]),
    }),
    maxQuantity: t.field({
      type: 'SafeInt',
      nullable: true,
      description: words.maxQuantity,
      resolve: ({ maxQuantity }) => maxQuantity ?? null,
    }),
    throttle: t.field({
      type: UsageThrottle,
      nullable: true,
      description: words.throttle,
      resolve: ({ throttle }) => throttle ?? null,
    }),
    creditsPerUnit: t.member('creditsPerUnit', 'SafeInt').describe('Credits deducted per unit.'),
    estimatedCredits: t
      .member('estimatedCredits', 'SafeInt')
      .describe('Credits that the quantity would deduct.'),
    planCredits: t
      .member('planCredits', 'SafeInt')
      .describe('Remaining plan credits in the current usage window.'),
    purchasedCredits: t.member('purchasedCredits', 'SafeInt').describe('Remaining purchased credits.'),
    totalCredits: t.member('totalCredits', 'SafeInt').describe('Sum of plan credits and purchased credits.'),
    ...t.resource('usage_check'),
  }),
});

const BalanceCheck = builder.objectRef<Of<'balance'>>('BalanceUsageCheck').implement({
  description:
    'Usage check on a plan with the consumption model `balance`. Amounts are in ten-thousandths of the currency unit (10,000 = 1.00).',
  fields: (t) => ({
    allowed: t.member('allowed', 'Boolean').describe(words.allowed),
    subscriptionStatus: t.member('subscriptionStatus', 'String').describe(words.subscriptionStatus),
    featureCode: t.member('featureCode', 'String').describe(words.featureCode),
    quantity: t.member('quantity', 'SafeInt').describe(words.quantity),
    reason: t.maybe('reason', 'String').describe(words.reason),
    message: t.maybe('message', 'String').describe(words.message),
    consumptionModel: t.member('consumptionModel', CheckModel).describe(words.model),
    limits: t.field({
      type: [LimitState],
      nullable: true,
      description: words.limits,
      resolve: ({ limits }) => (limits === undefined ? null : [...limits]),
    }),
    maxQuantity: t.field({
      type: 'SafeInt',
      nullable: true,
      description: words.maxQuantity,
      resolve: ({ maxQuantity }) => maxQuantity ?? null,
    }),
    throttle: t.field({
      type: UsageThrottle,
      nullable: true,
      description: words.throttle,
      resolve: ({ throttle }) => throttle ?? null,
    }),
    unitPrice: t
      .member('unitPrice', 'RATE')
      .describe(
        'Amount deducted per unit, in ten-thousandths of the currency unit (10,000 = 1.00). 0 if AI models determine the price.',
      ),
    estimatedAmount: t
      .member('estimatedAmount', 'RATE')
      .describe(
        'Amount that the quantity would deduct, in ten-thousandths of the currency unit (10,000 = 1.00).',
      ),
    estimatedPrice: t
      .maybe('estimatedPrice', 'Decimal')
      .describe(
        "Exact price of the tokens, in major units of the currency, such as dollars. Can differ from `estimatedAmount`, which is the increase in the usage window's rounded price. `null` unless `model` is set.",
      ),
    currentBalance: t
      .member('currentBalance', 'RATE')
      .describe('Current balance, in ten-thousandths of the currency unit (10,000 = 1.00). Can be negative.'),
    blockOnExhaustion: t
      .member('blockOnExhaustion', 'Boolean')
      .describe('Whether usage is blocked when the balance is used up.'),
    currency: t.member('currency', Currency).describe('Currency of the amounts.'),
    ...t.resource('usage_check'),
  }),
});

const typeNames = {
  metered: 'MeteredUsageCheck',
  credits: 'CreditsUsageCheck',
  balance: 'BalanceUsageCheck',
} as const;

export const UsageCheck = builder.unionType('UsageCheck', {
  description:
    "Result of a usage check: whether a quantity can be consumed now, and its cost. The check doesn't deduct or reserve anything.",
  types: [MeteredCheck, CreditsCheck, BalanceCheck],
  resolveType: ({ consumptionModel }) => typeNames[consumptionModel],
});

const state =
  'limits { limitId name setBy action node { kind key path } measure window { kind start end } unit amount raise used held asked remaining resetsAt fitsAt } maxQuantity throttle { limitId delayMs }';
const shared = `allowed subscriptionStatus featureCode quantity reason message consumptionModel ${state}`;

restView(
  'UsageCheck',
  'UsageCheck',
  `... on MeteredUsageCheck { ${shared} current remaining unlimited included overageEnabled overageUnitPrice isEstimate object livemode }
  ... on CreditsUsageCheck { ${shared} creditsPerUnit estimatedCredits planCredits purchasedCredits totalCredits object livemode }
  ... on BalanceUsageCheck { ${shared} unitPrice estimatedAmount estimatedPrice currentBalance blockOnExhaustion currency object livemode }`,
  {
    absentWhenUnset: [
      'reason',
      'message',
      'estimatedPrice',
      'isEstimate',
      'limits',
      'limits.held',
      'maxQuantity',
      'throttle',
    ],
  },
);
