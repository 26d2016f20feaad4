import { builder } from '../../graphql/builder.ts';
import { restView } from '../../graphql/rest.ts';
import { Currency } from '../currencies/enums.ts';
import { ProvidedOfferApplication, providedOfferSelection } from '../offer-applications/types.ts';
import { BillingInterval } from '../plans/enums.ts';
import type { ChangeBilling, PlanChangeResult, SeatLimitWarning as Warning } from './change.ts';
import type { PreviewedChange } from './preview.ts';

type Of<T extends PlanChangeResult['outcome']> = Extract<PlanChangeResult, { readonly outcome: T }>;

export const PlanChangeOutcome = builder.enumType('PlanChangeOutcome', {
  description: 'The result of a plan change.',
  values: {
    requires_checkout: { description: 'It takes effect once the checkout is paid.' },
    scheduled: { description: 'It waits for the end of the period.' },
    completed: { description: 'It has taken effect.' },
  } as const,
});

const words = {
  object: 'Always `plan_change`.',
  livemode: 'True for live data.',
  offer: 'The offer that was named with the change; null without one.',
} as const;

const CheckoutChange = builder.objectRef<Of<'requires_checkout'>>('PlanChangeCheckout').implement({
  description: 'A change that waits for its checkout to be paid; until then nothing changes.',
  fields: (t) => ({
    outcome: t.expose('outcome', { type: PlanChangeOutcome, description: 'Always `requires_checkout`.' }),
    requiresCheckout: t.boolean({ description: 'Always true.', resolve: () => true }),
    checkoutUrl: t.exposeString('checkoutUrl', { description: 'Where the customer pays.' }),
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
  description: 'Seats that will not fit the plan to come; they stay, and no more can be added.',
  fields: (t) => ({
    featureCode: t.exposeString('featureCode', { description: 'Code of the seats feature.' }),
    featureName: t.exposeString('featureName', { description: 'Its name.' }),
    currentSeats: t.expose('currentSeats', {
      type: 'SafeInt',
      description: 'Seats held, those about to leave not counted.',
    }),
    included: t.expose('included', { type: 'SafeInt', description: 'Seats the plan to come includes.' }),
    newPlanName: t.exposeString('newPlanName', { description: 'The plan to come.' }),
    effectiveDate: t.expose('effectiveDate', { type: 'DateTime', description: 'When it comes.' }),
  }),
});

const ScheduledOutcome = builder.objectRef<Of<'scheduled'>>('PlanChangeScheduled').implement({
  description: 'A change that waits for the end of the period or trial.',
  fields: (t) => ({
    outcome: t.expose('outcome', { type: PlanChangeOutcome, description: 'Always `scheduled`.' }),
    subscriptionId: t.id({
      description: 'The subscription.',
      resolve: ({ subscription }) => subscription.id,
    }),
    scheduled: t.boolean({ description: 'True here: it waits.', resolve: () => true }),
    scheduledFor: t.field({
      type: 'DateTime',
      description: 'When it takes effect.',
      resolve: ({ change }) => new Date(change.scheduledFor),
    }),
    changeType: t.string({
      description:
        '`subscription.plan_downgrade` where the plan changes, else `subscription.interval_change`.',
      resolve: ({ change }) => `subscription.${change.changeType}`,
    }),
    customerId: t.id({
      description: 'Our id of the customer.',
      resolve: ({ subscription }) => subscription.customerId,
    }),
    newPlanId: t.id({ description: 'The plan afterwards.', resolve: ({ change }) => change.newPlanId }),
    newPlanName: t.string({ description: 'Its name.', resolve: ({ change }) => change.newPlanName }),
    newBillingInterval: t.field({
      type: BillingInterval,
      nullable: true,
      description: 'The interval afterwards; null when it stays, and on free plans.',
      resolve: ({ change }) => change.newBillingInterval,
    }),
    seatLimitWarning: t.expose('seatLimitWarning', {
      type: SeatLimitWarning,
      nullable: true,
      description: 'Seats that will not fit; null when all do.',
    }),
    object: t.string({ description: words.object, resolve: () => 'plan_change' }),
    livemode: t.boolean({ description: words.livemode, resolve: (_change, _args, ctx) => ctx.livemode }),
  }),
});

type Named = { readonly id: string; readonly name: string };

const PreviousPlan = builder.objectRef<Named>('PreviousPlan').implement({
  description: 'The plan before a change.',
  fields: (t) => ({
    planId: t.exposeID('id', { description: 'Its id.' }),
    name: t.exposeString('name', { description: 'Its name.' }),
  }),
});

const CurrentPlan = builder.objectRef<Named & { readonly priceMinor: bigint }>('CurrentPlan').implement({
  description: 'The plan after a change.',
  fields: (t) => ({
    planId: t.exposeID('id', { description: 'Its id.' }),
    name: t.exposeString('name', { description: 'Its name.' }),
    price: t.expose('priceMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: "List price of its interval, minor units of the subscription's currency; 0 on free plans.",
    }),
  }),
});

const Billing = builder.objectRef<ChangeBilling>('PlanChangeBilling').implement({
  description: "What a change cost, minor units of the subscription's currency.",
  fields: (t) => ({
    credit: t.expose('credit', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What was left of the base paid before.',
    }),
    creditsApplied: t.expose('creditsApplied', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Taken from customer credits.',
    }),
    charge: t.expose('charge', {
      type: 'SafeInt',
      amount: 'MINOR',
      description:
        'The new base less its offer, what the old period left to be billed, seats, quota and add-ons.',
    }),
    taxAmount: t.expose('taxAmount', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Tax on the net amount.',
    }),
    netAmount: t.expose('netAmount', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Charge less both credits, at least 0.',
    }),
    totalCharged: t.expose('totalCharged', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Net amount and tax: the total of the invoice.',
    }),
    remainingCreditBalance: t.expose('remainingCreditBalance', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Customer credit in the currency afterwards, what this change left over included.',
    }),
  }),
});

const CompletedChange = builder.objectRef<Of<'completed'>>('PlanChangeCompleted').implement({
  description: 'A change that has taken effect; also the withdrawal of one that waited, which costs nothing.',
  fields: (t) => ({
    outcome: t.expose('outcome', { type: PlanChangeOutcome, description: 'Always `completed`.' }),
    subscriptionId: t.id({
      description: 'The subscription.',
      resolve: ({ subscription }) => subscription.id,
    }),
    scheduled: t.boolean({ description: 'False here: nothing waits.', resolve: () => false }),
    customerId: t.id({
      description: 'Our id of the customer.',
      resolve: ({ subscription }) => subscription.customerId,
    }),
    previousPlan: t.field({
      type: PreviousPlan,
      description: 'The plan before.',
      resolve: ({ previousPlan }) => previousPlan,
    }),
    currentPlan: t.field({
      type: CurrentPlan,
      description: 'The plan now.',
      resolve: ({ currentPlan: { id, name }, priceMinor }) => ({ id, name, priceMinor }),
    }),
    billingInterval: t.field({
      type: BillingInterval,
      nullable: true,
      description: 'The interval now; null on free plans.',
      resolve: ({ subscription }) => subscription.billingInterval,
    }),
    billing: t.field({ type: Billing, description: 'What it cost.', resolve: ({ billing }) => billing }),
    invoiceId: t.exposeID('invoiceId', {
      nullable: true,
      description: 'The invoice; null when there was nothing to invoice.',
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
  description: 'The result of a change of plan or interval.',
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
    'What an immediate change would cost for the base alone, minor units; without tax, use, seats, add-ons and customer credit.',
  fields: (t) => ({
    currency: t.expose('currency', {
      type: Currency,
      description: 'Lower-case ISO 4217 code of the amounts.',
    }),
    currentPlanCredit: t.expose('creditMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What is left of the base paid before.',
    }),
    newPlanCharge: t.expose('chargeMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'The new base less the offer.',
    }),
    estimatedTotal: t.expose('totalMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'The difference, at least 0.',
    }),
    effectiveDate: t.expose('effectiveDate', {
      type: 'DateTime',
      description: 'When it would take effect: now.',
    }),
    daysRemaining: t.expose('daysRemaining', {
      type: 'Int',
      description: 'Calendar days left of the period, today included.',
    }),
    totalDays: t.expose('totalDays', { type: 'Int', description: 'Calendar days of the period.' }),
    isUpgrade: t.exposeBoolean('isUpgrade', {
      description: 'Whether it happens immediately; always true, since others are rejected.',
    }),
    offerApplication: t.expose('offerApplication', {
      type: ProvidedOfferApplication,
      nullable: true,
      description: 'The offer as it would be quoted; it is not stored. Null without one.',
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
