import type { UsageCheckResult } from '../../../domain/usage/check.ts';
import { builder } from '../../../graphql/builder.ts';
import { restView } from '../../../graphql/rest.ts';
import { Currency } from '../../currencies/enums.ts';

type Of<M extends UsageCheckResult['consumptionModel']> = Extract<
  UsageCheckResult,
  { readonly consumptionModel: M }
>;

const CheckModel = builder.enumType('UsageCheckModel', {
  description: 'How the plan is paid for; settles which of the types a check is.',
  values: {
    metered: { description: 'Units are counted and billed afterwards.' },
    credits: { description: 'Units take credits.' },
    balance: { description: 'Units take money from a balance.' },
  },
});

const words = {
  allowed: 'Whether an event of this size would be accepted now.',
  subscriptionStatus: 'Status of the subscription.',
  featureCode: 'Code of the feature.',
  quantity: 'Units asked about.',
  reason: 'The code an event would be rejected with; null when it would be accepted.',
  message: 'A sentence about the rejection; null when there is none.',
  model: 'How the plan is paid for.',
  object: 'Always `usage_check`.',
  livemode: 'True for live data.',
} as const;

const MeteredCheck = builder.objectRef<Of<'metered'>>('MeteredUsageCheck').implement({
  description: 'A check on a metered plan.',
  fields: (t) => ({
    allowed: t.exposeBoolean('allowed', { description: words.allowed }),
    subscriptionStatus: t.exposeString('subscriptionStatus', { description: words.subscriptionStatus }),
    featureCode: t.exposeString('featureCode', { description: words.featureCode }),
    quantity: t.expose('quantity', { type: 'SafeInt', description: words.quantity }),
    reason: t.exposeString('reason', { nullable: true, description: words.reason }),
    message: t.exposeString('message', { nullable: true, description: words.message }),
    consumptionModel: t.expose('consumptionModel', { type: CheckModel, description: words.model }),
    current: t.expose('current', { type: 'SafeInt', description: 'Units used in the open window.' }),
    remaining: t.expose('remaining', {
      type: 'SafeInt',
      description: 'Included units left; 0 and more, also when unlimited.',
    }),
    unlimited: t.exposeBoolean('unlimited', { description: 'True without a limit.' }),
    included: t.expose('included', { type: 'SafeInt', description: 'Units included.' }),
    overageEnabled: t.exposeBoolean('overageEnabled', {
      description: 'Whether units beyond the included ones are sold at the moment.',
    }),
    overageUnitPrice: t.expose('overageUnitPrice', {
      type: 'SafeInt',
      nullable: true,
      amount: 'RATE',
      description: 'Price of such a unit, 10000 being 1.00; null when none is set.',
    }),
    object: t.string({ description: words.object, resolve: () => 'usage_check' }),
    livemode: t.boolean({ description: words.livemode, resolve: (_check, _args, ctx) => ctx.livemode }),
  }),
});

const CreditsCheck = builder.objectRef<Of<'credits'>>('CreditsUsageCheck').implement({
  description: 'A check on a credits plan.',
  fields: (t) => ({
    allowed: t.exposeBoolean('allowed', { description: words.allowed }),
    subscriptionStatus: t.exposeString('subscriptionStatus', { description: words.subscriptionStatus }),
    featureCode: t.exposeString('featureCode', { description: words.featureCode }),
    quantity: t.expose('quantity', { type: 'SafeInt', description: words.quantity }),
    reason: t.exposeString('reason', { nullable: true, description: words.reason }),
    message: t.exposeString('message', { nullable: true, description: words.message }),
    consumptionModel: t.expose('consumptionModel', { type: CheckModel, description: words.model }),
    creditsPerUnit: t.expose('creditsPerUnit', { type: 'SafeInt', description: 'Credits one unit takes.' }),
    estimatedCredits: t.expose('estimatedCredits', {
      type: 'SafeInt',
      description: 'Credits the quantity would take.',
    }),
    planCredits: t.expose('planCredits', {
      type: 'SafeInt',
      description: 'Credits of the plan left in the window.',
    }),
    purchasedCredits: t.expose('purchasedCredits', { type: 'SafeInt', description: 'Bought credits left.' }),
    totalCredits: t.expose('totalCredits', { type: 'SafeInt', description: 'Both together.' }),
    object: t.string({ description: words.object, resolve: () => 'usage_check' }),
    livemode: t.boolean({ description: words.livemode, resolve: (_check, _args, ctx) => ctx.livemode }),
  }),
});

const BalanceCheck = builder.objectRef<Of<'balance'>>('BalanceUsageCheck').implement({
  description: 'A check on a balance plan; money with 10000 being 1.00.',
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
      description: 'What one unit takes; 0 where AI models set the price.',
    }),
    estimatedAmount: t.expose('estimatedAmount', {
      type: 'SafeInt',
      amount: 'RATE',
      description: 'What the quantity would take.',
    }),
    currentBalance: t.expose('currentBalance', {
      type: 'SafeInt',
      amount: 'RATE',
      description: 'The balance now; may be negative.',
    }),
    blockOnExhaustion: t.exposeBoolean('blockOnExhaustion', {
      description: 'Whether use stops when the balance is used up.',
    }),
    currency: t.expose('currency', { type: Currency, description: 'Lower-case ISO 4217 code.' }),
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
  description: 'Whether something could be consumed now, and at which cost. Nothing is moved or reserved.',
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
