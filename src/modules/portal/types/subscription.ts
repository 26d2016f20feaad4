import type { Context } from '../../../context.ts';
import { exponentOf } from '../../../domain/money.ts';
import { endsWithPeriod, isBoughtOnce } from '../../../domain/subscription/lifecycle/cancel.ts';
import { statusRejections } from '../../../domain/subscription/state/transitions.ts';
import {
  accessEndsAt,
  billingColumns,
  currentPeriod,
  nextAutomaticRetryAt,
  nextBillingDate,
} from '../../../domain/subscription/state/view.ts';
import { nextChargesOf } from '../../../engine/next-charge.ts';
import { builder } from '../../../graphql/builder.ts';
import { pageArgs } from '../../../graphql/pagination.ts';
import { cardAuthenticationOf } from '../../checkout/authenticate-card.ts';
import { checkoutConnection } from '../../checkout/store-method.ts';
import { CardAuthentication } from '../../checkout/types/card-authentication.ts';
import { loadLedger } from '../../consumption/store.ts';
import { Currency } from '../../currencies/enums.ts';
import { BillingInterval } from '../../plans/enums.ts';
import { SubscriptionStatus } from '../../subscriptions/enums.ts';
import { balanceOf, creditsOf, loadPlan } from '../../subscriptions/load-parts.ts';
import { loadBoundPrice } from '../../subscriptions/load-terms.ts';
import type { SubscriptionRow } from '../../subscriptions/store.ts';
import { checkoutUrl } from '../../subscriptions/store.ts';
import { loadFeatures, SubscriptionFeature } from '../../subscriptions/types/features.ts';
import {
  ScheduledPlanChange,
  SubscriptionBalance,
  SubscriptionCancellation,
  SubscriptionCredits,
  SubscriptionPeriod,
} from '../../subscriptions/types/parts.ts';
import { cancellationOf } from '../../subscriptions/types/subscription.ts';
import { UpcomingCharge } from '../../subscriptions/types/upcoming-charge.ts';
import { UsageGranularity, UsageSpanType } from '../../usage/types/series.ts';
import { loadChangeOptions } from '../change-plan.ts';
import { canPurchase, canTopUp, heldAddons, offeredAddons, offeredPacks } from '../load-extras.ts';
import { loadRetentionOffer } from '../load-retention-offer.ts';
import { loadUsage } from '../load-usage.ts';
import { loadAmountOwed } from '../store.ts';
import { PortalAddon, PortalCreditPack, PortalOfferedAddon } from './extras.ts';
import { PortalLedgerConnection } from './ledger.ts';
import { PortalPaymentMethod } from './payment-method.ts';
import { PortalPlanOption } from './plan-options.ts';
import { PortalRetentionOffer } from './retention-offer.ts';

/** Whether the portal offers to cancel: not what has ended, was bought permanently, or is about to end already (PLT-31). */
const canCancel = (
  subscription: Pick<SubscriptionRow, 'status' | 'billingInterval' | 'cancelAtPeriodEnd'>,
): boolean =>
  statusRejections.cancel[subscription.status] === undefined &&
  !isBoughtOnce(subscription) &&
  !subscription.cancelAtPeriodEnd;

/** Whether the portal offers to start a subscription again (SUB-33). */
async function canReactivate(
  ctx: Context,
  subscription: Pick<
    SubscriptionRow,
    'status' | 'activatedAt' | 'trialEndsAt' | 'planId' | 'billingInterval'
  >,
): Promise<boolean> {
  const { status, activatedAt, trialEndsAt, planId } = subscription;
  if (status !== 'canceled' || (activatedAt === null && trialEndsAt === null) || isBoughtOnce(subscription))
    return false;
  const { isPublic, deletedAt } = await loadPlan(ctx, { planId });
  return isPublic && deletedAt === null;
}

export const PortalSubscription = builder.prismaObject('Subscription', {
  variant: 'PortalSubscription',
  description: 'A subscription as its customer sees it.',
  fields: (t) => ({
    name: t.computed({
      type: 'String',
      description: 'The name given at creation, else that of the plan.',
      columns: ['name', 'planId'],
      resolve: async (subscription, _args, ctx) =>
        subscription.name ?? (await loadPlan(ctx, subscription)).name,
    }),
    planName: t.fromRow('plan', {
      columns: ['name'],
      type: 'String',
      description: 'The plan.',
      resolve: ({ name }) => name,
    }),
    status: t.expose('status', { type: SubscriptionStatus, description: 'Where it stands.' }),
    billingInterval: t.expose('billingInterval', {
      type: BillingInterval,
      nullable: true,
      description: 'How often the price is charged; `one_time` lasts permanently; null on free plans.',
    }),
    currency: t.expose('currency', {
      type: Currency,
      description: 'Lower-case ISO 4217 code of every amount.',
    }),
    currencyDecimals: t.computed({
      type: 'Int',
      description: 'Decimals of the currency: 0 or 2.',
      columns: ['currency'],
      resolve: ({ currency }) => exponentOf(currency),
    }),
    price: t.field({
      type: 'SafeInt',
      nullable: true,
      amount: 'MINOR',
      description: 'What an interval costs now, minor units; null on free plans.',
      resolve: async (subscription, _args, ctx) =>
        (await loadBoundPrice(ctx, subscription))?.amountMinor ?? null,
    }),
    startDate: t.expose('startDate', { type: 'DateTime', description: 'When the contract begins.' }),
    endDate: t.expose('endDate', {
      type: 'DateTime',
      nullable: true,
      description: 'When access ends or ended; null while open-ended.',
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
    nextBillingDate: t.computed({
      type: 'DateTime',
      nullable: true,
      description: 'When a charge is due next; null when none is.',
      columns: billingColumns,
      resolve: nextBillingDate,
    }),
    nextCharge: t.field({
      type: UpcomingCharge,
      nullable: true,
      description:
        'The next charge with its lines, as things stand; null where none is in sight: bought once, free, or ending without anything left to pay.',
      resolve: async (subscription, _args, ctx) =>
        (await nextChargesOf(ctx, [subscription])).get(subscription.id) ?? null,
    }),
    cancellation: t.computed({
      type: SubscriptionCancellation,
      nullable: true,
      description: 'A cancellation scheduled for the end of the period; null without one.',
      columns: ['cancellationScheduledAt', 'cancelEffectiveAt', 'cancelReason'],
      resolve: cancellationOf,
    }),
    scheduledPlanChange: t.computed({
      type: ScheduledPlanChange,
      nullable: true,
      description: 'A change that waits for the end of the period; null without one.',
      columns: ['scheduledChange'],
      resolve: ({ scheduledChange }) => scheduledChange,
    }),
    canCancel: t.computed({
      type: 'Boolean',
      description: 'Whether `portalSubscriptionCancel` is offered.',
      columns: ['status', 'billingInterval', 'cancelAtPeriodEnd'],
      resolve: canCancel,
    }),
    cancelsAtOnce: t.computed({
      type: 'Boolean',
      description: 'Whether a cancellation ends access immediately instead of with the period.',
      columns: ['status', 'billingInterval'],
      resolve: (subscription) => !endsWithPeriod(subscription),
    }),
    retentionOffer: t.computed({
      type: PortalRetentionOffer,
      nullable: true,
      description:
        'What the customer would get by staying, `portalRetentionOfferAccept`. Null where the seller makes no offer, or none that could be applied now and would save something; once it was accepted; after a cancellation by the seller; and where the portal does not offer to cancel.',
      columns: ['id', 'customerId', 'cancelAtPeriodEnd', 'cancellationScheduledAt'],
      resolve: (subscription, _args, ctx) => loadRetentionOffer(ctx, subscription),
    }),
    features: t.field({
      type: [SubscriptionFeature],
      description: 'What it gives and how much of it is used, in order of the codes.',
      resolve: (subscription, _args, ctx) => loadFeatures(ctx, subscription),
    }),
    usageSeries: t.computed({
      type: [UsageSpanType],
      description:
        'What the customer consumed of a feature, span by span, for charts; up to 1 000 spans. Empty for a code that no feature has.',
      columns: ['customerId'],
      args: {
        featureCode: t.arg.string({ required: true, description: 'Code of the feature.' }),
        from: t.arg({ type: 'DateTime', required: true, description: 'Start of the range, inclusive.' }),
        to: t.arg({ type: 'DateTime', required: true, description: 'End of the range, exclusive.' }),
        granularity: t.arg({ type: UsageGranularity, required: true, description: 'Length of a span.' }),
      },
      resolve: ({ customerId }, args, ctx) => loadUsage(ctx, customerId, args),
    }),
    creditLedger: t.computed({
      type: PortalLedgerConnection,
      description: 'What moved its credits, plan and bought ones, the latest first.',
      columns: ['id'],
      args: pageArgs(),
      resolve: ({ id }, args, ctx) => loadLedger(ctx, 'credits', id, args),
    }),
    balanceLedger: t.computed({
      type: PortalLedgerConnection,
      description: 'What moved its balance, the latest first.',
      columns: ['id'],
      args: pageArgs(),
      resolve: ({ id }, args, ctx) => loadLedger(ctx, 'balance', id, args),
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
    publishableKey: t.computed({
      type: 'String',
      nullable: true,
      description:
        "Names the seller's account at Stripe, which collects another card; null where the platform's own processor takes it.",
      columns: ['paymentMethodId', 'customerId', 'selection'],
      resolve: async (subscription, _args, ctx) =>
        (await checkoutConnection(ctx, subscription))?.publishableKey ?? null,
    }),
    paymentMethod: t.row('paymentMethod', {
      type: PortalPaymentMethod,
      description: 'What it is charged to; null while nothing is stored.',
    }),
    authentication: t.computed({
      type: CardAuthentication,
      nullable: true,
      description:
        'What the customer has to confirm with the bank before a card typed in here pays or is stored; null when nothing waits for that.',
      columns: ['pendingCheckout', 'currency'],
      resolve: (subscription, _args, ctx) =>
        cardAuthenticationOf(ctx, subscription, { purposes: ['storing', 'paying'] }),
    }),
    checkoutUrl: t.computed({
      type: 'String',
      nullable: true,
      description: 'Where it is paid for; null unless a payment is awaited.',
      columns: ['id', 'status'],
      resolve: (subscription, _args, ctx) => checkoutUrl(ctx, subscription),
    }),
    amountOwed: t.computed({
      type: 'SafeInt',
      nullable: true,
      amount: 'MINOR',
      description:
        'What a past-due subscription owes, tax included, minor units, to be paid by `portalPaymentRetry`; null when nothing is.',
      columns: ['dunningInvoiceId'],
      resolve: ({ dunningInvoiceId }, _args, ctx) => loadAmountOwed(ctx, dunningInvoiceId),
    }),
    nextRetryAt: t.computed({
      type: 'DateTime',
      nullable: true,
      description:
        'When what is owed is charged again automatically; payments the customer tries do not move it. Null unless a payment is overdue.',
      columns: ['status', 'dunningStartedAt', 'dunningAttempts'],
      resolve: nextAutomaticRetryAt,
    }),
    accessEndsAt: t.computed({
      type: 'DateTime',
      nullable: true,
      description:
        'When the subscription is canceled unless what is owed is paid before. Null unless a payment is overdue.',
      columns: ['status', 'billingInterval', 'dunningStartedAt'],
      resolve: accessEndsAt,
    }),
    planOptions: t.computed({
      type: [PortalPlanOption],
      description:
        'Public plans of the group and intervals that can be moved to, lowest rank first, with what each costs now; none while nothing can be changed; 60 at most.',
      columns: ['id', 'customerId', 'status', 'planId'],
      resolve: (subscription, _args, ctx) => loadChangeOptions(ctx, subscription),
    }),
    canReactivate: t.computed({
      type: 'Boolean',
      description:
        'Whether `portalSubscriptionReactivate` is offered: it has ended, and its plan is still on sale.',
      columns: ['status', 'activatedAt', 'trialEndsAt', 'planId', 'billingInterval'],
      resolve: (subscription, _args, ctx) => canReactivate(ctx, subscription),
    }),
    canPurchase: t.computed({
      type: 'Boolean',
      description:
        'Whether add-ons, credits and balance can be bought: not before it is in force, and not while a payment is owed.',
      columns: ['status'],
      resolve: canPurchase,
    }),
    canTopUp: t.computed({
      type: 'Boolean',
      description: 'Whether `portalBalanceTopUp` is offered: on plans that are paid for by balance.',
      columns: ['status', 'planId'],
      resolve: (subscription, _args, ctx) => canTopUp(ctx, subscription),
    }),
    addons: t.computed({
      type: [PortalAddon],
      description: 'Add-ons that are switched on, the earliest first.',
      columns: ['id'],
      resolve: (subscription, _args, ctx) => heldAddons(ctx, subscription),
    }),
    offeredAddons: t.computed({
      type: [PortalOfferedAddon],
      description: 'Add-ons that can be switched on, with what they cost now; 100 at most.',
      columns: ['id', 'customerId', 'currency', 'status'],
      resolve: (subscription, _args, ctx) => offeredAddons(ctx, subscription),
    }),
    creditPacks: t.computed({
      type: [PortalCreditPack],
      description:
        'Credit packs that can be bought; none unless the plan is paid for by credits; 100 at most.',
      columns: ['id', 'customerId', 'currency', 'status', 'planId'],
      resolve: (subscription, _args, ctx) => offeredPacks(ctx, subscription),
    }),
  }),
});
