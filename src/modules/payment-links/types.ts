import { exponentOf } from '../../domain/money.ts';
import { customerLanguage } from '../../domain/page-language.ts';
import { isCharged } from '../../domain/payments/payment.ts';
import { isCountryNeeded } from '../../domain/tax.ts';
import { loadSeller } from '../../engine/load-seller.ts';
import { payerSecret } from '../../engine/settle.ts';
import { builder } from '../../graphql/builder.ts';
import type { Authentication } from '../checkout/authenticate-card.ts';
import { CardAuthentication } from '../checkout/types/card-authentication.ts';
import { savedMethodField } from '../checkout/types/saved-method.ts';
import { Currency } from '../currencies/enums.ts';
import { hostedUrl } from '../invoices/sign-link.ts';
import { InvoiceTax } from '../invoices/types/tax.ts';
import { brandingField, localeField, localesField } from '../organizations/types/page.ts';
import { loadSavedCard } from '../payment-connections/load-saved-card.ts';
import { connectionOf } from '../payment-connections/store-method.ts';
import { PaymentStatus } from '../payments/enums.ts';
import { awaitedAttempt } from '../payments/store.ts';
import { type PaymentLinkState, shownConnection, stepOf } from './load.ts';
import type { PaymentLinkResult as Result } from './pay.ts';

const PaymentLinkStep = builder.enumType('PaymentLinkStep', {
  description: 'What the payer of a link does next.',
  values: {
    pay: { description: 'Enter a card: `paymentLinkPay`.' },
    authenticate: {
      description:
        'Confirm the payment with the issuer: `paymentLinkAuthenticate`. A new card may be entered instead.',
    },
    wait: { description: 'Nothing; the payment is under way.' },
    none: { description: 'Nothing; the link is paid or canceled.' },
  } as const,
});

export const PaymentLink = builder.objectRef<PaymentLinkState>('PaymentLink').implement({
  description: 'What the hosted page of a payment link shows.',
  fields: (t) => ({
    status: t.field({
      type: PaymentStatus,
      description: 'Where the payment stands.',
      resolve: ({ payment }) => payment.status,
    }),
    nextStep: t.field({ type: PaymentLinkStep, description: 'What the payer does next.', resolve: stepOf }),
    organizationName: t.string({
      description: 'Who sells.',
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
        'The customer who pays; null when anyone with the link may pay and enters an email address.',
      resolve: ({ customer }) => customer?.email ?? null,
    }),
    description: t.string({
      description: 'What is paid for.',
      resolve: ({ payment }) => payment.description,
    }),
    amountSubtotal: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Before tax, minor units.',
      resolve: ({ payment }) => payment.subtotalMinor,
    }),
    taxAmount: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Tax on top, minor units; 0 while no one has said where the payer is.',
      resolve: ({ payment }) => payment.taxMinor,
    }),
    tax: t.field({
      type: InvoiceTax,
      nullable: true,
      description:
        'The tax on top: its name and rate; null while it is not known, and once the link cannot be paid.',
      resolve: ({ payment, tax }) =>
        tax === null ? null : { ...tax, taxable: payment.subtotalMinor, taxAmount: payment.taxMinor },
    }),
    amountTotal: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What is charged, minor units.',
      resolve: ({ payment }) => payment.totalMinor,
    }),
    currency: t.field({
      type: Currency,
      description: 'Lower-case ISO 4217 code of the amounts.',
      resolve: ({ payment }) => payment.currency,
    }),
    currencyDecimals: t.field({
      type: 'Int',
      description: 'Decimals of the currency: 0 or 2.',
      resolve: ({ payment }) => exponentOf(payment.currency),
    }),
    country: t.string({
      nullable: true,
      description:
        'The country of the customer, which the tax depends on unless another address is given; null when it is not known.',
      resolve: ({ customer }) => customer?.country ?? null,
    }),
    requiresBillingCountry: t.boolean({
      description:
        'Whether `paymentLinkPay` needs a billing address: the seller is registered for tax, and the country of the customer is not known.',
      resolve: async ({ customer }, _args, ctx) =>
        isCountryNeeded({
          country: customer?.country ?? null,
          registrations: (await loadSeller(ctx)).taxRegistrations,
        }),
    }),
    successUrl: t.string({
      nullable: true,
      description: 'Where the page leads back to once it is paid; null to stay.',
      resolve: ({ payment }) => payment.successUrl,
    }),
    publishableKey: t.string({
      nullable: true,
      description:
        "Names the organization's account at Stripe, which collects the card: its page answers the `paymentMethod` of `paymentLinkPay`. Null where the platform's own processor takes the card. By the country asked with, else the customer's.",
      resolve: async ({ payment, country }, _args, ctx) =>
        (await shownConnection(ctx, payment, country))?.publishableKey ?? null,
    }),
    clientSecret: t.string({
      nullable: true,
      description:
        'With it the page lets Stripe authenticate the payer; null unless `nextStep` is `authenticate` at an account of the organization.',
      resolve: ({ payment }, _args, ctx) => {
        const awaited = awaitedAttempt(payment);
        return awaited === null ? null : payerSecret(ctx, awaited.attemptId);
      },
    }),
    authentication: t.field({
      type: CardAuthentication,
      nullable: true,
      description: 'What the payer has to confirm with the bank; null unless `nextStep` is `authenticate`.',
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
    livemode: t.boolean({
      description: 'False in the sandbox, where test cards are taken.',
      resolve: (_link, _args, ctx) => ctx.livemode,
    }),
  }),
});

const PaymentLinkOutcome = builder.enumType('PaymentLinkOutcome', {
  description: 'The result of a payment at a link.',
  values: {
    paid: { description: 'It is paid.' },
    requires_action: {
      description: 'The issuer wants the payer to authenticate: `paymentLinkAuthenticate`.',
    },
  } as const,
});

export const PaymentLinkResult = builder.objectRef<Result>('PaymentLinkResult').implement({
  description: 'The result of a payment at a link.',
  fields: (t) => ({
    status: t.expose('status', { type: PaymentLinkOutcome, description: 'Whether it is paid.' }),
    paymentLink: t.field({
      type: PaymentLink,
      description: 'The link as it is now.',
      resolve: ({ link }) => link,
    }),
    receiptUrl: t.string({
      nullable: true,
      description:
        'The page of its invoice, with the PDF; anyone who has the address may open it. Null before it is paid, and on a link that names no customer: there it is emailed only.',
      resolve: ({ receiptId }, _args, ctx) => (receiptId === null ? null : hostedUrl(ctx, receiptId)),
    }),
  }),
});
