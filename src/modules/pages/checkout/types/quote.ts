import { exponentOf } from '../../../../domain/money/money.ts';
import type { InvoiceRow } from '../../../../domain/rows/rows.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { BillingInterval } from '../../../catalog/plans/enums.ts';
import { PayerInvoiceLine } from '../../../invoices/invoices/types/payer-line.ts';
import { InvoiceTax, taxOf } from '../../../invoices/invoices/types/tax.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import { localeArguments } from '../../../organization/organizations/types/page.ts';
import { UpcomingCharge } from '../../../subscriptions/subscriptions/types/upcoming-charge.ts';
import { CheckoutKind } from '../enums.ts';
import { freeDays } from '../load.ts';
import { loadQuotedLines, type CheckoutQuote as Quote } from '../quote.ts';
import { CheckoutInstrument } from './instrument.ts';

const amountOf =
  (member: 'subtotal' | 'discountAmount' | 'creditApplied' | 'taxAmount' | 'total') =>
  ({ invoice }: Quote): bigint =>
    invoice === null ? 0n : (invoice satisfies InvoiceRow)[member];

export const CheckoutQuote = builder.objectRef<Quote>('CheckoutQuote').implement({
  description: 'Price quote for a checkout. All amounts are in the smallest unit of `currency`.',
  fields: (t) => ({
    kind: t.field({
      type: CheckoutKind,
      description: 'Effect of completing the checkout: charging the card, or only storing the card.',
      resolve: ({ invoice }) => (invoice !== null && invoice.total > 0n ? 'payment' : 'setup'),
    }),
    currency: t.field({
      type: Currency,
      description: 'Currency of the amounts, as a lowercase ISO 4217 code.',
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
    billingInterval: t.field({
      type: BillingInterval,
      nullable: true,
      description: 'Billing interval of the price. `null` if the plan is free.',
      resolve: ({ subscription }) => subscription.billingInterval,
    }),
    lineItems: t.field({
      type: [PayerInvoiceLine],
      description: 'Line items of the immediate charge. Empty if nothing is charged now.',
      args: localeArguments,
      resolve: (quote, { link }, ctx) => loadQuotedLines(ctx, quote, link),
    }),
    subtotal: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Amount before discounts and tax, in the smallest currency unit.',
      resolve: amountOf('subtotal'),
    }),
    discountAmount: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Discount on the amount due, in the smallest currency unit.',
      resolve: amountOf('discountAmount'),
    }),
    creditApplied: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Amount covered by proration credits and customer credits, in the smallest currency unit.',
      resolve: amountOf('creditApplied'),
    }),
    taxAmount: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Tax on the subtotal after discounts and credits, in the smallest currency unit.',
      resolve: amountOf('taxAmount'),
    }),
    tax: t.field({
      type: InvoiceTax,
      nullable: true,
      description: 'Details of the tax included in the amount due. `null` if no payment is due now.',
      resolve: ({ invoice }) => (invoice === null ? null : taxOf(invoice)),
    }),
    amountDue: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Amount due including tax, in the smallest currency unit. 0 if the card is only stored.',
      resolve: amountOf('total'),
    }),
    offerName: t.string({
      nullable: true,
      description: "Name of the offer or trial. `null` if there's no offer or trial.",
      resolve: ({ offer }) => offer?.name ?? null,
    }),
    isOfferConditional: t.boolean({
      description:
        "Whether the discount requires a card with a matching promotion. With any other card, the discount doesn't apply, and the payer must confirm the full price.",
      resolve: ({ offer }) => offer?.source === 'card_promotion',
    }),
    trialDays: t.field({
      type: 'Int',
      description: "Days before the first charge. 0 if there's no trial.",
      resolve: ({ offer }) => freeDays(offer),
    }),
    nextCharge: t
      .maybe('next', UpcomingCharge)
      .describe(
        "Charge that follows if the checkout is completed now, including tax. `null` if no charge follows, or if the tax depends on a country that isn't known.",
      ),
    instruments: t.field({
      type: [CheckoutInstrument],
      description: "Ways to pay that fit the payer's address, the currency, and the amount, cards first.",
      resolve: ({ instruments }) => [...instruments],
    }),
    publishableKey: t.string({
      nullable: true,
      description:
        "Publishable key of the Stripe account that collects the card for the payer's address. `null` if the platform's payment provider collects the card.",
      resolve: ({ connection }) => connection?.publishableKey ?? null,
    }),
  }),
});
