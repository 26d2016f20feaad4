import { exponentOf } from '../../../domain/money.ts';
import { currentPeriod, nextBillingDate } from '../../../domain/subscription/state/view.ts';
import { isCountryNeeded } from '../../../domain/tax.ts';
import { loadSeller } from '../../../engine/load-seller.ts';
import { payerSecret } from '../../../engine/settle.ts';
import { builder } from '../../../graphql/builder.ts';
import { Currency } from '../../currencies/enums.ts';
import { loadLines } from '../../invoices/load-parts.ts';
import { PayerInvoiceLine } from '../../invoices/types/payer-line.ts';
import { InvoiceTax, taxOf } from '../../invoices/types/tax.ts';
import { readOrganization } from '../../organizations/store.ts';
import { SellerBranding } from '../../organizations/types.ts';
import { BillingInterval } from '../../plans/enums.ts';
import { SubscriptionStatus } from '../../subscriptions/enums.ts';
import { planOf } from '../../subscriptions/load-parts.ts';
import type { SubscriptionRow } from '../../subscriptions/store.ts';
import { SubscriptionPeriod, SubscriptionPlan } from '../../subscriptions/types/parts.ts';
import { UpcomingCharge } from '../../subscriptions/types/upcoming-charge.ts';
import { authenticationOf } from '../authenticate-card.ts';
import { type CheckoutState, freeDays, isOpen, kindOf, statusOf, stepOf } from '../load.ts';
import { awaitedAtCheckout, type CheckoutResult as Result, shownConnection } from '../pay.ts';
import { findQuote } from '../quote.ts';
import { CardAuthentication } from './card-authentication.ts';

const CheckoutStatus = builder.enumType('CheckoutStatus', {
  description: 'How a checkout stands.',
  values: {
    open: { description: 'It can be completed.' },
    paid: { description: 'It was completed.' },
    canceled: { description: 'It was withdrawn and cannot be completed.' },
  } as const,
});

export const CheckoutKind = builder.enumType('CheckoutKind', {
  description: 'What completing a checkout does.',
  values: {
    payment: { description: 'Charges the amount due and stores the card.' },
    setup: { description: 'Stores the card and charges nothing.' },
  } as const,
});

const CheckoutStep = builder.enumType('CheckoutStep', {
  description: 'What the payer does next.',
  values: {
    pay: { description: 'Enter a card: `checkoutPay`.' },
    authenticate: {
      description:
        'Confirm the payment with the issuer: `checkoutAuthenticate`. A new card may be entered instead.',
    },
    wait: { description: 'Nothing; the payment is under way.' },
    none: { description: 'Nothing; the checkout is over.' },
  } as const,
});

export const Checkout = builder.objectRef<CheckoutState>('Checkout').implement({
  description: 'What the hosted checkout page shows.',
  fields: (t) => ({
    status: t.field({ type: CheckoutStatus, description: 'How it stands.', resolve: statusOf }),
    kind: t.field({
      type: CheckoutKind,
      description: 'Whether money is taken or a card is only stored.',
      resolve: kindOf,
    }),
    nextStep: t.field({ type: CheckoutStep, description: 'What the payer does next.', resolve: stepOf }),
    organizationName: t.string({
      description: 'Who sells.',
      resolve: (_checkout, _args, ctx) => ctx.environment.organizationName,
    }),
    branding: t.field({
      type: SellerBranding,
      description: 'How the pages of the seller look.',
      resolve: (_checkout, _args, ctx) => readOrganization(ctx),
    }),
    customerEmail: t.string({ description: 'Who buys.', resolve: ({ customer }) => customer.email }),
    name: t.string({
      description: 'What is bought.',
      resolve: ({ subscription, plan }) => subscription.name ?? plan.name,
    }),
    planName: t.string({ description: 'The plan.', resolve: ({ plan }) => plan.name }),
    planDescription: t.string({
      nullable: true,
      description: 'Null when the plan has none.',
      resolve: ({ plan }) => plan.description,
    }),
    billingInterval: t.field({
      type: BillingInterval,
      nullable: true,
      description: 'How often the price is charged; null on free plans.',
      resolve: ({ subscription }) => subscription.billingInterval,
    }),
    currency: t.field({
      type: Currency,
      description: 'Lower-case ISO 4217 code of every amount.',
      resolve: ({ subscription }) => subscription.currency,
    }),
    currencyDecimals: t.field({
      type: 'Int',
      description: 'Decimals of the currency: 0 or 2.',
      resolve: ({ subscription }) => exponentOf(subscription.currency),
    }),
    price: t.field({
      type: 'SafeInt',
      nullable: true,
      amount: 'MINOR',
      description: 'List price per interval, minor units; null on free plans.',
      resolve: ({ priceMinor }) => priceMinor,
    }),
    lineItems: t.field({
      type: [PayerInvoiceLine],
      description: 'What is charged now; empty when nothing is.',
      resolve: ({ invoice }, _args, ctx) => (invoice === null ? [] : loadLines(ctx, invoice)),
    }),
    discountAmount: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Taken off now, minor units.',
      resolve: ({ invoice }) => invoice?.discountAmount ?? 0n,
    }),
    taxAmount: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Tax in the amount due, minor units.',
      resolve: ({ invoice }) => invoice?.taxAmount ?? 0n,
    }),
    amountDue: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What is charged now, tax included, minor units.',
      resolve: ({ invoice }) => invoice?.total ?? 0n,
    }),
    offerName: t.string({
      nullable: true,
      description: 'What the offer or trial is called; null without one, and once the checkout is over.',
      resolve: ({ offer }) => offer?.name ?? null,
    }),
    isOfferConditional: t.boolean({
      description:
        'True while the discount shown holds for certain cards only: another card loses it, and the full price must be confirmed.',
      resolve: ({ offer }) => offer?.source === 'card_promotion',
    }),
    trialDays: t.field({
      type: 'Int',
      description: 'Days before the first charge; 0 without a trial.',
      resolve: ({ offer }) => freeDays(offer),
    }),
    trialEndsAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'End of the trial; null without one and until it has begun.',
      resolve: ({ subscription }) => subscription.trialEndsAt,
    }),
    tax: t.field({
      type: InvoiceTax,
      nullable: true,
      description: 'The tax in the amount due; null where nothing is charged now.',
      resolve: ({ invoice }) => (invoice === null ? null : taxOf(invoice)),
    }),
    nextCharge: t.field({
      type: UpcomingCharge,
      nullable: true,
      description:
        'What is charged next once it is completed now, until the subscription is canceled; null where nothing is, while that depends on what the payer has not typed in yet, and once it is over.',
      resolve: async ({ subscription }, _args, ctx) =>
        isOpen(subscription) ? ((await findQuote(ctx, subscription.id))?.next ?? null) : null,
    }),
    requiresBillingCountry: t.boolean({
      description:
        'Whether `checkoutPay` needs a billing address: the seller is registered for tax, and the country of the customer is not known.',
      resolve: async ({ customer: { country } }, _args, ctx) =>
        isCountryNeeded({ country, registrations: (await loadSeller(ctx)).taxRegistrations }),
    }),
    successUrl: t.string({
      nullable: true,
      description: 'Where the page sends the payer once the checkout is completed; null to stay.',
      resolve: ({ subscription }) => subscription.successUrl,
    }),
    publishableKey: t.string({
      nullable: true,
      description:
        "Names the organization's account at Stripe, which collects the card: its page answers the `paymentMethod` of `checkoutPay`. Null where the platform's own processor takes the card. By the country of the billing address. Defaults to the customer's; while the payer has to authenticate, the account that was begun at.",
      args: {
        country: t.arg.string({
          rule: { format: 'country' },
          description: 'Upper-case ISO 3166-1 alpha-2 code typed in at the page.',
        }),
      },
      resolve: async ({ subscription }, { country }, ctx) =>
        (await shownConnection(ctx, subscription, country))?.publishableKey ?? null,
    }),
    clientSecret: t.string({
      nullable: true,
      description:
        'With it the page lets Stripe authenticate the payer; null unless `nextStep` is `authenticate` at an account of the organization.',
      resolve: ({ subscription }, _args, ctx) => {
        const awaited = awaitedAtCheckout(subscription);
        return awaited === null ? null : payerSecret(ctx, awaited.attemptId);
      },
    }),
    authentication: t.field({
      type: CardAuthentication,
      nullable: true,
      description: 'What the payer has to confirm with the bank; null unless `nextStep` is `authenticate`.',
      resolve: ({ subscription }, _args, ctx) => {
        const awaited = awaitedAtCheckout(subscription);
        return awaited === null ? null : authenticationOf(ctx, subscription, awaited);
      },
    }),
    livemode: t.boolean({
      description: 'False in the sandbox, where test cards are taken.',
      resolve: (_checkout, _args, ctx) => ctx.livemode,
    }),
  }),
});

const CheckoutOutcome = builder.enumType('CheckoutOutcome', {
  description: 'What became of a payment at the checkout.',
  values: {
    paid: { description: 'The checkout is completed.' },
    requires_action: { description: 'The issuer wants the payer to authenticate: `checkoutAuthenticate`.' },
  } as const,
});

const CheckoutSubscription = builder.objectRef<SubscriptionRow>('CheckoutSubscription').implement({
  description: 'What a subscription shows to anyone who pays for it at the checkout.',
  fields: (t) => ({
    subscriptionId: t.exposeID('id', { description: 'Our identifier of the subscription, `sub_…`.' }),
    status: t.expose('status', { type: SubscriptionStatus, description: 'Where it stands.' }),
    plan: t.field({
      type: SubscriptionPlan,
      description: 'The plan with what its bound price costs now.',
      resolve: (subscription, _args, ctx) => planOf(ctx, subscription),
    }),
    priceId: t.exposeID('priceId', { nullable: true, description: 'The bound price; null on free plans.' }),
    billingInterval: t.expose('billingInterval', {
      type: BillingInterval,
      nullable: true,
      description: 'Null on free plans.',
    }),
    currency: t.expose('currency', {
      type: Currency,
      description: 'Lower-case ISO 4217 code it is charged in.',
    }),
    trialEndsAt: t.expose('trialEndsAt', {
      type: 'DateTime',
      nullable: true,
      description: 'End of its trial; null when it has none.',
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
    cancelAtPeriodEnd: t.exposeBoolean('cancelAtPeriodEnd', {
      description: 'True while a cancellation is scheduled.',
    }),
    startDate: t.expose('startDate', { type: 'DateTime', description: 'When the contract begins.' }),
    endDate: t.expose('endDate', {
      type: 'DateTime',
      nullable: true,
      description: 'When access ends or ended; null while open-ended.',
    }),
    object: t.string({ description: 'Always `subscription`.', resolve: () => 'subscription' }),
    livemode: t.livemode(),
  }),
});

export const CheckoutResult = builder.objectRef<Result>('CheckoutResult').implement({
  description: 'What became of a payment at the checkout.',
  fields: (t) => ({
    status: t.expose('status', { type: CheckoutOutcome, description: 'Whether it is completed.' }),
    subscription: t.field({
      type: CheckoutSubscription,
      description: 'The subscription as it is now.',
      resolve: ({ subscription }) => subscription,
    }),
  }),
});
