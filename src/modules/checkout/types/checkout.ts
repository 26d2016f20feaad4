import { exponentOf } from '../../../domain/money.ts';
import { checkoutSettingsOf } from '../../../domain/page-settings.ts';
import { payerSecret } from '../../../engine/settle.ts';
import { builder } from '../../../graphql/builder.ts';
import { Currency } from '../../currencies/enums.ts';
import { loadLines } from '../../invoices/load-parts.ts';
import { PayerInvoiceLine } from '../../invoices/types/payer-line.ts';
import { InvoiceTax, taxOf } from '../../invoices/types/tax.ts';
import { loadOrganization } from '../../organizations/store.ts';
import { CheckoutFieldMode, CheckoutSettingsType } from '../../organizations/types/organization.ts';
import {
  brandingField,
  loadPageLanguage,
  localeArguments,
  localeField,
  localesField,
} from '../../organizations/types/page.ts';
import { loadSavedCard } from '../../payment-connections/load-saved-card.ts';
import { loadOfferedFeatures } from '../../plan-features/load-offered.ts';
import { OfferedFeature } from '../../plan-features/types.ts';
import { BillingInterval } from '../../plans/enums.ts';
import { UpcomingCharge } from '../../subscriptions/types/upcoming-charge.ts';
import { authenticationOf } from '../authenticate-card.ts';
import { hasAddress, needsCountry } from '../check-order.ts';
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
import { findQuote } from '../quote.ts';
import { addressModeOf, mandateOf } from '../rules.ts';
import { linkOf } from '../store-method.ts';
import { CardAuthentication } from './card-authentication.ts';
import { CheckoutInterval, CheckoutSeats } from './choices.ts';
import { savedMethodField } from './saved-method.ts';

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
    branding: t.field(brandingField),
    locale: t.field(localeField<CheckoutState>(spokenAt)),
    locales: t.field(localesField),
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
      resolve: ({ customer }, _args, ctx) => needsCountry(ctx, customer),
    }),
    successUrl: t.string({
      nullable: true,
      description: 'Where the page sends the payer once the checkout is completed; null to stay.',
      resolve: ({ subscription }) => subscription.successUrl,
    }),
    invoiceUrl: t.string({
      nullable: true,
      description:
        'The page of the invoice it was paid with, with its PDF, for a day; null before, later, and where nothing was charged.',
      resolve: (checkout, _args, ctx) => loadReceiptUrl(ctx, checkout),
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
    features: t.field({
      type: [OfferedFeature],
      description: 'What the plan includes, in the order of the plan.',
      resolve: ({ plan }, _args, ctx) => loadOfferedFeatures(ctx, plan.id),
    }),
    intervals: t.field({
      type: [CheckoutInterval],
      description:
        'The intervals it can be for, the shortest first, that of `billingInterval` among them; `checkoutUpdate` changes it. Empty on a change of plan, and once it is over.',
      resolve: async (checkout, _args, ctx) => [...(await loadChoices(ctx, checkout)).intervals],
    }),
    seats: t.field({
      type: [CheckoutSeats],
      description:
        'What is sold by the seat; `checkoutUpdate` changes how many. Empty on a change of plan, and once it is over.',
      resolve: async (checkout, _args, ctx) => [...(await loadChoices(ctx, checkout)).seats],
    }),
    settings: t.field({
      type: CheckoutSettingsType,
      description: 'What the seller asks for here.',
      resolve: async (_checkout, _args, ctx) =>
        checkoutSettingsOf((await loadOrganization(ctx)).pageSettings),
    }),
    addressMode: t.field({
      type: CheckoutFieldMode,
      description:
        'Whether to ask for the billing address: `required` where `checkoutPay` needs one, `hidden` where the seller does not want one.',
      resolve: async ({ customer }, _args, ctx) =>
        addressModeOf(checkoutSettingsOf((await loadOrganization(ctx)).pageSettings), {
          hasAddress: hasAddress(customer),
          isCountryNeeded: await needsCountry(ctx, customer),
        }),
    }),
    methods: t.field({
      type: [CheckoutMethod],
      description: 'How the payer can pay, by the country of the customer.',
      resolve: async ({ subscription }, _args, ctx) =>
        (await shownConnection(ctx, subscription)) === null ? (['card'] as const) : (['stripe'] as const),
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
      description: 'What the payer agrees to, for the sentence beside the button.',
      resolve: async ({ plan, subscription }, _args, ctx) =>
        mandateOf(subscription, plan, await loadOfferedFeatures(ctx, plan.id)),
    }),
    livemode: t.boolean({
      description: 'False in the sandbox, where test cards are taken.',
      resolve: (_checkout, _args, ctx) => ctx.livemode,
    }),
  }),
});
