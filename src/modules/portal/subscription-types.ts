import type { Context } from '../../context.ts';
import { exponentOf } from '../../domain/money.ts';
import { endsWithPeriod, isBoughtOnce } from '../../domain/subscription/cancel.ts';
import type { ScheduledChange } from '../../domain/subscription/rows.ts';
import { statusRefusals } from '../../domain/subscription/state.ts';
import { currentPeriod, nextBillingDate } from '../../domain/subscription/view.ts';
import { builder } from '../../graphql/builder.ts';
import { loadExistingRow, loadRow } from '../../graphql/loaders.ts';
import { checkoutConnection } from '../checkout/method.ts';
import { BillingInterval } from '../plans/words.ts';
import { loadFeatures, SubscriptionFeature } from '../subscriptions/features.ts';
import type { SubscriptionRow } from '../subscriptions/find.ts';
import {
  ScheduledPlanChange,
  SubscriptionBalance,
  SubscriptionCancellation,
  SubscriptionCredits,
  SubscriptionPeriod,
} from '../subscriptions/parts.ts';
import { checkoutUrl } from '../subscriptions/service.ts';
import { loadBoundPrice } from '../subscriptions/terms.ts';
import { balanceOf, cancellationOf, creditsOf } from '../subscriptions/types.ts';
import { SubscriptionStatus } from '../subscriptions/words.ts';
import { loadChangeOptions } from './change.ts';
import { PortalPlanOption } from './change-types.ts';
import { canPurchase, canTopUp, heldAddons, offeredAddons, offeredPacks } from './extras.ts';
import { PortalAddon, PortalCreditPack, PortalOfferedAddon } from './extras-types.ts';

/** Whether the portal offers to cancel: not what has ended, was bought for good, or is about to end already (PLT-31). */
const canCancel = (subscription: SubscriptionRow): boolean =>
  statusRefusals.cancel[subscription.status] === undefined && !isBoughtOnce(subscription) && !subscription.cancelAtPeriodEnd;

/** Whether the portal offers to start a subscription anew (SUB-33). */
async function canReactivate(context: Context, subscription: SubscriptionRow): Promise<boolean> {
  const { status, activatedAt, trialEndsAt, planId } = subscription;
  if (status !== 'canceled' || (activatedAt === null && trialEndsAt === null) || isBoughtOnce(subscription)) return false;
  const { isPublic, deletedAt } = await loadExistingRow(context, 'Plan', planId);
  return isPublic && deletedAt === null;
}

type MethodShape = { readonly brand: string; readonly last4: string; readonly expMonth: number; readonly expYear: number };

const PortalPaymentMethod = builder.objectRef<MethodShape>('PortalPaymentMethod').implement({
  description: 'The card a subscription is charged to.',
  fields: (t) => ({
    brand: t.exposeString('brand', { description: 'Brand of the card, such as `visa`.' }),
    last4: t.exposeString('last4', { description: 'Its last four digits.' }),
    expMonth: t.expose('expMonth', { type: 'SafeInt', description: 'Month of its expiry, 1 to 12.' }),
    expYear: t.expose('expYear', { type: 'SafeInt', description: 'Year of its expiry, four digits.' }),
  }),
});

export const PortalSubscription = builder.objectRef<SubscriptionRow>('PortalSubscription').implement({
  description: 'A subscription as its customer sees it.',
  fields: (t) => ({
    name: t.string({
      description: 'The name given at creation, else that of the plan.',
      resolve: async ({ name, planId }, _args, context) => name ?? (await loadExistingRow(context, 'Plan', planId)).name,
    }),
    planName: t.string({
      description: 'The plan.',
      resolve: async ({ planId }, _args, context) => (await loadExistingRow(context, 'Plan', planId)).name,
    }),
    status: t.expose('status', { type: SubscriptionStatus, description: 'Where it stands.' }),
    billingInterval: t.expose('billingInterval', {
      type: BillingInterval,
      nullable: true,
      description: 'How often the price is charged; `one_time` lasts for good (PLT-32); null on free plans.',
    }),
    currency: t.exposeString('currency', { description: 'Lower-case ISO 4217 code of every amount.' }),
    currencyDecimals: t.field({
      type: 'SafeInt',
      description: 'Decimals of the currency: 0 or 2.',
      resolve: ({ currency }) => exponentOf(currency),
    }),
    price: t.field({
      type: 'SafeInt',
      nullable: true,
      amount: 'MINOR',
      description: 'What an interval costs now, minor units; null on free plans.',
      resolve: async (subscription, _args, context) => (await loadBoundPrice(context, subscription))?.amountMinor ?? null,
    }),
    startDate: t.expose('startDate', { type: 'DateTime', description: 'When the contract begins.' }),
    endDate: t.expose('endDate', { type: 'DateTime', nullable: true, description: 'When access ends or ended; null while open-ended.' }),
    trialEndsAt: t.expose('trialEndsAt', { type: 'DateTime', nullable: true, description: 'End of its trial; null when it had none.' }),
    currentPeriod: t.field({
      type: SubscriptionPeriod,
      nullable: true,
      description: 'The billing period in force, a trial span included; null before the first.',
      resolve: (subscription, _args, context) => currentPeriod(subscription, context.clock.now()),
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
    scheduledPlanChange: t.field({
      type: ScheduledPlanChange,
      nullable: true,
      description: 'A change that waits for the end of the period; null without one.',
      resolve: ({ scheduledChange }) => scheduledChange as unknown as ScheduledChange | null,
    }),
    canCancel: t.boolean({ description: 'Whether `portalSubscriptionCancel` is offered.', resolve: canCancel }),
    cancelsAtOnce: t.boolean({
      description: 'Whether a cancellation ends access at once instead of with the period.',
      resolve: (subscription) => !endsWithPeriod(subscription),
    }),
    features: t.field({
      type: [SubscriptionFeature],
      description: 'What it gives and how much of it is used, in order of the codes.',
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
    publishableKey: t.string({
      nullable: true,
      description: "Names the seller's account at Stripe, which collects another card; null where the platform's own rail takes it.",
      resolve: async (subscription, _args, context) => (await checkoutConnection(context, subscription))?.publishableKey ?? null,
    }),
    paymentMethod: t.field({
      type: PortalPaymentMethod,
      nullable: true,
      description: 'What it is charged to; null while nothing is stored.',
      resolve: ({ paymentMethodId }, _args, context) =>
        paymentMethodId === null ? null : loadRow(context, 'PaymentMethod', paymentMethodId),
    }),
    checkoutUrl: t.field({
      type: 'String',
      nullable: true,
      description: 'Where it is paid for; null unless a payment is awaited.',
      resolve: (subscription, _args, context) => checkoutUrl(context, subscription),
    }),
    amountOwed: t.field({
      type: 'SafeInt',
      nullable: true,
      amount: 'MINOR',
      description:
        'What a past-due subscription owes, tax included, minor units, to be paid by `portalPaymentRetry`; null when nothing is.',
      resolve: async ({ dunningInvoiceId }, _args, context) =>
        dunningInvoiceId === null ? null : (await loadExistingRow(context, 'Invoice', dunningInvoiceId)).total,
    }),
    planOptions: t.field({
      type: [PortalPlanOption],
      description:
        'Public plans of the group and intervals that can be moved to, lowest rank first, with what each costs now; none while nothing can be changed; 60 at most (PLT-31).',
      resolve: (subscription, _args, context) => loadChangeOptions(context, subscription),
    }),
    canReactivate: t.boolean({
      description: 'Whether `portalSubscriptionReactivate` is offered: it has ended, and its plan is still on sale (PLT-31).',
      resolve: (subscription, _args, context) => canReactivate(context, subscription),
    }),
    canPurchase: t.boolean({
      description: 'Whether add-ons, credits and balance can be bought: not before it is in force, and not while a payment is owed.',
      resolve: canPurchase,
    }),
    canTopUp: t.boolean({
      description: 'Whether `portalBalanceTopUp` is offered: on plans that are paid for by balance.',
      resolve: (subscription, _args, context) => canTopUp(context, subscription),
    }),
    addons: t.field({
      type: [PortalAddon],
      description: 'Add-ons that are switched on, the earliest first.',
      resolve: (subscription, _args, context) => heldAddons(context, subscription),
    }),
    offeredAddons: t.field({
      type: [PortalOfferedAddon],
      description: 'Add-ons that can be switched on, with what they cost now; 100 at most (PLT-32).',
      resolve: (subscription, _args, context) => offeredAddons(context, subscription),
    }),
    creditPacks: t.field({
      type: [PortalCreditPack],
      description: 'Credit packs that can be bought; none unless the plan is paid for by credits; 100 at most.',
      resolve: (subscription, _args, context) => offeredPacks(context, subscription),
    }),
  }),
});
