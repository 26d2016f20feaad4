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
    requires_checkout: { description: 'The change takes effect after the customer completes the checkout.' },
    scheduled: { description: 'The change takes effect at the end of the current period.' },
    completed: { description: 'The change has taken effect.' },
  } as const,
});

const words = {
  offer: 'Offer that was applied with the change. `null` if no offer was requested.',
} as const;

const CheckoutChange = builder.objectRef<Of<'requires_checkout'>>('PlanChangeCheckout').implement({
  description: 'Plan change that takes effect after the customer completes the checkout.',
  fields: (t) => ({
    outcome: t.member('outcome', PlanChangeOutcome).describe('Always `requires_checkout`.'),
    requiresCheckout: t.boolean({ description: 'Always `true`.', resolve: () => true }),
    checkoutUrl: t.member('checkoutUrl', 'String').describe('URL of the checkout.'),
    offerApplication: t.maybe('offerApplication', ProvidedOfferApplication).describe(words.offer),
    ...t.resource('plan_change'),
  }),
});

const SeatLimitWarning = builder.objectRef<Warning>('SeatLimitWarning').implement({
  description:
    "Warning that the customer has more seats than the new plan includes. The seats are kept, but the customer can't add more.",
  fields: (t) => ({
    featureCode: t.member('featureCode', 'String').describe('Code of the seat feature.'),
    featureName: t.member('featureName', 'String').describe('Name of the seat feature.'),
    currentSeats: t
      .member('currentSeats', 'SafeInt')
      .describe('Number of seats that remain after pending removals.'),
    included: t.member('included', 'SafeInt').describe('Number of seats that the new plan includes.'),
    newPlanName: t.member('newPlanName', 'String').describe('Name of the new plan.'),
    effectiveDate: t.member('effectiveDate', 'DateTime').describe('Time at which the change takes effect.'),
  }),
});

const ScheduledOutcome = builder.objectRef<Of<'scheduled'>>('PlanChangeScheduled').implement({
  description: 'Plan change that takes effect at the end of the current period or trial.',
  fields: (t) => ({
    outcome: t.member('outcome', PlanChangeOutcome).describe('Always `scheduled`.'),
    subscriptionId: t.id({
      description: 'ID of the subscription.',
      resolve: ({ subscription }) => subscription.id,
    }),
    scheduled: t.boolean({
      description: 'Always `true`, because the change is scheduled.',
      resolve: () => true,
    }),
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
    seatLimitWarning: t
      .maybe('seatLimitWarning', SeatLimitWarning)
      .describe(
        "Warning about seats that the new plan doesn't include. `null` if the new plan includes all seats.",
      ),
    ...t.resource('plan_change'),
  }),
});

type Named = { readonly id: string; readonly name: string };

const PreviousPlan = builder.objectRef<Named>('PreviousPlan').implement({
  description: 'Plan that the subscription had before a plan change.',
  fields: (t) => ({
    planId: t.member('id', 'ID').describe('ID of the plan.'),
    name: t.member('name', 'String').describe('Name of the plan.'),
  }),
});

const CurrentPlan = builder.objectRef<Named & { readonly priceMinor: bigint }>('CurrentPlan').implement({
  description: 'Plan that the subscription has after a plan change.',
  fields: (t) => ({
    planId: t.member('id', 'ID').describe('ID of the plan.'),
    name: t.member('name', 'String').describe('Name of the plan.'),
    price: t
      .member('priceMinor', 'MINOR')
      .describe(
        "List price for the billing interval, in the smallest unit of the subscription's currency. 0 on free plans.",
      ),
  }),
});

const Billing = builder.objectRef<ChangeBilling>('PlanChangeBilling').implement({
  description: "Amounts of a plan change, in the smallest unit of the subscription's currency.",
  fields: (t) => ({
    credit: t.member('credit', 'MINOR').describe("Credit for the unused part of the previous plan's amount."),
    creditsApplied: t.member('creditsApplied', 'MINOR').describe('Amount covered by customer credits.'),
    charge: t
      .member('charge', 'MINOR')
      .describe(
        'Amount charged for the new plan (after the requested offer), unbilled overage from the previous period, seats, quota, and add-ons.',
      ),
    taxAmount: t.member('taxAmount', 'MINOR').describe('Tax on the net amount.'),
    netAmount: t
      .member('netAmount', 'MINOR')
      .describe('`charge` minus `credit` and `creditsApplied`. Never negative.'),
    totalCharged: t.member('totalCharged', 'MINOR').describe('Total of the invoice: net amount plus tax.'),
    remainingCreditBalance: t
      .member('remainingCreditBalance', 'MINOR')
      .describe(
        "Customer credit in the subscription's currency after the change, including any credit left over from the change.",
      ),
  }),
});

const CompletedChange = builder.objectRef<Of<'completed'>>('PlanChangeCompleted').implement({
  description:
    'Plan change that has taken effect. Also returned, with all amounts 0, if the request canceled a scheduled change.',
  fields: (t) => ({
    outcome: t.member('outcome', PlanChangeOutcome).describe('Always `completed`.'),
    subscriptionId: t.id({
      description: 'ID of the subscription.',
      resolve: ({ subscription }) => subscription.id,
    }),
    scheduled: t.boolean({
      description: "Always `false`, because the change isn't scheduled.",
      resolve: () => false,
    }),
    customerId: t.id({
      description: 'ID of the customer.',
      resolve: ({ subscription }) => subscription.customerId,
    }),
    previousPlan: t.member('previousPlan', PreviousPlan).describe('Plan before the change.'),
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
    billing: t.member('billing', Billing).describe('Amounts charged and credited for the plan change.'),
    invoiceId: t
      .maybe('invoiceId', 'ID')
      .describe("ID of the invoice. `null` if the change wasn't invoiced."),
    offerApplication: t.maybe('offerApplication', ProvidedOfferApplication).describe(words.offer),
    ...t.resource('plan_change'),
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
  { absentWhenUnset: ['offerApplication', 'newBillingInterval', 'seatLimitWarning', 'invoiceId'] },
);

export const PlanChangePreview = builder.objectRef<PreviewedChange>('PlanChangePreview').implement({
  description:
    "Preview of an immediate plan change. Amounts are in the smallest currency unit and don't include tax, usage, seats, add-ons, or customer credits.",
  fields: (t) => ({
    currency: t.member('currency', Currency).describe('Currency of the amounts.'),
    currentPlanCredit: t
      .member('creditMinor', 'MINOR')
      .describe("Credit for the unused part of the current plan's amount."),
    newPlanCharge: t
      .member('chargeMinor', 'MINOR')
      .describe('Amount of the new plan, reduced by the requested offer.'),
    estimatedTotal: t
      .member('totalMinor', 'MINOR')
      .describe('New plan amount minus the unused part of the current plan amount. Never negative.'),
    effectiveDate: t
      .member('effectiveDate', 'DateTime')
      .describe('Time at which the change would take effect. Always the current time.'),
    daysRemaining: t
      .member('daysRemaining', 'Int')
      .describe('Number of calendar days left in the current billing period, including today.'),
    totalDays: t
      .member('totalDays', 'Int')
      .describe('Number of calendar days in the current billing period.'),
    isUpgrade: t
      .member('isUpgrade', 'Boolean')
      .describe(
        'Whether the change takes effect immediately. Always `true`, because other changes are rejected.',
      ),
    offerApplication: t
      .maybe('offerApplication', ProvidedOfferApplication)
      .describe("Preview of the offer's quote. The quote isn't stored. `null` if no offer was requested."),
    ...t.resource('plan_change_preview'),
  }),
});

restView(
  'PreviewChange',
  'PlanChangePreview',
  `currency currentPlanCredit newPlanCharge estimatedTotal effectiveDate daysRemaining totalDays isUpgrade ${providedOfferSelection} object livemode`,
  { absentWhenUnset: ['offerApplication'] },
);
