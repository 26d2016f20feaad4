import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { BillingInterval } from '../../catalog/plans/enums.ts';
import { Currency } from '../../organization/currencies/enums.ts';
import { ProvidedOfferApplication, providedOfferSelection } from '../offer-applications/types.ts';
import type { ChangeBilling, PlanChangeResult, SeatLimitWarning as Warning } from './change.ts';
import type { PreviewedChange } from './preview.ts';

type Of<T extends PlanChangeResult['outcome']> = Extract<PlanChangeResult, { readonly outcome: T }>;

export const PlanChangeOutcome = builder.enumType('PlanChangeOutcome', {
  description: 'Result of a plan change.',
  values: {
    requires_checkout: { description: 'The change takes effect after the checkout is paid.' },
    scheduled: { description: 'The change takes effect at the end of the current period.' },
    completed: { description: 'The change has taken effect.' },
  } as const,
});

const words = {
  object: 'Always `plan_change`.',
  livemode: '`true` in the live environment, `false` in the sandbox.',
  offer: 'Offer that was applied with the change. `null` if no offer was requested.',
} as const;

const CheckoutChange = builder.objectRef<Of<'requires_checkout'>>('PlanChangeCheckout').implement({
  description: 'Plan change that takes effect after its checkout is paid.',
  fields: (t) => ({
    outcome: t.expose('outcome', { type: PlanChangeOutcome, description: 'Always `requires_checkout`.' }),
    requiresCheckout: t.boolean({ description: 'Always `true`.', resolve: () => true }),
    checkoutUrl: t.exposeString('checkoutUrl', { description: 'URL of the checkout.' }),
    offerApplication: t.expose('offerApplication', {
      type: ProvidedOfferApplication,
      nullable: true,
      description: words.offer,
    }),
    object: t.string({ description: words.object, resolve: () => 'plan_change' }),
    livemode: t.boolean({ description: words.livemode, resolve: (_change, _args, ctx) => ctx.livemode }),
  }),
});

const SeatLimitWarning = builder.objectRef<Warning>('SeatLimitWarning').implement({
  description:
    "Warning that the customer has more seats than the new plan includes. The seats are kept, but the customer can't add more.",
  fields: (t) => ({
    featureCode: t.exposeString('featureCode', { description: 'Code of the seats feature.' }),
    featureName: t.exposeString('featureName', { description: 'Name of the seats feature.' }),
    currentSeats: t.expose('currentSeats', {
      type: 'SafeInt',
      description: 'Number of seats, without pending removals.',
    }),
    included: t.expose('included', {
      type: 'SafeInt',
      description: 'Number of seats that the new plan includes.',
    }),
    newPlanName: t.exposeString('newPlanName', { description: 'Name of the new plan.' }),
    effectiveDate: t.expose('effectiveDate', {
      type: 'DateTime',
      description: 'Time at which the change takes effect.',
    }),
  }),
});

const ScheduledOutcome = builder.objectRef<Of<'scheduled'>>('PlanChangeScheduled').implement({
  description: 'Plan change that takes effect at the end of the current period or trial.',
  fields: (t) => ({
    outcome: t.expose('outcome', { type: PlanChangeOutcome, description: 'Always `scheduled`.' }),
    subscriptionId: t.id({
      description: 'ID of the subscription.',
      resolve: ({ subscription }) => subscription.id,
    }),
    scheduled: t.boolean({ description: 'Always `true`: the change is scheduled.', resolve: () => true }),
    scheduledFor: t.field({
      type: 'DateTime',
      description: 'Time at which the change takes effect.',
      resolve: ({ change }) => new Date(change.scheduledFor),
    }),
    changeType: t.string({
      description:
        'Type of the change: `subscription.plan_downgrade` if the plan changes, otherwise `subscription.interval_change`.',
      resolve: ({ change }) => `subscription.${change.changeType}`,
    }),
    customerId: t.id({
      description: 'ID of the customer.',
      resolve: ({ subscription }) => subscription.customerId,
    }),
    newPlanId: t.id({ description: 'ID of the new plan.', resolve: ({ change }) => change.newPlanId }),
    newPlanName: t.string({
      description: 'Name of the new plan.',
      resolve: ({ change }) => change.newPlanName,
    }),
    newBillingInterval: t.field({
      type: BillingInterval,
      nullable: true,
      description: "New billing interval. `null` if the interval doesn't change, or if the new plan is free.",
      resolve: ({ change }) => change.newBillingInterval,
    }),
    seatLimitWarning: t.expose('seatLimitWarning', {
      type: SeatLimitWarning,
      nullable: true,
      description:
        "Warning about seats that the new plan doesn't include. `null` if the new plan includes all seats.",
    }),
    object: t.string({ description: words.object, resolve: () => 'plan_change' }),
    livemode: t.boolean({ description: words.livemode, resolve: (_change, _args, ctx) => ctx.livemode }),
  }),
});

type Named = { readonly id: string; readonly name: string };

const PreviousPlan = builder.objectRef<Named>('PreviousPlan').implement({
  description: 'Plan before a change.',
  fields: (t) => ({
    planId: t.exposeID('id', { description: 'ID of the plan.' }),
    name: t.exposeString('name', { description: 'Name of the plan.' }),
  }),
});

const CurrentPlan = builder.objectRef<Named & { readonly priceMinor: bigint }>('CurrentPlan').implement({
  description: 'Plan of the subscription after a plan change.',
  fields: (t) => ({
    planId: t.exposeID('id', { description: 'ID of the plan.' }),
    name: t.exposeString('name', { description: 'Name of the plan.' }),
    price: t.expose('priceMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description:
        "List price for the billing interval, in the smallest unit of the subscription's currency. 0 on free plans.",
    }),
  }),
});

const Billing = builder.objectRef<ChangeBilling>('PlanChangeBilling').implement({
  description: "Amounts of a plan change, in the smallest unit of the subscription's currency.",
  fields: (t) => ({
    credit: t.expose('credit', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Unused part of the previous plan amount.',
    }),
    creditsApplied: t.expose('creditsApplied', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Amount taken from customer credits.',
    }),
    charge: t.expose('charge', {
      type: 'SafeInt',
      amount: 'MINOR',
      description:
        'Amount charged for the new plan (after its offer), unbilled overage from the previous period, seats, quota, and add-ons.',
    }),
    taxAmount: t.expose('taxAmount', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Tax on the net amount.',
    }),
    netAmount: t.expose('netAmount', {
      type: 'SafeInt',
      amount: 'MINOR',
      description:
        'Charge minus the unused part of the previous plan amount and customer credits. Never negative.',
    }),
    totalCharged: t.expose('totalCharged', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Total of the invoice: net amount plus tax.',
    }),
    remainingCreditBalance: t.expose('remainingCreditBalance', {
      type: 'SafeInt',
      amount: 'MINOR',
      description:
        "Customer credit in the subscription's currency after the change, including any credit left over from the change.",
    }),
  }),
});

const CompletedChange = builder.objectRef<Of<'completed'>>('PlanChangeCompleted').implement({
  description:
    'Plan change that has taken effect. Also returned if a scheduled change was canceled, with amounts of 0.',
  fields: (t) => ({
    outcome: t.expose('outcome', { type: PlanChangeOutcome, description: 'Always `completed`.' }),
    subscriptionId: t.id({
      description: 'ID of the subscription.',
      resolve: ({ subscription }) => subscription.id,
    }),
    scheduled: t.boolean({
      description: "Always `false`: the change isn't scheduled.",
      resolve: () => false,
    }),
    customerId: t.id({
      description: 'ID of the customer.',
      resolve: ({ subscription }) => subscription.customerId,
    }),
    previousPlan: t.field({
      type: PreviousPlan,
      description: 'Plan before the change.',
      resolve: ({ previousPlan }) => previousPlan,
    }),
    currentPlan: t.field({
      type: CurrentPlan,
      description: 'Plan after the change.',
      resolve: ({ currentPlan: { id, name }, priceMinor }) => ({ id, name, priceMinor }),
    }),
    billingInterval: t.field({
      type: BillingInterval,
      nullable: true,
      description: 'Billing interval after the change. `null` if the plan is free.',
      resolve: ({ subscription }) => subscription.billingInterval,
    }),
    billing: t.field({
      type: Billing,
      description: 'Amounts of the change.',
      resolve: ({ billing }) => billing,
    }),
    invoiceId: t.exposeID('invoiceId', {
      nullable: true,
      description: "ID of the invoice. `null` if the change wasn't invoiced.",
    }),
    offerApplication: t.expose('offerApplication', {
      type: ProvidedOfferApplication,
      nullable: true,
      description: words.offer,
    }),
    object: t.string({ description: words.object, resolve: () => 'plan_change' }),
    livemode: t.boolean({ description: words.livemode, resolve: (_change, _args, ctx) => ctx.livemode }),
  }),
});

const typeNames = {
  requires_checkout: 'PlanChangeCheckout',
  scheduled: 'PlanChangeScheduled',
  completed: 'PlanChangeCompleted',
} as const;

export const PlanChange = builder.unionType('PlanChange', {
  description: 'Result of changing the plan or billing interval.',
  types: [CheckoutChange, ScheduledOutcome, CompletedChange],
  resolveType: ({ outcome }) => typeNames[outcome],
});

restView(
  'PlanChange',
  'PlanChange',
  `... on PlanChangeCheckout { outcome requiresCheckout checkoutUrl ${providedOfferSelection} object livemode }
  ... on PlanChangeScheduled {
    outcome id: subscriptionId scheduled scheduledFor changeType customerId newPlanId newPlanName newBillingInterval
    seatLimitWarning { featureCode featureName currentSeats included newPlanName effectiveDate } object livemode
  }
  ... on PlanChangeCompleted {
    outcome id: subscriptionId scheduled customerId previousPlan { id: planId name } currentPlan { id: planId name price } billingInterval
    billing { credit creditsApplied charge taxAmount netAmount totalCharged remainingCreditBalance }
    invoiceId ${providedOfferSelection} object livemode
  }`,
  { absentWhenNull: ['offerApplication', 'newBillingInterval', 'seatLimitWarning', 'invoiceId'] },
);

export const PlanChangePreview = builder.objectRef<PreviewedChange>('PlanChangePreview').implement({
  description:
    "Preview of the plan amounts of an immediate change, in the smallest currency unit. Doesn't include tax, usage, seats, add-ons, or customer credits.",
  fields: (t) => ({
    currency: t.expose('currency', {
      type: Currency,
      description: 'Currency of the amounts.',
    }),
    currentPlanCredit: t.expose('creditMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Unused part of the current plan amount.',
    }),
    newPlanCharge: t.expose('chargeMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Amount of the new plan after the offer.',
    }),
    estimatedTotal: t.expose('totalMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'New plan amount minus the unused part of the current plan amount. Never negative.',
    }),
    effectiveDate: t.expose('effectiveDate', {
      type: 'DateTime',
      description: 'Time at which the change would take effect. Always the current time.',
    }),
    daysRemaining: t.expose('daysRemaining', {
      type: 'Int',
      description: 'Number of calendar days left in the period, including today.',
    }),
    totalDays: t.expose('totalDays', { type: 'Int', description: 'Number of calendar days in the period.' }),
    isUpgrade: t.exposeBoolean('isUpgrade', {
      description:
        'Whether the change takes effect immediately. Always `true`, because other changes are rejected.',
    }),
    offerApplication: t.expose('offerApplication', {
      type: ProvidedOfferApplication,
      nullable: true,
      description: "Preview of the offer's quote, which isn't stored. `null` if no offer was requested.",
    }),
    object: t.string({ description: 'Always `plan_change_preview`.', resolve: () => 'plan_change_preview' }),
    livemode: t.boolean({ description: words.livemode, resolve: (_preview, _args, ctx) => ctx.livemode }),
  }),
});

restView(
  'PreviewChange',
  'PlanChangePreview',
  `currency currentPlanCredit newPlanCharge estimatedTotal effectiveDate daysRemaining totalDays isUpgrade ${providedOfferSelection} object livemode`,
  { absentWhenNull: ['offerApplication'] },
);
