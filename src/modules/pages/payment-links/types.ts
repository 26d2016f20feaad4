import { exponentOf } from '../../../domain/money/money.ts';
import { customerLanguage } from '../../../domain/pages/page-language.ts';
import { isCharged } from '../../../domain/payments/payment.ts';
import { isCountryNeeded } from '../../../domain/tax/tax.ts';
import { loadSeller } from '../../../engine/load/seller.ts';
import { payerSecret } from '../../../engine/settle.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { hostedUrl } from '../../invoices/invoices/sign-link.ts';
import { InvoiceTax } from '../../invoices/invoices/types/tax.ts';
import { Currency } from '../../organization/currencies/enums.ts';
import { brandingField, localeField, localesField } from '../../organization/organizations/types/page.ts';
import { loadSavedCard } from '../../payments/connections/load-saved-card.ts';
import { connectionOf } from '../../payments/connections/store-method.ts';
import { CardSaving, PaymentStatus } from '../../payments/payments/enums.ts';
import { awaitedAttempt } from '../../payments/payments/store.ts';
import type { Authentication } from '../checkout/authenticate-card.ts';
import { enabledInstruments, offeredInstruments } from '../checkout/derive-instruments.ts';
import { CardAuthentication } from '../checkout/types/card-authentication.ts';
import { CheckoutCollection, CheckoutInstrument } from '../checkout/types/instrument.ts';
import { savedMethodField } from '../checkout/types/saved-method.ts';
import { linkConnection, type PaymentLinkState, shownConnection, stepOf } from './load.ts';
import type { PaymentLinkResult as Result } from './pay.ts';

const PaymentLinkStep = builder.enumType('PaymentLinkStep', {
  description: 'Next step for the payer of a payment link.',
  values: {
    pay: { description: 'The payer enters a card. Continue with `paymentLinkPay`.' },
    authenticate: {
      description:
        'The payer confirms the payment with the card issuer. Continue with `paymentLinkAuthenticate`, or pay with a new card.',
    },
    wait: { description: 'The payment is in progress. No action is required.' },
    none: { description: 'The payment was made or the link was canceled. No action is required.' },
  } as const,
});

export const PaymentLink = builder.objectRef<PaymentLinkState>('PaymentLink').implement({
  description: 'Payment link as shown on its hosted page.',
  fields: (t) => ({
    status: t.field({
      type: PaymentStatus,
      description: 'Status of the payment link.',
      resolve: ({ payment }) => payment.status,
    }),
    nextStep: t.field({ type: PaymentLinkStep, description: 'Next step for the payer.', resolve: stepOf }),
    organizationName: t.string({
      description: 'Name of the organization.',
      resolve: (_link, _args, ctx) => ctx.environment.organizationName,
    }),
    branding: t.field(brandingField),
    locale: t.field(
      localeField<PaymentLinkState>(({ customer }) => ({
        customer: customer === null ? null : customerLanguage(customer),
      })),
    ),
    locales: t.field(localesField),
    customerEmail: t.string({
      nullable: true,
      description:
        'Email address of the customer. `null` if the link has no customer and the payer enters an email address.',
      resolve: ({ customer }) => customer?.email ?? null,
    }),
    description: t.string({
      description: 'Description of the payment.',
      resolve: ({ payment }) => payment.description,
    }),
    amountSubtotal: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Amount to pay before tax, in the smallest currency unit.',
      resolve: ({ payment }) => payment.subtotalMinor,
    }),
    taxAmount: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description:
        "Tax added to the amount, in the smallest currency unit. 0 if the payer's location isn't known.",
      resolve: ({ payment }) => payment.taxMinor,
    }),
    tax: t.field({
      type: InvoiceTax,
      nullable: true,
      description:
        "Details of the tax on the payment. `null` if the tax isn't known, or if the link can't be paid.",
      resolve: ({ payment, tax }) =>
        tax === null ? null : { ...tax, taxable: payment.subtotalMinor, taxAmount: payment.taxMinor },
    }),
    amountTotal: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Amount to pay including tax, in the smallest currency unit.',
      resolve: ({ payment }) => payment.totalMinor,
    }),
    currency: t.field({
      type: Currency,
      description: 'Currency of the amounts, as a lowercase ISO 4217 code.',
      resolve: ({ payment }) => payment.currency,
    }),
    currencyDecimals: t.field({
      type: 'Int',
      description: 'Number of decimal places in the currency: 0, 2, or 3.',
      resolve: ({ payment }) => exponentOf(payment.currency),
    }),
    country: t.string({
      nullable: true,
      description:
        'Country of the customer, which determines the tax unless the payer enters another address. `null` if not known.',
      resolve: ({ customer }) => customer?.country ?? null,
    }),
    requiresBillingCountry: t.boolean({
      description:
        "Whether `paymentLinkPay` requires a billing address. `true` if the organization has a tax registration and the customer's country isn't known.",
      resolve: async ({ customer }, _args, ctx) =>
        isCountryNeeded({
          country: customer?.country ?? null,
          registrations: (await loadSeller(ctx)).taxRegistrations,
        }),
    }),
    successUrl: t.string({
      nullable: true,
      description: 'URL to which the payer returns after the payment. `null` if the payer stays on the page.',
      resolve: ({ payment }) => payment.successUrl,
    }),
    publishableKey: t.string({
      nullable: true,
      description:
        "Publishable key of the organization's Stripe account that collects the card. Use the key to get the `paymentMethod` for `paymentLinkPay` from Stripe. The account depends on the requested country, or on the customer's country if no country is requested. `null` if the platform's payment provider collects the card.",
      resolve: async ({ payment, country }, _args, ctx) =>
        (await shownConnection(ctx, payment, country))?.publishableKey ?? null,
    }),
    clientSecret: t.string({
      nullable: true,
      description:
        "Secret for authenticating the payer with Stripe. `null` unless `nextStep` is `authenticate` and the organization's Stripe account collects the payment.",
      resolve: ({ payment }, _args, ctx) => {
        const awaited = awaitedAttempt(payment);
        return awaited === null ? null : payerSecret(ctx, awaited.attemptId);
      },
    }),
    instruments: t.field({
      type: [CheckoutInstrument],
      description:
        "Ways to pay that fit the payer's country, the currency, and the amount, cards first. Empty if the link doesn't accept payments.",
      resolve: async (link, _args, ctx) => {
        const { payment, country } = link;
        if (stepOf(link) !== 'pay') return [];
        return offeredInstruments(
          {
            currency: payment.currency,
            country,
            amountMinor: isCharged(payment) ? payment.totalMinor : null,
          },
          {
            livemode: ctx.livemode,
            connection: await linkConnection(ctx, payment, country),
            isImmediate: false,
            interval: null,
            enabled: { ...(await enabledInstruments(ctx)), debits: false },
          },
        );
      },
    }),
    collection: t.field({
      type: CheckoutCollection,
      nullable: true,
      description: 'Pending payment that the payer starts. `null` if no payment is pending.',
      resolve: ({ collection }) => collection,
    }),
    authentication: t.field({
      type: CardAuthentication,
      nullable: true,
      description:
        'Details of the authentication that the payer must complete. `null` unless `nextStep` is `authenticate`.',
      resolve: ({ payment }, _args, ctx): Authentication | null => {
        const awaited = awaitedAttempt(payment);
        if (awaited === null) return null;
        const { attemptId, method, transactionId } = awaited;
        const { totalMinor, currency } = payment;
        const connection = async () => (method === null ? null : connectionOf(ctx, method));
        return { attemptId, amountMinor: transactionId === null ? 0n : totalMinor, currency, connection };
      },
    }),
    savedMethod: t.field({
      ...savedMethodField,
      resolve: async (link, _args, ctx) => {
        if (stepOf(link) !== 'pay') return null;
        const { payment, country } = link;
        const { customerId, wrongCodes } = payment;
        const connection = await shownConnection(ctx, payment, country);
        return loadSavedCard(ctx, { customerId, wrongCodes, connection, isCharged: isCharged(payment) });
      },
    }),
    saveCard: t.field({
      type: CardSaving,
      description:
        'Setting that determines whether the card is saved. For `always`, the page must inform the payer before payment. For `optional`, the page must ask the payer.',
      resolve: ({ payment }) => payment.saveCard,
    }),
    livemode: t.boolean({
      description:
        'Whether the link belongs to the live environment. `false` in a sandbox, which accepts test cards.',
      resolve: (_link, _args, ctx) => ctx.livemode,
    }),
  }),
});

const PaymentLinkOutcome = builder.enumType('PaymentLinkOutcome', {
  description: 'Outcome of an attempt to pay with a payment link.',
  values: {
    paid: { description: 'The payment succeeded.' },
    requires_action: {
      description: 'The card issuer requires authentication. Continue with `paymentLinkAuthenticate`.',
    },
  } as const,
});

export const PaymentLinkResult = builder.objectRef<Result>('PaymentLinkResult').implement({
  description: 'Result of an attempt to pay with a payment link.',
  fields: (t) => ({
    status: t.member('status', PaymentLinkOutcome).describe('Result of the payment.'),
    paymentLink: t.member('link', PaymentLink).describe('Payment link in its current state.'),
    receiptUrl: t.string({
      nullable: true,
      description:
        "URL of the hosted invoice page with the PDF. Anyone with the URL can open the page. `null` if the payment isn't complete yet. Also `null` if the link has no customer, in which case the invoice is only sent by email.",
      resolve: ({ receiptId }, _args, ctx) => (receiptId === null ? null : hostedUrl(ctx, receiptId)),
    }),
  }),
});
