import { nextRetryAt, retriesLeft } from '../../../../domain/payments/dunning.ts';
import type { ScheduledChange as StoredChange } from '../../../../domain/rows/rows.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { BillingInterval } from '../../../catalog/plans/enums.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import { LastRetryAction } from '../../../organization/organizations/types/organization.ts';
import { ScheduledChangeType } from '../enums.ts';
import type { SubscriptionRow } from '../store.ts';

export type PlanSummary = {
  readonly id: string;
  readonly name: string;
  readonly basePrice: () => Promise<bigint>;
};

export const SubscriptionPlan = builder.objectRef<PlanSummary>('SubscriptionPlan').implement({
  description: 'Plan of a subscription.',
  fields: (t) => ({
    planId: t.member('id', 'ID').describe('ID of the plan.'),
    name: t.member('name', 'String').describe('Name of the plan.'),
    basePrice: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description:
        "Current catalog amount of the subscription's price, in the smallest unit of the subscription's currency. 0 on free plans.",
      resolve: (plan) => plan.basePrice(),
    }),
  }),
});

export type PeriodShape = { readonly start: Date; readonly end: Date; readonly daysRemaining: number };

export const SubscriptionPeriod = builder.objectRef<PeriodShape>('SubscriptionPeriod').implement({
  description: 'Current billing period of a subscription.',
  fields: (t) => ({
    start: t.member('start', 'DateTime').describe('Start of the period, inclusive.'),
    end: t.member('end', 'DateTime').describe('End of the period, exclusive.'),
    daysRemaining: t
      .member('daysRemaining', 'Int')
      .describe('Number of calendar days left in the period, including today. At least 0.'),
  }),
});

export type CancellationShape = {
  readonly scheduledAt: Date;
  readonly reason: string | null;
  readonly effectiveAt: Date;
};

export const SubscriptionCancellation = builder
  .objectRef<CancellationShape>('SubscriptionCancellation')
  .implement({
    description: 'Scheduled cancellation of a subscription.',
    fields: (t) => ({
      scheduledAt: t
        .member('scheduledAt', 'DateTime')
        .describe('Time at which the cancellation was requested.'),
      reason: t
        .maybe('reason', 'String')
        .describe('Reason for the cancellation. `null` if no reason was given.'),
      effectiveAt: t.member('effectiveAt', 'DateTime').describe('Time at which access ends.'),
    }),
  });

export const ScheduledPlanChange = builder.objectRef<StoredChange>('ScheduledPlanChange').implement({
  description: 'Change of plan or billing interval at the end of the current period.',
  fields: (t) => ({
    changeType: t.member('changeType', ScheduledChangeType).describe('Type of the change.'),
    newPlanId: t.maybe('newPlanId', 'ID').describe("ID of the new plan. `null` if the plan doesn't change."),
    newPlanName: t
      .maybe('newPlanName', 'String')
      .describe("Name of the new plan. `null` if the plan doesn't change."),
    newBillingInterval: t
      .maybe('newBillingInterval', BillingInterval)
      .describe("New billing interval. `null` if the interval doesn't change, or if the new plan is free."),
    scheduledFor: t.field({
      type: 'DateTime',
      description: 'Time at which the change takes effect: the end of the current period.',
      resolve: (change) => new Date(change.scheduledFor),
    }),
  }),
});

export type CreditsShape = {
  readonly remaining: bigint;
  readonly included: bigint;
  readonly purchased: bigint;
};

export const SubscriptionCredits = builder.objectRef<CreditsShape>('SubscriptionCredits').implement({
  description:
    'Credits of a subscription whose plan has the consumption model `credits`. All numbers are whole credits.',
  fields: (t) => ({
    remaining: t
      .member('remaining', 'SafeInt')
      .describe(
        "Credits that can be used now, including purchased credits. 0 if the subscription doesn't give access.",
      ),
    included: t.member('included', 'SafeInt').describe('Credits granted at the start of each usage window.'),
    purchased: t.member('purchased', 'SafeInt').describe('Remaining purchased credits.'),
  }),
});

export type MinimumSpendShape = {
  readonly amount: bigint;
  readonly charged: bigint;
  readonly remaining: bigint;
};

export const SubscriptionMinimumSpend = builder
  .objectRef<MinimumSpendShape>('SubscriptionMinimumSpend')
  .implement({
    description:
      "Minimum spend of a billing period. Amounts are in the smallest unit of the subscription's currency.",
    fields: (t) => ({
      amount: t.member('amount', 'MINOR').describe('Minimum spend of the full period.'),
      charged: t
        .member('charged', 'MINOR')
        .describe(
          'Charges of the period so far, after discounts and before tax and credits: base price, seats, quota, add-ons, and billed overage.',
        ),
      remaining: t
        .member('remaining', 'MINOR')
        .describe(
          'Amount that the invoice at the end of the period adds if there are no further charges. Overage that has not been billed yet lowers it.',
        ),
    }),
  });

export type BalanceShape = {
  readonly remaining: bigint;
  readonly included: bigint;
  readonly currency: string;
};

export const SubscriptionBalance = builder.objectRef<BalanceShape>('SubscriptionBalance').implement({
  description:
    'Prepaid balance of a subscription whose plan has the consumption model `balance`. Amounts are in ten-thousandths of the currency unit (10,000 = 1.00).',
  fields: (t) => ({
    remaining: t
      .member('remaining', 'RATE')
      .describe(
        "Balance that can be used now, in ten-thousandths of the currency unit (10,000 = 1.00). 0 if the subscription doesn't give access.",
      ),
    included: t
      .member('included', 'RATE')
      .describe(
        'Balance granted at the start of each usage window, in ten-thousandths of the currency unit (10,000 = 1.00).',
      ),
    currency: t.member('currency', Currency).describe('Currency of the balance.'),
  }),
});

export type GrantShape = {
  readonly id: string;
  readonly plan: { readonly id: string; readonly name: string };
  readonly expiresAt: Date | null;
};

const GrantedPlan = builder.objectRef<GrantShape['plan']>('GrantedPlan').implement({
  description: 'Plan that a plan grant gives access to.',
  fields: (t) => ({
    planId: t.member('id', 'ID').describe('ID of the plan.'),
    name: t.member('name', 'String').describe('Name of the plan.'),
  }),
});

export const SubscriptionPlanGrant = builder.objectRef<GrantShape>('SubscriptionPlanGrant').implement({
  description: "Temporary access to another plan. Billing doesn't change.",
  fields: (t) => ({
    planGrantId: t.member('id', 'ID').describe('ID of the plan grant. Starts with `pgr_`.'),
    plan: t.member('plan', GrantedPlan).describe('Plan that the grant gives access to.'),
    expiresAt: t
      .maybe('expiresAt', 'DateTime')
      .describe("Time at which the grant ends. `null` if the grant doesn't end automatically."),
  }),
});

type DunningShape = Pick<
  SubscriptionRow,
  'dunningStartedAt' | 'dunningAttempts' | 'dunningInvoiceId' | 'retryTerms'
>;

export const SubscriptionDunning = builder.objectRef<DunningShape>('SubscriptionDunning').implement({
  description: 'Dunning of an unpaid invoice: payment retries on fixed days after the first failed charge.',
  fields: (t) => ({
    startedAt: t
      .maybe('dunningStartedAt', 'DateTime')
      .describe('Time of the first failed charge. `null` after the invoice is paid.'),
    attempts: t.member('dunningAttempts', 'Int').describe('Number of payment retries so far.'),
    attemptsLeft: t.field({
      type: 'Int',
      description: 'Number of payment retries left.',
      resolve: ({ dunningAttempts, retryTerms }) => retriesLeft(dunningAttempts, retryTerms),
    }),
    nextAttemptAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time of the next payment retry. `null` if no retry is left.',
      resolve: ({ dunningStartedAt, dunningAttempts, retryTerms }) =>
        nextRetryAt(dunningStartedAt, dunningAttempts, retryTerms),
    }),
    lastRetryAction: t.field({
      type: LastRetryAction,
      nullable: true,
      description: 'Effect of the last declined payment retry. `null` after the invoice is paid.',
      resolve: ({ retryTerms }) => retryTerms?.lastRetryAction ?? null,
    }),
    invoice: t.rowById('Invoice', {
      id: 'dunningInvoiceId',
      nullable: true,
      description: 'Invoice in dunning. `null` after the invoice is paid.',
    }),
  }),
});
