import type { Context } from '../../../context.ts';
import { exponentOf } from '../../../domain/money.ts';
import { endsWithPeriod, isBoughtOnce } from '../../../domain/subscription/lifecycle/cancel.ts';
import { statusRejections } from '../../../domain/subscription/state/transitions.ts';
import {
  accessEndsAt,
  currentPeriod,
  nextAutomaticRetryAt,
  nextBillingDate,
} from '../../../domain/subscription/state/view.ts';
import { builder } from '../../../graphql/builder.ts';
import { cardAuthenticationOf } from '../../checkout/authenticate-card.ts';
import { checkoutConnection } from '../../checkout/store-method.ts';
import { CardAuthentication } from '../../checkout/types/card-authentication.ts';
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
import { loadChangeOptions } from '../change-plan.ts';
import { canPurchase, canTopUp, heldAddons, offeredAddons, offeredPacks } from '../load-extras.ts';
import { loadAmountOwed } from '../store.ts';
import { PortalAddon, PortalCreditPack, PortalOfferedAddon } from './extras.ts';
import { PortalPlanOption } from './plan-options.ts';

/** Whether the portal offers to cancel: not what has ended, was bought permanently, or is about to end already (PLT-31). */
const canCancel = (subscription: SubscriptionRow): boolean =>
  statusRejections.cancel[subscription.status] === undefined &&
  !isBoughtOnce(subscription) &&
  !subscription.cancelAtPeriodEnd;

/** Whether the portal offers to start a subscription again (SUB-33). */
async function canReactivate(ctx: Context, subscription: SubscriptionRow): Promise<boolean> {
  const { status, activatedAt, trialEndsAt, planId } = subscription;
  if (status !== 'canceled' || (activatedAt === null && trialEndsAt === null) || isBoughtOnce(subscription))
    return false;
  const { isPublic, deletedAt } = await loadPlan(ctx, { planId });
  return isPublic && deletedAt === null;
}

const PortalPaymentMethod = builder.prismaObject('PaymentMethod', {
  variant: 'PortalPaymentMethod',
  description: 'The card a subscription is charged to.',
  fields: (t) => ({
    brand: t.exposeString('brand', { description: 'Brand of the card, such as `visa`.' }),
    last4: t.exposeString('last4', { description: 'Its last four digits.' }),
    expMonth: t.expose('expMonth', { type: 'Int', description: 'Month of its expiry, 1 to 12.' }),
    expYear: t.expose('expYear', { type: 'Int', description: 'Year of its expiry, four digits.' }),
  }),
});

export const PortalSubscription = builder.prismaObject('Subscription', {
  variant: 'PortalSubscription',
  description: 'A subscription as its customer sees it.',
  fields: (t) => ({
    name: t.string({
      description: 'The name given at creation, else that of the plan.',
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
    currentPeriod: t.field({
      type: SubscriptionPeriod,
      nullable: true,
      description: 'The billing period in force, a trial span included; null before the first.',
      resolve: (subscription, _args, ctx) => currentPeriod(subscription, ctx.clock.now()),
    }),
    nextBillingDate: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When a charge is due next; null when none is.',
      resolve: nextBillingDate,
    }),
    cancellation: t.field({
      type: SubscriptionCancellation,
      nullable: true,
      description: 'A cancellation scheduled for the end of the period; null without one.',
      resolve: cancellationOf,
    }),
    scheduledPlanChange: t.computed({
      type: ScheduledPlanChange,
      nullable: true,
      description: 'A change that waits for the end of the period; null without one.',
      columns: ['scheduledChange'],
      resolve: ({ scheduledChange }) => scheduledChange,
    }),
    canCancel: t.boolean({
      description: 'Whether `portalSubscriptionCancel` is offered.',
      resolve: canCancel,
    }),
    cancelsAtOnce: t.boolean({
      description: 'Whether a cancellation ends access immediately instead of with the period.',
      resolve: (subscription) => !endsWithPeriod(subscription),
    }),
    features: t.field({
      type: [SubscriptionFeature],
      description: 'What it gives and how much of it is used, in order of the codes.',
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
    publishableKey: t.string({
      nullable: true,
      description:
        "Names the seller's account at Stripe, which collects another card; null where the platform's own processor takes it.",
      resolve: async (subscription, _args, ctx) =>
        (await checkoutConnection(ctx, subscription))?.publishableKey ?? null,
    }),
    paymentMethod: t.row('paymentMethod', {
      type: PortalPaymentMethod,
      description: 'What it is charged to; null while nothing is stored.',
    }),
    authentication: t.field({
      type: CardAuthentication,
      nullable: true,
      description:
        'What the customer has to confirm with the bank before a card typed in here pays or is stored; null when nothing waits for that.',
      resolve: (subscription, _args, ctx) =>
        cardAuthenticationOf(ctx, subscription, { purposes: ['storing', 'paying'] }),
    }),
    checkoutUrl: t.field({
      type: 'String',
      nullable: true,
      description: 'Where it is paid for; null unless a payment is awaited.',
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
    nextRetryAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'When what is owed is charged again automatically; payments the customer tries do not move it. Null unless a payment is overdue.',
      resolve: nextAutomaticRetryAt,
    }),
    accessEndsAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'When the subscription is canceled unless what is owed is paid before. Null unless a payment is overdue.',
      resolve: accessEndsAt,
    }),
    planOptions: t.field({
      type: [PortalPlanOption],
      description:
        'Public plans of the group and intervals that can be moved to, lowest rank first, with what each costs now; none while nothing can be changed; 60 at most.',
      resolve: (subscription, _args, ctx) => loadChangeOptions(ctx, subscription),
    }),
    canReactivate: t.boolean({
      description:
        'Whether `portalSubscriptionReactivate` is offered: it has ended, and its plan is still on sale.',
      resolve: (subscription, _args, ctx) => canReactivate(ctx, subscription),
    }),
    canPurchase: t.boolean({
      description:
        'Whether add-ons, credits and balance can be bought: not before it is in force, and not while a payment is owed.',
      resolve: canPurchase,
    }),
    canTopUp: t.boolean({
      description: 'Whether `portalBalanceTopUp` is offered: on plans that are paid for by balance.',
      resolve: (subscription, _args, ctx) => canTopUp(ctx, subscription),
    }),
    addons: t.field({
      type: [PortalAddon],
      description: 'Add-ons that are switched on, the earliest first.',
      resolve: (subscription, _args, ctx) => heldAddons(ctx, subscription),
    }),
    offeredAddons: t.field({
      type: [PortalOfferedAddon],
      description: 'Add-ons that can be switched on, with what they cost now; 100 at most.',
      resolve: (subscription, _args, ctx) => offeredAddons(ctx, subscription),
    }),
    creditPacks: t.field({
      type: [PortalCreditPack],
      description:
        'Credit packs that can be bought; none unless the plan is paid for by credits; 100 at most.',
      resolve: (subscription, _args, ctx) => offeredPacks(ctx, subscription),
    }),
  }),
});
