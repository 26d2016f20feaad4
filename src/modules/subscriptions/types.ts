import type { Context } from '../../context.ts';
import { creditsOf as poolOf } from '../../domain/consumption/pools.ts';
import type { ScheduledChange, StoredSelection } from '../../domain/subscription/rows.ts';
import { billingDayOfMonth, currentPeriod, nextBillingDate } from '../../domain/subscription/view.ts';
import { builder } from '../../graphql/builder.ts';
import { loadExistingRow, loadRowsBy } from '../../graphql/loaders.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import { BillingInterval, ConsumptionModel } from '../plans/words.ts';
import { PaymentProvider } from '../transactions/words.ts';
import { loadAccount } from './consumption.ts';
import { loadFeatures, SubscriptionFeature } from './features.ts';
import type { SubscriptionRow } from './find.ts';
import { OfferApplication } from './offer-applications.ts';
import {
  type BalanceShape,
  type CancellationShape,
  type CreditsShape,
  type GrantShape,
  ScheduledPlanChange,
  SubscriptionBalance,
  SubscriptionCancellation,
  SubscriptionCredits,
  SubscriptionPeriod,
  SubscriptionPlan,
  SubscriptionPlanGrant,
} from './parts.ts';
import { checkoutUrl } from './service.ts';
import { hasAccess, loadBoundPrice, loadIncluded } from './terms.ts';
import { SubscriptionStatus } from './words.ts';

const loadPlan = (context: Context, { planId }: Pick<SubscriptionRow, 'planId'>) => loadExistingRow(context, 'Plan', planId);

/** The cancellation of a subscription that has one scheduled; null otherwise (SUB-23). */
export function cancellationOf(subscription: SubscriptionRow): CancellationShape | null {
  const { cancellationScheduledAt: scheduledAt, cancelEffectiveAt: effectiveAt, cancelReason: reason } = subscription;
  return scheduledAt === null || effectiveAt === null ? null : { scheduledAt, reason, effectiveAt };
}

/** The credits of a subscription to a plan paid for by credits, else null. */
export async function creditsOf(context: Context, subscription: SubscriptionRow): Promise<CreditsShape | null> {
  if ((await loadPlan(context, subscription)).consumptionModel !== 'credits') return null;
  const [account, included] = await Promise.all([loadAccount(context, subscription), loadIncluded(context, subscription)]);
  const remaining = hasAccess(subscription) ? poolOf(account) : 0n;
  return { remaining, included: included.credits, purchased: account.purchasedCredits };
}

/** The balance of a subscription to a plan paid for by balance, else null. */
export async function balanceOf(context: Context, subscription: SubscriptionRow): Promise<BalanceShape | null> {
  if ((await loadPlan(context, subscription)).consumptionModel !== 'balance') return null;
  const [account, included] = await Promise.all([loadAccount(context, subscription), loadIncluded(context, subscription)]);
  const remaining = hasAccess(subscription) ? account.balanceRate : 0n;
  return { remaining, included: included.balanceRate, currency: subscription.currency };
}

/** The plan grant that widens the access of a subscription; null, and no statement, without one (SUB-80). */
async function planGrantOf(
  context: Context,
  { id, grantedPlanId }: Pick<SubscriptionRow, 'id' | 'grantedPlanId'>,
): Promise<GrantShape | null> {
  if (grantedPlanId === null) return null;
  const [[grant], plan] = await Promise.all([
    loadRowsBy(context, 'PlanGrant', 'subscriptionId', id, 'seq', { status: 'active' }),
    loadExistingRow(context, 'Plan', grantedPlanId),
  ]);
  return grant === undefined ? null : { id: grant.id, plan, expiresAt: grant.expiresAt };
}

/** The engine is the only writer of the column and stores exactly this. */
const selectionOf = ({ selection }: Pick<SubscriptionRow, 'selection'>): StoredSelection => selection as unknown as StoredSelection;

export const Subscription = builder.prismaObject('Subscription', {
  description: 'The contract of a customer with a plan.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `sub_…`.' }),
    customerId: t.exposeID('customerId', { description: 'Our id of the customer.' }),
    plan: t.field({
      type: SubscriptionPlan,
      description: 'The plan with what its bound price costs now.',
      resolve: async (subscription, _args, context) => {
        const { id, name } = await loadPlan(context, subscription);
        return { id, name, basePrice: async () => (await loadBoundPrice(context, subscription))?.amountMinor ?? 0n };
      },
    }),
    name: t.string({
      description: 'The name given at creation, else that of the plan.',
      columns: ['name', 'planId'],
      resolve: async (subscription, _args, context) => subscription.name ?? (await loadPlan(context, subscription)).name,
    }),
    description: t.exposeString('description', { nullable: true, description: 'Null when none was given.' }),
    status: t.expose('status', { type: SubscriptionStatus, description: 'Where it stands.' }),
    billingInterval: t.expose('billingInterval', { type: BillingInterval, nullable: true, description: 'Null on free plans.' }),
    currency: t.exposeString('currency', { description: 'Lower-case ISO 4217 code it is charged in; fixed by the first checkout.' }),
    trialEndsAt: t.expose('trialEndsAt', { type: 'DateTime', nullable: true, description: 'End of its trial; null when it had none.' }),
    currentPeriod: t.field({
      type: SubscriptionPeriod,
      nullable: true,
      description: 'The billing period in force, a trial span included; null before the first.',
      columns: ['periodStart', 'periodEnd'],
      resolve: (subscription, _args, context) => currentPeriod(subscription, context.clock.now()),
    }),
    cancellation: t.field({
      type: SubscriptionCancellation,
      nullable: true,
      description: 'A cancellation scheduled for the end of the period; null without one.',
      columns: ['cancellationScheduledAt', 'cancelEffectiveAt', 'cancelReason'],
      resolve: cancellationOf,
    }),
    cancelAtPeriodEnd: t.exposeBoolean('cancelAtPeriodEnd', { description: 'True while a cancellation is scheduled.' }),
    scheduledPlanChange: t.field({
      type: ScheduledPlanChange,
      nullable: true,
      description: 'A change that waits for the end of the period; null without one.',
      columns: ['scheduledChange'],
      resolve: ({ scheduledChange }) => scheduledChange as unknown as ScheduledChange | null,
    }),
    startDate: t.expose('startDate', { type: 'DateTime', description: 'When the contract begins.' }),
    endDate: t.expose('endDate', { type: 'DateTime', nullable: true, description: 'When access ends or ended; null while open-ended.' }),
    billingDayOfMonth: t.field({
      type: 'SafeInt',
      nullable: true,
      description: 'Day the periods are counted from, 1 to 31; null for weekly plans and before the first period.',
      columns: ['billingInterval', 'anchorDate'],
      resolve: billingDayOfMonth,
    }),
    nextBillingDate: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When a charge is due next; null when none is (SUB-63).',
      columns: [
        'status',
        'billingInterval',
        'anchorDate',
        'periodStart',
        'periodEnd',
        'trialEndsAt',
        'cancelAtPeriodEnd',
        'dunningStartedAt',
        'dunningAttempts',
      ],
      resolve: nextBillingDate,
    }),
    checkoutUrl: t.field({
      type: 'String',
      nullable: true,
      description: 'Where the customer pays; null unless a payment is awaited.',
      columns: ['id', 'status'],
      resolve: (subscription, _args, context) => checkoutUrl(context, subscription),
    }),
    checkoutProvider: t.field({
      type: PaymentProvider,
      nullable: true,
      description: 'The connection the checkout goes through; null on free plans.',
      columns: ['provider', 'selection'],
      resolve: (subscription) => subscription.provider ?? selectionOf(subscription).provider,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of creation.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Business time of the last change.' }),
    offerApplications: t.field({
      type: [OfferApplication],
      description: 'All terms quoted or accepted on it, newest first.',
      columns: ['id'],
      resolve: async ({ id }, _args, context) => (await loadRowsBy(context, 'OfferApplication', 'subscriptionId', id, 'seq')).toReversed(),
    }),
    planGrant: t.field({
      type: SubscriptionPlanGrant,
      nullable: true,
      description: 'Temporary access to another plan; null without one.',
      columns: ['id', 'grantedPlanId'],
      resolve: (subscription, _args, context) => planGrantOf(context, subscription),
    }),
    consumptionModel: t.field({
      type: ConsumptionModel,
      nullable: true,
      description: "How the plan's usage is paid for; never null so far.",
      columns: ['planId'],
      resolve: async (subscription, _args, context) => (await loadPlan(context, subscription)).consumptionModel,
    }),
    features: t.field({
      type: [SubscriptionFeature],
      description: 'The features of the plan on the terms held, in order of their codes.',
      resolve: (subscription, _args, context) => loadFeatures(context, subscription),
    }),
    credits: t.field({
      type: SubscriptionCredits,
      nullable: true,
      description: 'Null unless the plan is paid for by credits.',
      resolve: (subscription, _args, context) => creditsOf(context, subscription),
    }),
    balance: t.field({
      type: SubscriptionBalance,
      nullable: true,
      description: 'Null unless the plan is paid for by balance.',
      resolve: (subscription, _args, context) => balanceOf(context, subscription),
    }),
    priceId: t.exposeID('priceId', { nullable: true, description: 'The bound price; null on free plans.' }),
    object: t.string({ description: 'Always `subscription`.', resolve: () => 'subscription' }),
    livemode: t.boolean({ description: 'True for live data.', columns: [], resolve: (_subscription, _args, context) => context.livemode }),
  }),
});

export const SubscriptionConnection = connectionOf('Subscription', Subscription, 'subscriptions');
