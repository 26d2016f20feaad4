import { exponentOf } from '../../../domain/money.ts';
import type { InvoiceRow } from '../../../domain/subscription/state/rows.ts';
import { builder } from '../../../graphql/builder.ts';
import { Currency } from '../../currencies/enums.ts';
import { PayerInvoiceLine } from '../../invoices/types/payer-line.ts';
import { InvoiceTax, taxOf } from '../../invoices/types/tax.ts';
import { localeArguments } from '../../organizations/types/page.ts';
import { BillingInterval } from '../../plans/enums.ts';
import { UpcomingCharge } from '../../subscriptions/types/upcoming-charge.ts';
import { CheckoutKind } from '../enums.ts';
import { freeDays } from '../load.ts';
import { loadQuotedLines, type CheckoutQuote as Quote } from '../quote.ts';

const amountOf =
  (member: 'subtotal' | 'discountAmount' | 'creditApplied' | 'taxAmount' | 'total') =>
  ({ invoice }: Quote): bigint =>
    invoice === null ? 0n : (invoice satisfies InvoiceRow)[member];

export const CheckoutQuote = builder.objectRef<Quote>('CheckoutQuote').implement({
  description: 'The order of a checkout as a payer would pay it: every amount in minor units of `currency`.',
  fields: (t) => ({
    kind: t.field({
      type: CheckoutKind,
      description: 'Whether money is taken or a card is only stored.',
      resolve: ({ invoice }) => (invoice !== null && invoice.total > 0n ? 'payment' : 'setup'),
    }),
    currency: t.field({
      type: Currency,
      description: 'Lower-case ISO 4217 code.',
      resolve: ({ subscription }) => subscription.currency,
    }),
    currencyDecimals: t.field({
      type: 'Int',
      description: 'Decimals of the currency: 0 or 2.',
      resolve: ({ subscription }) => exponentOf(subscription.currency),
    }),
    price: t.expose('priceMinor', {
      type: 'SafeInt',
      nullable: true,
      amount: 'MINOR',
      description: 'List price per interval; null on free plans.',
    }),
    billingInterval: t.field({
      type: BillingInterval,
      nullable: true,
      description: 'How often the price is charged; null on free plans.',
      resolve: ({ subscription }) => subscription.billingInterval,
    }),
    lineItems: t.field({
      type: [PayerInvoiceLine],
      description: 'What is charged now; empty when nothing is.',
      args: localeArguments,
      resolve: (quote, { link }, ctx) => loadQuotedLines(ctx, quote, link),
    }),
    subtotal: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Before discount and tax.',
      resolve: amountOf('subtotal'),
    }),
    discountAmount: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Taken off.',
      resolve: amountOf('discountAmount'),
    }),
    creditApplied: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Paid by credit.',
      resolve: amountOf('creditApplied'),
    }),
    taxAmount: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Tax on what is left.',
      resolve: amountOf('taxAmount'),
    }),
    tax: t.field({
      type: InvoiceTax,
      nullable: true,
      description: 'The tax in the amount due: its name and rate; null where nothing is charged now.',
      resolve: ({ invoice }) => (invoice === null ? null : taxOf(invoice)),
    }),
    amountDue: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What is charged, tax included; 0 where a card is only stored.',
      resolve: amountOf('total'),
    }),
    offerName: t.string({
      nullable: true,
      description: 'What the offer or trial is called; null without one.',
      resolve: ({ offer }) => offer?.name ?? null,
    }),
    isOfferConditional: t.boolean({
      description:
        'True while the discount holds for certain cards only: another card loses it, and the full price must be confirmed.',
      resolve: ({ offer }) => offer?.source === 'card_promotion',
    }),
    trialDays: t.field({
      type: 'Int',
      description: 'Days before the first charge; 0 without a trial.',
      resolve: ({ offer }) => freeDays(offer),
    }),
    nextCharge: t.expose('next', {
      type: UpcomingCharge,
      nullable: true,
      description:
        'What is charged next once it is completed now, until the subscription is canceled; null where nothing is.',
    }),
    publishableKey: t.string({
      nullable: true,
      description:
        "Names the account at Stripe that collects the card of a payer at the address; null where the platform's own processor takes it.",
      resolve: ({ connection }) => connection?.publishableKey ?? null,
    }),
  }),
});
