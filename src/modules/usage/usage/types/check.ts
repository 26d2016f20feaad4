import type { UsageCheckResult } from '../../../../domain/usage/check.ts';
import { restView } from '../../../../graphql/declare/rest.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { Currency } from '../../../organization/currencies/enums.ts';

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
  object: 'Always `usage_check`.',
  livemode: '`true` in the live environment, `false` in the sandbox.',
} as const;

const MeteredCheck = builder.objectRef<Of<'metered'>>('MeteredUsageCheck').implement({
  description: 'Usage check on a plan with the consumption model `metered`.',
  fields: (t) => ({
    allowed: t.exposeBoolean('allowed', { description: words.allowed }),
    subscriptionStatus: t.exposeString('subscriptionStatus', { description: words.subscriptionStatus }),
    featureCode: t.exposeString('featureCode', { description: words.featureCode }),
    quantity: t.expose('quantity', { type: 'SafeInt', description: words.quantity }),
    reason: t.exposeString('reason', { nullable: true, description: words.reason }),
    message: t.exposeString('message', { nullable: true, description: words.message }),
    consumptionModel: t.expose('consumptionModel', { type: CheckModel, description: words.model }),
    current: t.expose('current', { type: 'SafeInt', description: 'Units used in the current window.' }),
    remaining: t.expose('remaining', {
      type: 'SafeInt',
      description: 'Included units left. Never negative, even if usage is unlimited.',
    }),
    unlimited: t.exposeBoolean('unlimited', { description: 'Whether usage is unlimited.' }),
    included: t.expose('included', {
      type: 'SafeInt',
      description: 'Number of included units, before any overage.',
    }),
    overageEnabled: t.exposeBoolean('overageEnabled', {
      description: 'Whether the customer can currently use more than the included amount.',
    }),
    overageUnitPrice: t.expose('overageUnitPrice', {
      type: 'SafeInt',
      nullable: true,
      amount: 'RATE',
      description:
        'Price of one unit of overage, in ten-thousandths of the currency unit (10,000 = 1.00). `null` if no price is set.',
    }),
    object: t.string({ description: words.object, resolve: () => 'usage_check' }),
    livemode: t.boolean({ description: words.livemode, resolve: (_check, _args, ctx) => ctx.livemode }),
  }),
});

const CreditsCheck = builder.objectRef<Of<'credits'>>('CreditsUsageCheck').implement({
  description: 'Usage check on a plan with the consumption model `credits`.',
  fields: (t) => ({
    allowed: t.exposeBoolean('allowed', { description: words.allowed }),
    subscriptionStatus: t.exposeString('subscriptionStatus', { description: words.subscriptionStatus }),
    featureCode: t.exposeString('featureCode', { description: words.featureCode }),
    quantity: t.expose('quantity', { type: 'SafeInt', description: words.quantity }),
    reason: t.exposeString('reason', { nullable: true, description: words.reason }),
    message: t.exposeString('message', { nullable: true, description: words.message }),
    consumptionModel: t.expose('consumptionModel', { type: CheckModel, description: words.model }),
    creditsPerUnit: t.expose('creditsPerUnit', {
      type: 'SafeInt',
      description: 'Credits deducted per unit.',
    }),
    estimatedCredits: t.expose('estimatedCredits', {
      type: 'SafeInt',
      description: 'Credits that the quantity would deduct.',
    }),
    planCredits: t.expose('planCredits', {
      type: 'SafeInt',
      description: 'Remaining plan credits in the current usage window.',
    }),
    purchasedCredits: t.expose('purchasedCredits', {
      type: 'SafeInt',
      description: 'Remaining purchased credits.',
    }),
    totalCredits: t.expose('totalCredits', {
      type: 'SafeInt',
      description: 'Sum of plan credits and purchased credits.',
    }),
    object: t.string({ description: words.object, resolve: () => 'usage_check' }),
    livemode: t.boolean({ description: words.livemode, resolve: (_check, _args, ctx) => ctx.livemode }),
  }),
});

const BalanceCheck = builder.objectRef<Of<'balance'>>('BalanceUsageCheck').implement({
  description:
    'Usage check on a plan with the consumption model `balance`. Amounts are in ten-thousandths of the currency unit (10,000 = 1.00).',
  fields: (t) => ({
    allowed: t.exposeBoolean('allowed', { description: words.allowed }),
    subscriptionStatus: t.exposeString('subscriptionStatus', { description: words.subscriptionStatus }),
    featureCode: t.exposeString('featureCode', { description: words.featureCode }),
    quantity: t.expose('quantity', { type: 'SafeInt', description: words.quantity }),
    reason: t.exposeString('reason', { nullable: true, description: words.reason }),
    message: t.exposeString('message', { nullable: true, description: words.message }),
    consumptionModel: t.expose('consumptionModel', { type: CheckModel, description: words.model }),
    unitPrice: t.expose('unitPrice', {
      type: 'SafeInt',
      amount: 'RATE',
      description:
        'Amount deducted per unit, in ten-thousandths of the currency unit (10,000 = 1.00). 0 if AI models determine the price.',
    }),
    estimatedAmount: t.expose('estimatedAmount', {
      type: 'SafeInt',
      amount: 'RATE',
      description:
        'Amount that the quantity would deduct, in ten-thousandths of the currency unit (10,000 = 1.00).',
    }),
    currentBalance: t.expose('currentBalance', {
      type: 'SafeInt',
      amount: 'RATE',
      description:
        'Current balance, in ten-thousandths of the currency unit (10,000 = 1.00). Can be negative.',
    }),
    blockOnExhaustion: t.exposeBoolean('blockOnExhaustion', {
      description: 'Whether usage is blocked when the balance is used up.',
    }),
    currency: t.expose('currency', { type: Currency, description: 'Currency of the amounts.' }),
    object: t.string({ description: words.object, resolve: () => 'usage_check' }),
    livemode: t.boolean({ description: words.livemode, resolve: (_check, _args, ctx) => ctx.livemode }),
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

const shared = 'allowed subscriptionStatus featureCode quantity reason message consumptionModel';

restView(
  'UsageCheck',
  'UsageCheck',
  `... on MeteredUsageCheck { ${shared} current remaining unlimited included overageEnabled overageUnitPrice object livemode }
  ... on CreditsUsageCheck { ${shared} creditsPerUnit estimatedCredits planCredits purchasedCredits totalCredits object livemode }
  ... on BalanceUsageCheck { ${shared} unitPrice estimatedAmount currentBalance blockOnExhaustion currency object livemode }`,
  { absentWhenNull: ['reason', 'message'] },
);
