import { nextRetryAt, slotCount } from '../../../domain/dunning.ts';
import type { ScheduledChange as StoredChange } from '../../../domain/subscription/state/rows.ts';
import { builder } from '../../../graphql/builder.ts';
import { Currency } from '../../currencies/enums.ts';
import { BillingInterval } from '../../plans/enums.ts';
import { ScheduledChangeType } from '../enums.ts';
import type { SubscriptionRow } from '../store.ts';

// The objects inside a subscription.

export type PlanSummary = {
  readonly id: string;
  readonly name: string;
  readonly basePrice: () => Promise<bigint>;
};

export const SubscriptionPlan = builder.objectRef<PlanSummary>('SubscriptionPlan').implement({
  description: 'The plan a subscription is on.',
  fields: (t) => ({
    planId: t.exposeID('id', { description: 'Its id.' }),
    name: t.exposeString('name', { description: 'Its name.' }),
    basePrice: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description:
        "What the bound price costs in the catalog now, minor units of the subscription's currency; 0 on free plans.",
      resolve: (plan) => plan.basePrice(),
    }),
  }),
});

export type PeriodShape = { readonly start: Date; readonly end: Date; readonly daysRemaining: number };

export const SubscriptionPeriod = builder.objectRef<PeriodShape>('SubscriptionPeriod').implement({
  description: 'The billing period in force.',
  fields: (t) => ({
    start: t.expose('start', { type: 'DateTime', description: 'Inclusive.' }),
    end: t.expose('end', { type: 'DateTime', description: 'Exclusive.' }),
    daysRemaining: t.expose('daysRemaining', {
      type: 'Int',
      description: 'Calendar days left, today included, at least 0.',
    }),
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
    description: 'A cancellation and when it takes effect.',
    fields: (t) => ({
      scheduledAt: t.expose('scheduledAt', { type: 'DateTime', description: 'When it was requested.' }),
      reason: t.exposeString('reason', { nullable: true, description: 'Null when none was given.' }),
      effectiveAt: t.expose('effectiveAt', { type: 'DateTime', description: 'When access ends.' }),
    }),
  });

export const ScheduledPlanChange = builder.objectRef<StoredChange>('ScheduledPlanChange').implement({
  description: 'A change of plan or interval that waits for the end of the period.',
  fields: (t) => ({
    changeType: t.expose('changeType', { type: ScheduledChangeType, description: 'What is switched.' }),
    newPlanId: t.exposeID('newPlanId', {
      nullable: true,
      description: 'The plan afterwards; null when it stays.',
    }),
    newPlanName: t.exposeString('newPlanName', {
      nullable: true,
      description: 'Its name; null when the plan stays.',
    }),
    newBillingInterval: t.expose('newBillingInterval', {
      type: BillingInterval,
      nullable: true,
      description: 'The interval afterwards; null when it stays, and on free plans.',
    }),
    scheduledFor: t.field({
      type: 'DateTime',
      description: 'The end of the period.',
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
  description: 'Credits of a plan that is paid for by credits; whole numbers.',
  fields: (t) => ({
    remaining: t.expose('remaining', {
      type: 'SafeInt',
      description: 'What can be used now, purchased ones included; 0 without access.',
    }),
    included: t.expose('included', { type: 'SafeInt', description: 'What each window begins with.' }),
    purchased: t.expose('purchased', { type: 'SafeInt', description: 'What is left of purchased credits.' }),
  }),
});

export type BalanceShape = {
  readonly remaining: bigint;
  readonly included: bigint;
  readonly currency: string;
};

export const SubscriptionBalance = builder.objectRef<BalanceShape>('SubscriptionBalance').implement({
  description: 'Prepaid money of a plan that is paid for by balance; 10000 is 1.00.',
  fields: (t) => ({
    remaining: t.expose('remaining', {
      type: 'SafeInt',
      amount: 'RATE',
      description: 'What can be used now; 0 without access.',
    }),
    included: t.expose('included', {
      type: 'SafeInt',
      amount: 'RATE',
      description: 'What each window begins with.',
    }),
    currency: t.expose('currency', { type: Currency, description: 'Lower-case ISO 4217 code.' }),
  }),
});

export type GrantShape = {
  readonly id: string;
  readonly plan: { readonly id: string; readonly name: string };
  readonly expiresAt: Date | null;
};

const GrantedPlan = builder.objectRef<GrantShape['plan']>('GrantedPlan').implement({
  description: 'The plan a plan grant gives access to.',
  fields: (t) => ({
    planId: t.exposeID('id', { description: 'Its id.' }),
    name: t.exposeString('name', { description: 'Its name.' }),
  }),
});

export const SubscriptionPlanGrant = builder.objectRef<GrantShape>('SubscriptionPlanGrant').implement({
  description: 'Temporary access to another plan, without effect on billing.',
  fields: (t) => ({
    planGrantId: t.exposeID('id', { description: 'Our identifier of the plan grant, `pgr_…`.' }),
    plan: t.field({
      type: GrantedPlan,
      description: 'What it gives access to.',
      resolve: ({ plan }) => plan,
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ends; null until it is revoked.',
    }),
  }),
});

/** The dunning of a subscription: its own columns. */
type DunningShape = Pick<SubscriptionRow, 'dunningStartedAt' | 'dunningAttempts' | 'dunningInvoiceId'>;

export const SubscriptionDunning = builder.objectRef<DunningShape>('SubscriptionDunning').implement({
  description: 'How an unpaid invoice is being collected: four further attempts on fixed days.',
  fields: (t) => ({
    startedAt: t.expose('dunningStartedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the first charge failed; null once settled.',
    }),
    attempts: t.expose('dunningAttempts', { type: 'Int', description: 'Used attempts of the four.' }),
    attemptsLeft: t.field({
      type: 'Int',
      description: 'Attempts still to come.',
      resolve: ({ dunningAttempts }) => Math.max(0, slotCount - dunningAttempts),
    }),
    nextAttemptAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the next one is due; null when none is.',
      resolve: ({ dunningStartedAt, dunningAttempts }) => nextRetryAt(dunningStartedAt, dunningAttempts),
    }),
    invoice: t.rowById('Invoice', {
      id: 'dunningInvoiceId',
      nullable: true,
      description: 'The invoice being collected; null once settled.',
    }),
  }),
});
