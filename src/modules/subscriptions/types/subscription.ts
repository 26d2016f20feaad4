import {
  billingColumns,
  billingDayOfMonth,
  currentPeriod,
  nextBillingDate,
} from '../../../domain/subscription/state/view.ts';
import { builder } from '../../../graphql/builder.ts';
import { node } from '../../../graphql/node.ts';
import { connectionOf } from '../../../graphql/pagination.ts';
import { Currency } from '../../currencies/enums.ts';
import { BillingInterval, ConsumptionModel } from '../../plans/enums.ts';
import { PaymentProvider } from '../../transactions/enums.ts';
import { SubscriptionStatus } from '../enums.ts';
import { balanceOf, creditsOf, loadPlan, planGrantOf, planOf } from '../load-parts.ts';
import type { SubscriptionRow } from '../store.ts';
import { checkoutUrl } from '../store.ts';
import { loadFeatures, SubscriptionFeature } from './features.ts';
import {
  type CancellationShape,
  ScheduledPlanChange,
  SubscriptionBalance,
  SubscriptionCancellation,
  SubscriptionCredits,
  SubscriptionPeriod,
  SubscriptionPlan,
  SubscriptionPlanGrant,
} from './parts.ts';

/** The cancellation of a subscription that has one scheduled; null otherwise (SUB-23). */
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

export const Subscription = builder.prismaObject('Subscription', {
  ...node({ prefix: 'sub' }),
  description: 'The contract of a customer with a plan.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `sub_…`.' }),
    customerId: t.exposeID('customerId', { description: 'Our id of the customer.' }),
    plan: t.field({
      type: SubscriptionPlan,
      description: 'The plan with what its bound price costs now.',
      resolve: (subscription, _args, ctx) => planOf(ctx, subscription),
    }),
    name: t.computed({
      type: 'String',
      description: 'The name given at creation, else that of the plan.',
      columns: ['name', 'planId'],
      resolve: async (subscription, _args, ctx) =>
        subscription.name ?? (await loadPlan(ctx, subscription)).name,
    }),
    description: t.exposeString('description', { nullable: true, description: 'Null when none was given.' }),
    status: t.expose('status', { type: SubscriptionStatus, description: 'Where it stands.' }),
    billingInterval: t.expose('billingInterval', {
      type: BillingInterval,
      nullable: true,
      description: 'Null on free plans.',
    }),
    currency: t.expose('currency', {
      type: Currency,
      description: 'Lower-case ISO 4217 code it is charged in; fixed by the first checkout.',
    }),
    trialEndsAt: t.expose('trialEndsAt', {
      type: 'DateTime',
      nullable: true,
      description: 'End of its trial; null when it had none.',
    }),
    currentPeriod: t.computed({
      type: SubscriptionPeriod,
      nullable: true,
      description: 'The billing period in force, a trial span included; null before the first.',
      columns: ['periodStart', 'periodEnd'],
      resolve: (subscription, _args, ctx) => currentPeriod(subscription, ctx.clock.now()),
    }),
    cancellation: t.computed({
      type: SubscriptionCancellation,
      nullable: true,
      description: 'A cancellation scheduled for the end of the period; null without one.',
      columns: ['cancellationScheduledAt', 'cancelEffectiveAt', 'cancelReason'],
      resolve: cancellationOf,
    }),
    cancelAtPeriodEnd: t.exposeBoolean('cancelAtPeriodEnd', {
      description: 'True while a cancellation is scheduled.',
    }),
    scheduledPlanChange: t.computed({
      type: ScheduledPlanChange,
      nullable: true,
      description: 'A change that waits for the end of the period; null without one.',
      columns: ['scheduledChange'],
      resolve: ({ scheduledChange }) => scheduledChange,
    }),
    startDate: t.expose('startDate', { type: 'DateTime', description: 'When the contract begins.' }),
    endDate: t.expose('endDate', {
      type: 'DateTime',
      nullable: true,
      description: 'When access ends or ended; null while open-ended.',
    }),
    billingDayOfMonth: t.computed({
      type: 'Int',
      nullable: true,
      description:
        'Day the periods are counted from, 1 to 31; null for weekly plans and before the first period.',
      columns: ['billingInterval', 'anchorDate'],
      resolve: billingDayOfMonth,
    }),
    nextBillingDate: t.computed({
      type: 'DateTime',
      nullable: true,
      description: 'When a charge is due next; null when none is.',
      columns: billingColumns,
      resolve: nextBillingDate,
    }),
    checkoutUrl: t.computed({
      type: 'String',
      nullable: true,
      description: 'Where the customer pays; null unless a payment is awaited.',
      columns: ['id', 'status'],
      resolve: (subscription, _args, ctx) => checkoutUrl(ctx, subscription),
    }),
    checkoutProvider: t.computed({
      type: PaymentProvider,
      nullable: true,
      description: 'The connection the checkout goes through; null on free plans.',
      columns: ['provider', 'selection'],
      resolve: (subscription) => subscription.provider ?? subscription.selection.provider,
    }),
    termsAcceptedAt: t.computed({
      type: 'DateTime',
      nullable: true,
      description: 'When a payer last accepted the terms at the checkout; null where nobody did.',
      columns: ['selection'],
      resolve: ({ selection: { termsAcceptedAt } }) =>
        termsAcceptedAt === undefined ? null : new Date(termsAcceptedAt),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of creation.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Business time of the last change.' }),
    offerApplications: t.rows('offerApplications', {
      orderBy: 'seq',
      newestFirst: true,
      description: 'All terms quoted or accepted on it, newest first.',
    }),
    planGrant: t.computed({
      type: SubscriptionPlanGrant,
      nullable: true,
      description: 'Temporary access to another plan; null without one.',
      columns: ['id', 'grantedPlanId'],
      resolve: (subscription, _args, ctx) => planGrantOf(ctx, subscription),
    }),
    consumptionModel: t.fromRow('plan', {
      columns: ['consumptionModel'],
      type: ConsumptionModel,
      nullable: true,
      description: "How the plan's usage is paid for; never null to date.",
      resolve: ({ consumptionModel }) => consumptionModel,
    }),
    features: t.field({
      type: [SubscriptionFeature],
      description: 'The features of the plan on the terms held, in order of their codes.',
      resolve: (subscription, _args, ctx) => loadFeatures(ctx, subscription),
    }),
    credits: t.field({
      type: SubscriptionCredits,
      nullable: true,
      description: 'Null unless the plan is paid for by credits.',
      resolve: (subscription, _args, ctx) => creditsOf(ctx, subscription),
    }),
    balance: t.field({
      type: SubscriptionBalance,
      nullable: true,
      description: 'Null unless the plan is paid for by balance.',
      resolve: (subscription, _args, ctx) => balanceOf(ctx, subscription),
    }),
    priceId: t.exposeID('priceId', { nullable: true, description: 'The bound price; null on free plans.' }),
    object: t.string({ description: 'Always `subscription`.', resolve: () => 'subscription' }),
    livemode: t.livemode(),
  }),
});

export const SubscriptionConnection = connectionOf('Subscription', Subscription, 'subscriptions');
