import { exponentOf } from '../../../../domain/money/money.ts';
import { endsWithPeriod, isOneTimePurchase } from '../../../../domain/subscription/lifecycle/cancel.ts';
import { statusRejections } from '../../../../domain/subscription/state/transitions.ts';
import {
  accessEndsAt,
  billingColumns,
  currentPeriod,
  nextAutomaticRetryAt,
  nextBillingDate,
} from '../../../../domain/subscription/state/view.ts';
import { nextChargesOf } from '../../../../engine/preview/next-charge.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { pageArgs } from '../../../../graphql/reading/pagination.ts';
import type { Context } from '../../../../request/context.ts';
import { balanceOf, creditsOf, loadPlan } from '../../../subscriptions/subscriptions/load-parts.ts';
import { loadBoundPrice } from '../../../subscriptions/subscriptions/load-terms.ts';
import type { SubscriptionRow } from '../../../subscriptions/subscriptions/store.ts';
import { checkoutUrl } from '../../../subscriptions/subscriptions/store.ts';
import { loadFeatures, SubscriptionFeature } from '../../../subscriptions/subscriptions/types/features.ts';
import {
  ScheduledPlanChange,
  SubscriptionBalance,
  SubscriptionCancellation,
  SubscriptionCredits,
  SubscriptionPeriod,
} from '../../../subscriptions/subscriptions/types/parts.ts';
import { cancellationOf } from '../../../subscriptions/subscriptions/types/subscription.ts';
import { UpcomingCharge } from '../../../subscriptions/subscriptions/types/upcoming-charge.ts';
import { loadLedger } from '../../../usage/consumption/store.ts';
import { loadPools } from '../../../usage/lots/store.ts';
import { UsageGranularity, UsageSpanType } from '../../../usage/usage/types/series.ts';
import { cardAuthenticationOf } from '../../checkout/authenticate-card.ts';
import { checkoutConnection } from '../../checkout/store-method.ts';
import { CardAuthentication } from '../../checkout/types/card-authentication.ts';
import { loadSubscriptionRates } from '../../offered-rates/load.ts';
import { PricingPageRate } from '../../offered-rates/types.ts';
import { loadChangeOptions } from '../change-plan.ts';
import { canPurchase, canTopUp, heldAddons, offeredAddons, offeredPacks } from '../load-extras.ts';
import { loadRetentionOffer } from '../load-retention-offer.ts';
import { loadUsage } from '../load-usage.ts';
import { loadAmountOwed } from '../store.ts';
import { PortalAddon, PortalCreditPack, PortalOfferedAddon } from './extras.ts';
import { PortalLedgerConnection } from './ledger.ts';
import { PortalPaymentMethod } from './payment-method.ts';
import { PortalPlanOption } from './plan-options.ts';
import { PortalPool } from './pools.ts';
import { PortalRetentionOffer } from './retention-offer.ts';

/**
 * True if the portal offers to cancel the subscription. False for a canceled or one-time subscription, or if a cancellation is scheduled
 * (PLT-31).
 */
const canCancel = (
  subscription: Pick<SubscriptionRow, 'status' | 'billingInterval' | 'cancelAtPeriodEnd'>,
): boolean =>
  statusRejections.cancel[subscription.status] === undefined &&
  !isOneTimePurchase(subscription) &&
  !subscription.cancelAtPeriodEnd;

/** True if the portal offers to reactivate the subscription (SUB-33). */
async function canReactivate(
  ctx: Context,
  subscription: Pick<
    SubscriptionRow,
    'status' | 'activatedAt' | 'trialEndsAt' | 'planId' | 'billingInterval'
  >,
): Promise<boolean> {
  const { status, activatedAt, trialEndsAt, planId } = subscription;
  if (
    status !== 'canceled' ||
    (activatedAt === null && trialEndsAt === null) ||
    isOneTimePurchase(subscription)
  )
    return false;
  const { isPublic, deletedAt } = await loadPlan(ctx, { planId });
  return isPublic && deletedAt === null;
}

export const PortalSubscription = builder.prismaObject('Subscription', {
  variant: 'PortalSubscription',
  description: 'Subscription as shown to its customer.',
  fields: (t) => ({
    name: t.computed({
      type: 'String',
      description: 'Name of the subscription. Defaults to the name of the plan.',
      columns: ['name', 'planId'],
      resolve: async (subscription, _args, ctx) =>
        subscription.name ?? (await loadPlan(ctx, subscription)).name,
    }),
    planName: t.fromRow('plan', {
      columns: ['name'],
      type: 'String',
      description: 'Name of the plan.',
      resolve: ({ name }) => name,
    }),
    ...t.columns('status'),
    billingInterval: t.column('billingInterval', {
      description:
        'Billing interval of the price. Subscriptions with the interval `one_time` have no end. `null` if the plan is free.',
    }),
    currency: t.column('currency', { description: 'Currency of all amounts, as a lowercase ISO 4217 code.' }),
    currencyDecimals: t.computed({
      type: 'Int',
      description: 'Number of decimal places in the currency: 0, 2, or 3.',
      columns: ['currency'],
      resolve: ({ currency }) => exponentOf(currency),
    }),
    price: t.field({
      type: 'SafeInt',
      nullable: true,
      amount: 'MINOR',
      description: 'Current price per interval, in the smallest currency unit. `null` if the plan is free.',
      resolve: async (subscription, _args, ctx) =>
        (await loadBoundPrice(ctx, subscription))?.amountMinor ?? null,
    }),
    startDate: t.column('startDate', { description: 'Start date of the subscription.' }),
    endDate: t.column('endDate', {
      description: 'Time at which access ends or ended. `null` if the subscription has no end date.',
    }),
    trialEndsAt: t.column('trialEndsAt', {
      description: 'Time at which the trial ends or ended. `null` if the subscription had no trial.',
    }),
    currentPeriod: t.computed({
      type: SubscriptionPeriod,
      nullable: true,
      description:
        'Current billing period, or the trial period during a trial. `null` if no period has started.',
      columns: ['periodStart', 'periodEnd'],
      resolve: (subscription, _args, ctx) => currentPeriod(subscription, ctx.clock.now()),
    }),
    nextBillingDate: t.computed({
      type: 'DateTime',
      nullable: true,
      description: 'Next charge date. `null` if no charge is scheduled.',
      columns: billingColumns,
      resolve: nextBillingDate,
    }),
    nextCharge: t.field({
      type: UpcomingCharge,
      nullable: true,
      description:
        'Next charge with its line items, based on the current state. `null` if no charge is expected, such as for one-time and free subscriptions, and subscriptions that end without further charges.',
      resolve: async (subscription, _args, ctx) =>
        (await nextChargesOf(ctx, [subscription])).get(subscription.id) ?? null,
    }),
    cancellation: t.computed({
      type: SubscriptionCancellation,
      nullable: true,
      description:
        'Cancellation scheduled for the end of the current period. `null` if no cancellation is scheduled.',
      columns: ['cancellationScheduledAt', 'cancelEffectiveAt', 'cancelReason'],
      resolve: cancellationOf,
    }),
    scheduledPlanChange: t.computed({
      type: ScheduledPlanChange,
      nullable: true,
      description:
        'Plan change scheduled for the end of the current period. `null` if no plan change is scheduled.',
      columns: ['scheduledChange'],
      resolve: ({ scheduledChange }) => scheduledChange,
    }),
    canCancel: t.computed({
      type: 'Boolean',
      description: 'Whether the portal offers `portalSubscriptionCancel`.',
      columns: ['status', 'billingInterval', 'cancelAtPeriodEnd'],
      resolve: canCancel,
    }),
    cancelsImmediately: t.computed({
      type: 'Boolean',
      description: 'Whether a cancellation ends access immediately instead of at the end of the period.',
      columns: ['status', 'billingInterval'],
      resolve: (subscription) => !endsWithPeriod(subscription),
    }),
    retentionOffer: t.computed({
      type: PortalRetentionOffer,
      nullable: true,
      description:
        "Retention offer, accepted with `portalRetentionOfferAccept`. `null` if the organization has no retention offer or canceled the subscription, or if the portal doesn't offer cancellation. Also `null` if the offer can't be applied, doesn't reduce any charges, or was already accepted.",
      columns: ['id', 'customerId', 'cancelAtPeriodEnd', 'cancellationScheduledAt'],
      resolve: (subscription, _args, ctx) => loadRetentionOffer(ctx, subscription),
    }),
    features: t.field({
      type: [SubscriptionFeature],
      description: 'Features of the subscription with their usage, sorted by code.',
      resolve: (subscription, _args, ctx) => loadFeatures(ctx, subscription),
    }),
    rates: t.field({
      type: [PricingPageRate],
      description:
        "Prices of units above the included amounts, in the subscription's currency or in credits, sorted by feature code. Omits features whose price is derived from the cost.",
      resolve: (subscription, _args, ctx) => loadSubscriptionRates(ctx, subscription),
    }),
    usageSeries: t.computed({
      type: [UsageSpanType],
      description:
        'Usage of a feature by interval, for charts. Up to 1,000 intervals. Empty if no feature has the code.',
      columns: ['customerId'],
      args: {
        featureCode: t.arg.string({
          required: true,
          description: 'Code of the feature whose usage is returned.',
        }),
        from: t.arg({ type: 'DateTime', required: true, description: 'Start of the time range, inclusive.' }),
        to: t.arg({ type: 'DateTime', required: true, description: 'End of the time range, exclusive.' }),
        granularity: t.arg({
          type: UsageGranularity,
          required: true,
          description: 'Length of each interval in the series.',
        }),
      },
      resolve: ({ customerId }, args, ctx) => loadUsage(ctx, customerId, args),
    }),
    creditLedger: t.computed({
      type: PortalLedgerConnection,
      description: 'Credit transactions for plan credits and purchased credits, newest first.',
      columns: ['id'],
      args: pageArgs(),
      resolve: ({ id }, args, ctx) => loadLedger(ctx, 'credits', id, args),
    }),
    balanceLedger: t.computed({
      type: PortalLedgerConnection,
      description: 'Balance transactions, newest first.',
      columns: ['id'],
      args: pageArgs(),
      resolve: ({ id }, args, ctx) => loadLedger(ctx, 'balance', id, args),
    }),
    pools: t.field({
      type: [PortalPool],
      description:
        "Credits, custom units, and balance on which the subscription's usage draws. Doesn't contain customer credits, because only invoices draw on them. Empty if the plan has no pool.",
      resolve: (subscription, _args, ctx) => loadPools(ctx, subscription),
    }),
    credits: t.field({
      type: SubscriptionCredits,
      nullable: true,
      description: 'Credits of the subscription. `null` unless the plan uses credits.',
      resolve: (subscription, _args, ctx) => creditsOf(ctx, subscription),
    }),
    balance: t.field({
      type: SubscriptionBalance,
      nullable: true,
      description: 'Balance of the subscription. `null` unless the plan uses a balance.',
      resolve: (subscription, _args, ctx) => balanceOf(ctx, subscription),
    }),
    publishableKey: t.computed({
      type: 'String',
      nullable: true,
      description:
        "Publishable key of the organization's Stripe account that collects a new card. `null` if the platform's payment provider collects the card.",
      columns: ['paymentMethodId', 'customerId', 'selection'],
      resolve: async (subscription, _args, ctx) =>
        (await checkoutConnection(ctx, subscription))?.publishableKey ?? null,
    }),
    paymentMethod: t.row('paymentMethod', {
      type: PortalPaymentMethod,
      description: 'Payment method of the subscription. `null` if no payment method is stored.',
    }),
    authentication: t.computed({
      type: CardAuthentication,
      nullable: true,
      description:
        'Authentication that the customer must complete before a card entered in the portal is charged or stored. `null` if no authentication is pending.',
      columns: ['pendingCheckout', 'currency'],
      resolve: (subscription, _args, ctx) =>
        cardAuthenticationOf(ctx, subscription, { purposes: ['storing', 'paying'] }),
    }),
    checkoutUrl: t.computed({
      type: 'String',
      nullable: true,
      description: 'URL of the checkout. `null` unless the subscription is pending payment.',
      columns: ['id', 'status'],
      resolve: (subscription, _args, ctx) => checkoutUrl(ctx, subscription),
    }),
    outstandingAmount: t.computed({
      type: 'SafeInt',
      nullable: true,
      amount: 'MINOR',
      description:
        "Outstanding amount of a past-due subscription including tax, in the smallest currency unit. Pay the amount with `portalPaymentRetry`. `null` if there's no outstanding amount.",
      columns: ['dunningInvoiceId'],
      resolve: ({ dunningInvoiceId }, _args, ctx) => loadAmountOwed(ctx, dunningInvoiceId),
    }),
    nextRetryAt: t.computed({
      type: 'DateTime',
      nullable: true,
      description:
        "Time of the next automatic retry. A payment attempt by the customer doesn't change this time. `null` unless a payment is past due.",
      columns: ['status', 'dunningStartedAt', 'dunningAttempts', 'retryTerms'],
      resolve: nextAutomaticRetryAt,
    }),
    accessEndsAt: t.computed({
      type: 'DateTime',
      nullable: true,
      description:
        "Time at which the subscription is canceled if the outstanding amount isn't paid. `null` if no payment is past due, or if the subscription isn't canceled after the last retry.",
      columns: ['status', 'billingInterval', 'dunningStartedAt', 'retryTerms'],
      resolve: accessEndsAt,
    }),
    planOptions: t.computed({
      type: [PortalPlanOption],
      description:
        "Plans and billing intervals that the customer can change to, with their current prices. Includes the public plans in the current plan's plan group, and the current plan if the plan is public. Sorted by plan rank. Up to 60. Empty if no change is possible.",
      columns: ['id', 'customerId', 'status', 'planId'],
      resolve: (subscription, _args, ctx) => loadChangeOptions(ctx, subscription),
    }),
    canReactivate: t.computed({
      type: 'Boolean',
      description:
        "Whether the portal offers `portalSubscriptionReactivate`. `true` if the subscription started before it was canceled, isn't a one-time purchase, and has a public plan.",
      columns: ['status', 'activatedAt', 'trialEndsAt', 'planId', 'billingInterval'],
      resolve: (subscription, _args, ctx) => canReactivate(ctx, subscription),
    }),
    canPurchase: t.computed({
      type: 'Boolean',
      description:
        'Whether the customer can purchase add-ons, credits, and top-ups. `true` if the subscription is active or trialing.',
      columns: ['status'],
      resolve: canPurchase,
    }),
    canTopUp: t.computed({
      type: 'Boolean',
      description: 'Whether the portal offers `portalBalanceTopUp`. Only for plans with a balance.',
      columns: ['status', 'planId'],
      resolve: (subscription, _args, ctx) => canTopUp(ctx, subscription),
    }),
    addons: t.computed({
      type: [PortalAddon],
      description: 'Active add-ons of the subscription, oldest first.',
      columns: ['id', 'currency', 'marketId', 'planId', 'termsFrom'],
      resolve: (subscription, _args, ctx) => heldAddons(ctx, subscription),
    }),
    offeredAddons: t.computed({
      type: [PortalOfferedAddon],
      description: 'Add-ons that the customer can add, with their current price. Up to 100.',
      columns: ['id', 'customerId', 'currency', 'marketId', 'status', 'planId', 'termsFrom'],
      resolve: (subscription, _args, ctx) => offeredAddons(ctx, subscription),
    }),
    creditPacks: t.computed({
      type: [PortalCreditPack],
      description:
        'Credit packs that the customer can purchase. Up to 100. Empty unless the plan uses credits.',
      columns: ['id', 'customerId', 'currency', 'status', 'planId'],
      resolve: (subscription, _args, ctx) => offeredPacks(ctx, subscription),
    }),
  }),
});
