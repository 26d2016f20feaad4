import { maxOf } from '../../../../domain/money/money.ts';
import { shownModel } from '../../../../domain/pricing/pools.ts';
import {
  billingColumns,
  billingDayOfMonth,
  currentPeriod,
  nextBillingDate,
} from '../../../../domain/subscription/state/view.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { node } from '../../../../graphql/reading/node.ts';
import { connectionOf } from '../../../../graphql/reading/pagination.ts';
import { ConsumptionModel } from '../../../catalog/plans/enums.ts';
import { PaymentProvider } from '../../../payments/transactions/enums.ts';
import { balanceOf, creditsOf, loadPlan, planGrantOf, planOf } from '../load-parts.ts';
import type { SubscriptionRow } from '../store.ts';
import { checkoutUrl } from '../store.ts';
import { loadFeatures, SubscriptionFeature } from './features.ts';
import {
  type CancellationShape,
  type MinimumSpendShape,
  ScheduledPlanChange,
  SubscriptionBalance,
  SubscriptionCancellation,
  SubscriptionCredits,
  SubscriptionMinimumSpend,
  SubscriptionPeriod,
  SubscriptionPlan,
  SubscriptionPlanGrant,
} from './parts.ts';

/** Returns the scheduled cancellation of a subscription. `null` if no cancellation is scheduled (SUB-23). */
export function cancellationOf(
  subscription: Pick<SubscriptionRow, 'cancellationScheduledAt' | 'cancelEffectiveAt' | 'cancelReason'>,
): CancellationShape | null {
  const {
    cancellationScheduledAt: scheduledAt,
    cancelEffectiveAt: effectiveAt,
    cancelReason: reason,
  } = subscription;
  return scheduledAt === null || effectiveAt === null ? null : { scheduledAt, reason, effectiveAt };
}

/**
 * Returns the minimum spend of the current period, and the part that its charges haven't reached yet (PRM-33). `null` after a cancellation,
 * because no invoice adds the rest of the minimum.
 */
function minimumOf({
  minimumSpend,
  status,
}: Pick<SubscriptionRow, 'minimumSpend' | 'status'>): MinimumSpendShape | null {
  if (minimumSpend === null || status === 'canceled') return null;
  const [amount, charged] = [BigInt(minimumSpend.amount), BigInt(minimumSpend.charged)];
  return { amount, charged, remaining: maxOf(0n, amount - charged) };
}

export const Subscription = builder.prismaObject('Subscription', {
  ...node({ prefix: 'sub' }),
  description: "A customer's subscription to a plan. Determines the customer's feature access and charges.",
  fields: (t) => ({
    ...t.columns('id', 'customerId'),
    plan: t.field({
      type: SubscriptionPlan,
      description:
        "Plan of the subscription. `basePrice` contains the current catalog amount of the subscription's price.",
      resolve: (subscription, _args, ctx) => planOf(ctx, subscription),
    }),
    name: t.computed({
      type: 'String',
      description: 'Name of the subscription. Defaults to the name of the plan.',
      columns: ['name', 'planId'],
      resolve: async (subscription, _args, ctx) =>
        subscription.name ?? (await loadPlan(ctx, subscription)).name,
    }),
    ...t.columns('description', 'status', 'billingInterval', 'currency', 'mrr', 'trialEndsAt'),
    currentPeriod: t.computed({
      type: SubscriptionPeriod,
      nullable: true,
      description:
        "Current billing period, or the trial period during a trial. `null` if the first period hasn't started.",
      columns: ['periodStart', 'periodEnd'],
      resolve: (subscription, _args, ctx) => currentPeriod(subscription, ctx.clock.now()),
    }),
    cancellation: t.computed({
      type: SubscriptionCancellation,
      nullable: true,
      description: 'Scheduled cancellation. `null` if no cancellation is scheduled.',
      columns: ['cancellationScheduledAt', 'cancelEffectiveAt', 'cancelReason'],
      resolve: cancellationOf,
    }),
    minimumSpend: t.computed({
      type: SubscriptionMinimumSpend,
      nullable: true,
      description:
        'Minimum spend of the current billing period. `null` if the period has no minimum, or if the subscription is canceled.',
      columns: ['minimumSpend', 'status'],
      resolve: minimumOf,
    }),
    ...t.columns('cancelAtPeriodEnd'),
    scheduledPlanChange: t.computed({
      type: ScheduledPlanChange,
      nullable: true,
      description:
        'Plan change that is scheduled for the end of the current period. `null` if no plan change is scheduled.',
      columns: ['scheduledChange'],
      resolve: ({ scheduledChange }) => scheduledChange,
    }),
    ...t.columns('startDate', 'endDate'),
    billingDayOfMonth: t.computed({
      type: 'Int',
      nullable: true,
      description:
        "Day of the month on which billing periods start, from 1 to 31. `null` if the subscription is billed weekly or the first period hasn't started.",
      columns: ['billingInterval', 'anchorDate'],
      resolve: billingDayOfMonth,
    }),
    nextBillingDate: t.computed({
      type: 'DateTime',
      nullable: true,
      description: 'Time of the next charge. `null` if no charge is scheduled.',
      columns: billingColumns,
      resolve: nextBillingDate,
    }),
    checkoutUrl: t.computed({
      type: 'String',
      nullable: true,
      description: 'URL of the checkout. `null` unless the subscription is pending payment.',
      columns: ['id', 'status'],
      resolve: (subscription, _args, ctx) => checkoutUrl(ctx, subscription),
    }),
    checkoutProvider: t.computed({
      type: PaymentProvider,
      nullable: true,
      description: 'Payment provider that processes the checkout. `null` if the plan is free.',
      columns: ['provider', 'selection'],
      resolve: (subscription) => subscription.provider ?? subscription.selection.provider,
    }),
    termsAcceptedAt: t.computed({
      type: 'DateTime',
      nullable: true,
      description:
        'Time at which a payer last accepted the terms of service at checkout. `null` if no payer has accepted the terms.',
      columns: ['selection'],
      resolve: ({ selection: { termsAcceptedAt } }) =>
        termsAcceptedAt === undefined ? null : new Date(termsAcceptedAt),
    }),
    ...t.columns('createdAt', 'updatedAt'),
    offerApplications: t.rows('offerApplications', {
      orderBy: 'seq',
      newestFirst: true,
      description: 'Offers that were quoted for or applied to the subscription, newest first.',
    }),
    planGrant: t.computed({
      type: SubscriptionPlanGrant,
      nullable: true,
      description: 'Plan grant with temporary access to another plan. `null` if no plan grant is active.',
      columns: ['id', 'grantedPlanId'],
      resolve: (subscription, _args, ctx) => planGrantOf(ctx, subscription),
    }),
    consumptionModel: t.fromRow('plan', {
      columns: ['consumptionModel', 'pools'],
      type: ConsumptionModel,
      nullable: true,
      description: 'Consumption model of the plan. Currently never `null`.',
      resolve: (plan) => shownModel(plan),
    }),
    features: t.field({
      type: [SubscriptionFeature],
      description:
        'Features of the subscription and the terms that apply to each feature, sorted by feature code.',
      resolve: (subscription, _args, ctx) => loadFeatures(ctx, subscription),
    }),
    credits: t.field({
      type: SubscriptionCredits,
      nullable: true,
      description:
        'Credits of the subscription. If the plan has no credits, whole units of its first custom unit. `null` unless the plan has a pool of credits or another custom unit.',
      resolve: (subscription, _args, ctx) => creditsOf(ctx, subscription),
    }),
    balance: t.field({
      type: SubscriptionBalance,
      nullable: true,
      description: 'Prepaid balance of the subscription. `null` unless the plan has a pool of money.',
      resolve: (subscription, _args, ctx) => balanceOf(ctx, subscription),
    }),
    ...t.columns('priceId'),
    ...t.resource('subscription'),
  }),
});

export const SubscriptionConnection = connectionOf('Subscription', Subscription, 'subscriptions');
