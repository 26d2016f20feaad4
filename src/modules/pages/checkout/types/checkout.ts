import { exponentOf } from '../../../../domain/money/money.ts';
import { checkoutSettingsOf } from '../../../../domain/pages/page-settings.ts';
import { payerSecret } from '../../../../engine/settle.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { loadOfferedFeatures } from '../../../catalog/plan-features/load-offered.ts';
import { OfferedFeature } from '../../../catalog/plan-features/types.ts';
import { BillingInterval } from '../../../catalog/plans/enums.ts';
import { loadLines } from '../../../invoices/invoices/load-parts.ts';
import { PayerInvoiceLine } from '../../../invoices/invoices/types/payer-line.ts';
import { InvoiceTax, taxOf } from '../../../invoices/invoices/types/tax.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import { loadOrganization } from '../../../organization/organizations/store.ts';
import {
  CheckoutFieldMode,
  CheckoutSettingsType,
} from '../../../organization/organizations/types/organization.ts';
import {
  brandingField,
  loadPageLanguage,
  localeArguments,
  localeField,
  localesField,
} from '../../../organization/organizations/types/page.ts';
import { loadSavedCard } from '../../../payments/connections/load-saved-card.ts';
import { loadBoundPrice } from '../../../subscriptions/subscriptions/load-terms.ts';
import { UpcomingCharge } from '../../../subscriptions/subscriptions/types/upcoming-charge.ts';
import { loadSubscriptionRates } from '../../offered-rates/load.ts';
import { PricingPageRate } from '../../offered-rates/types.ts';
import { authenticationOf } from '../authenticate-card.ts';
import { hasAddress, needsCountry } from '../check-order.ts';
import { enabledInstruments, offeredInstruments } from '../derive-instruments.ts';
import { CheckoutKind, CheckoutMandate, CheckoutMethod, CheckoutStatus, CheckoutStep } from '../enums.ts';
import {
  type CheckoutState,
  freeDays,
  isOpen,
  kindOf,
  loadReceiptUrl,
  spokenAt,
  statusOf,
  stepOf,
} from '../load.ts';
import { loadChoices } from '../load-choices.ts';
import { awaitedAtCheckout, shownConnection } from '../pay.ts';
import { findNextCharge } from '../quote.ts';
import { addressModeOf, mandateOf } from '../rules.ts';
import { linkOf } from '../store-method.ts';
import { CardAuthentication } from './card-authentication.ts';
import { CheckoutInterval, CheckoutSeats } from './choices.ts';
import { CheckoutCollection, CheckoutInstrument } from './instrument.ts';
import { savedMethodField } from './saved-method.ts';

export const Checkout = builder.objectRef<CheckoutState>('Checkout').implement({
  description: 'Checkout as shown on its hosted page.',
  fields: (t) => ({
    status: t.field({ type: CheckoutStatus, description: 'Status of the checkout.', resolve: statusOf }),
    kind: t.field({
      type: CheckoutKind,
      description: 'Effect of completing the checkout: charging the card, or only storing the card.',
      resolve: kindOf,
    }),
    nextStep: t.field({ type: CheckoutStep, description: 'Next step for the payer.', resolve: stepOf }),
    organizationName: t.string({
      description: 'Name of the organization.',
      resolve: (_checkout, _args, ctx) => ctx.environment.organizationName,
    }),
    branding: t.field(brandingField),
    locale: t.field(localeField<CheckoutState>(spokenAt)),
    locales: t.field(localesField),
    customerEmail: t.string({
      description: 'Email address of the customer.',
      resolve: ({ customer }) => customer.email,
    }),
    name: t.string({
      description: 'Name of the subscription, or of the plan if the subscription has no name.',
      resolve: ({ subscription, plan }) => subscription.name ?? plan.name,
    }),
    planName: t.string({ description: 'Name of the plan.', resolve: ({ plan }) => plan.name }),
    planDescription: t.string({
      nullable: true,
      description: 'Description of the plan. `null` if not set.',
      resolve: ({ plan }) => plan.description,
    }),
    includedCredits: t.field({
      type: 'SafeInt',
      nullable: true,
      description: 'Credits included per billing interval. `null` if the plan includes no credits.',
      resolve: async ({ subscription }, _args, ctx) =>
        (await loadBoundPrice(ctx, subscription))?.includedCredits ?? null,
    }),
    includedBalance: t.field({
      type: 'SafeInt',
      nullable: true,
      amount: 'RATE',
      description:
        "Prepaid balance included per billing interval, in ten-thousandths of the checkout's currency unit (10,000 = 1.00). `null` if the plan includes no balance.",
      resolve: async ({ subscription }, _args, ctx) =>
        (await loadBoundPrice(ctx, subscription))?.includedBalanceRate ?? null,
    }),
    minimumSpend: t.field({
      type: 'SafeInt',
      nullable: true,
      amount: 'MINOR',
      description:
        "Minimum spend per billing period before tax, in minor units of the checkout's currency. `null` if the price has no minimum.",
      resolve: async ({ subscription }, _args, ctx) =>
        (await loadBoundPrice(ctx, subscription))?.minimumMinor ?? null,
    }),
    billingInterval: t.field({
      type: BillingInterval,
      nullable: true,
      description: 'Billing interval of the price. `null` if the plan is free.',
      resolve: ({ subscription }) => subscription.billingInterval,
    }),
    currency: t.field({
      type: Currency,
      description: 'Currency of all amounts, as a lowercase ISO 4217 code.',
      resolve: ({ subscription }) => subscription.currency,
    }),
    currencyDecimals: t.field({
      type: 'Int',
      description: 'Number of decimal places in the currency: 0, 2, or 3.',
      resolve: ({ subscription }) => exponentOf(subscription.currency),
    }),
    price: t
      .maybe('priceMinor', 'MINOR')
      .describe('List price per interval, in the smallest currency unit. `null` if the plan is free.'),
    lineItems: t.field({
      type: [PayerInvoiceLine],
      description: 'Line items of the immediate charge. Empty if nothing is charged now.',
      args: localeArguments,
      resolve: async (checkout, { link }, ctx) => {
        const { invoice } = checkout;
        if (invoice === null) return [];
        const language = await loadPageLanguage(ctx, { link, ...spokenAt(checkout) });
        return (await loadLines(ctx, invoice)).map((line) => ({ ...line, language }));
      },
    }),
    discountAmount: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Discount on the amount due, in the smallest currency unit.',
      resolve: ({ invoice }) => invoice?.discountAmount ?? 0n,
    }),
    taxAmount: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Tax in the amount due, in the smallest currency unit.',
      resolve: ({ invoice }) => invoice?.taxAmount ?? 0n,
    }),
    amountDue: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Amount due now including tax, in the smallest currency unit.',
      resolve: ({ invoice }) => invoice?.total ?? 0n,
    }),
    offerName: t.string({
      nullable: true,
      description:
        "Name of the offer or trial. `null` if there's no offer or trial, or if the checkout isn't open.",
      resolve: ({ offer }) => offer?.name ?? null,
    }),
    isOfferConditional: t.boolean({
      description:
        "Whether the discount requires a card with a matching promotion. With any other card, the discount doesn't apply, and the payer must confirm the full price.",
      resolve: ({ offer }) => offer?.source === 'card_promotion',
    }),
    trialDays: t.field({
      type: 'Int',
      description: "Number of trial days before the first charge. 0 if there's no trial.",
      resolve: ({ offer }) => freeDays(offer),
    }),
    trialEndsAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        "Time at which the trial ends. `null` if there's no trial, or if the trial hasn't started.",
      resolve: ({ subscription }) => subscription.trialEndsAt,
    }),
    tax: t.field({
      type: InvoiceTax,
      nullable: true,
      description: 'Details of the tax included in the amount due. `null` if no payment is due now.',
      resolve: ({ invoice }) => (invoice === null ? null : taxOf(invoice)),
    }),
    nextCharge: t.field({
      type: UpcomingCharge,
      nullable: true,
      description:
        "Charge that follows if the checkout is completed now, including tax. While the bank's confirmation is pending, the tax is calculated for the address entered by the payer. Available for 24 hours after completion. `null` if no charge follows, or if the tax depends on a country that isn't known.",
      resolve: ({ subscription }, _args, ctx) => findNextCharge(ctx, subscription),
    }),
    requiresBillingCountry: t.boolean({
      description:
        "Whether `checkoutPay` requires a billing address. `true` if the organization has a tax registration and the customer's country isn't known.",
      resolve: ({ customer }, _args, ctx) => needsCountry(ctx, customer),
    }),
    successUrl: t.string({
      nullable: true,
      description:
        'URL to which the payer returns after the checkout is completed. `null` if the payer stays on the page.',
      resolve: ({ subscription }) => subscription.successUrl,
    }),
    invoiceUrl: t.string({
      nullable: true,
      description:
        "URL of the hosted page with the paid invoice and its PDF. `null` if the checkout isn't paid, if more than 24 hours have passed since the payment, or if there was no charge.",
      resolve: (checkout, _args, ctx) => loadReceiptUrl(ctx, checkout),
    }),
    publishableKey: t.string({
      nullable: true,
      description:
        "Publishable key of the organization's Stripe account that collects the card. Use the key to get the `paymentMethod` for `checkoutPay` from Stripe. The account depends on the country of the billing address, which defaults to the customer's country. During authentication, the account is the one that started the payment. `null` if the platform's payment provider collects the card.",
      args: {
        country: t.arg.string({
          rule: { format: 'country' },
          description: 'Country entered on the page, as an uppercase ISO 3166-1 alpha-2 code.',
        }),
      },
      resolve: async ({ subscription }, { country }, ctx) =>
        (await shownConnection(ctx, subscription, country))?.publishableKey ?? null,
    }),
    clientSecret: t.string({
      nullable: true,
      description:
        "Secret for authenticating the payer with Stripe. `null` unless `nextStep` is `authenticate` and the organization's Stripe account collects the payment.",
      resolve: ({ subscription }, _args, ctx) => {
        const awaited = awaitedAtCheckout(subscription);
        return awaited === null ? null : payerSecret(ctx, awaited.attemptId);
      },
    }),
    authentication: t.field({
      type: CardAuthentication,
      nullable: true,
      description: 'Authentication that the payer must complete. `null` unless `nextStep` is `authenticate`.',
      resolve: ({ subscription }, _args, ctx) => {
        const awaited = awaitedAtCheckout(subscription);
        return awaited === null ? null : authenticationOf(ctx, subscription, awaited);
      },
    }),
    features: t.field({
      type: [OfferedFeature],
      description: 'Features of the plan, in the order defined by the plan.',
      resolve: ({ plan }, _args, ctx) => loadOfferedFeatures(ctx, plan),
    }),
    rates: t.field({
      type: [PricingPageRate],
      description:
        "Prices of units above the included amounts, in the checkout's currency or in credits, sorted by feature code. Omits features whose price is derived from the cost. Empty if the checkout isn't open.",
      args: localeArguments,
      resolve: async (checkout, { link }, ctx) => {
        const { subscription } = checkout;
        if (!isOpen(subscription)) return [];
        const language = await loadPageLanguage(ctx, { link, ...spokenAt(checkout) });
        return (await loadSubscriptionRates(ctx, subscription)).map((rate) => ({ ...rate, language }));
      },
    }),
    intervals: t.field({
      type: [CheckoutInterval],
      description:
        "Intervals that the payer can choose, shortest first, including `billingInterval`. Change the interval with `checkoutUpdate`. Empty if the checkout changes a plan or isn't open.",
      resolve: async (checkout, _args, ctx) => [...(await loadChoices(ctx, checkout)).intervals],
    }),
    seats: t.field({
      type: [CheckoutSeats],
      description:
        "Features sold per seat. Change the number of seats with `checkoutUpdate`. Empty if the checkout changes a plan or isn't open.",
      resolve: async (checkout, _args, ctx) => [...(await loadChoices(ctx, checkout)).seats],
    }),
    settings: t.field({
      type: CheckoutSettingsType,
      description: 'Details that the organization requests at checkout.',
      resolve: async (_checkout, _args, ctx) =>
        checkoutSettingsOf((await loadOrganization(ctx)).pageSettings),
    }),
    addressMode: t.field({
      type: CheckoutFieldMode,
      description:
        'Visibility of the billing address fields. `required` if `checkoutPay` requires an address. `hidden` if no address is required and `settings.addressMode` is `never`.',
      resolve: async ({ customer }, _args, ctx) =>
        addressModeOf(checkoutSettingsOf((await loadOrganization(ctx)).pageSettings), {
          hasAddress: hasAddress(customer),
          isCountryNeeded: await needsCountry(ctx, customer),
        }),
    }),
    methods: t.field({
      type: [CheckoutMethod],
      description: "Payment methods available to the payer, depending on the customer's country.",
      resolve: async ({ subscription }, _args, ctx) =>
        (await shownConnection(ctx, subscription)) === null ? (['card'] as const) : (['stripe'] as const),
    }),
    instruments: t.field({
      type: [CheckoutInstrument],
      description:
        "Ways to pay that fit the payer's country, the currency, and the amount, cards first. Empty if the checkout isn't open.",
      resolve: async (checkout, _args, ctx) => {
        const { subscription, customer, invoice } = checkout;
        if (!isOpen(subscription)) return [];
        const { currency, status, billingInterval } = subscription;
        const charge = { currency, country: customer.country, amountMinor: invoice?.total ?? null };
        return offeredInstruments(charge, {
          livemode: ctx.livemode,
          connection: await shownConnection(ctx, subscription),
          isImmediate: status !== 'pending_payment',
          interval: billingInterval,
          enabled: await enabledInstruments(ctx),
        });
      },
    }),
    savedMethod: t.field({
      ...savedMethodField,
      resolve: async (checkout, _args, ctx) => {
        const { subscription } = checkout;
        if (stepOf(checkout) !== 'pay') return null;
        const connection = await shownConnection(ctx, subscription);
        return loadSavedCard(ctx, linkOf(subscription, connection));
      },
    }),
    mandate: t.field({
      type: CheckoutMandate,
      description: 'Charges that the payer agrees to, for the text next to the payment button.',
      resolve: async ({ plan, subscription }, _args, ctx) =>
        mandateOf(subscription, plan, await loadOfferedFeatures(ctx, plan)),
    }),
    collection: t.field({
      type: CheckoutCollection,
      nullable: true,
      description:
        'Payment whose result the checkout waits for: a bank debit, or a payment that the payer starts. `null` unless such a payment is pending.',
      resolve: ({ collection }) => collection,
    }),
    livemode: t.boolean({
      description:
        'Whether the checkout belongs to the live environment. `false` in a sandbox, which accepts test cards.',
      resolve: (_checkout, _args, ctx) => ctx.livemode,
    }),
  }),
});
