import { exponentOf } from '../../../domain/money.ts';
import type { NextCharge } from '../../../engine/next-charge.ts';
import { builder } from '../../../graphql/builder.ts';
import { Currency } from '../../currencies/enums.ts';
import { PayerInvoiceLine } from '../../invoices/types/payer-line.ts';
import { InvoiceTax, taxOf } from '../../invoices/types/tax.ts';
import { BillingInterval } from '../../plans/enums.ts';

export const UpcomingCharge = builder.objectRef<NextCharge>('UpcomingCharge').implement({
  description:
    'The next charge of a subscription as things stand: what is scheduled happens, and nothing more is used until then.',
  fields: (t) => ({
    date: t.expose('at', { type: 'DateTime', description: 'When it is charged.' }),
    amount: t.expose('amountMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What is charged then, tax included, minor units; 0 where it is too little to be charged.',
    }),
    isFinal: t.exposeBoolean('isFinal', {
      description:
        'False where usage, seats or quota beyond what is included can still be added to the amount until then.',
    }),
    currency: t.field({
      type: Currency,
      description: 'Lower-case ISO 4217 code of the amounts.',
      resolve: ({ invoice }) => invoice.currency,
    }),
    currencyDecimals: t.field({
      type: 'Int',
      description: 'Decimals of the currency: 0 or 2.',
      resolve: ({ invoice }) => exponentOf(invoice.currency),
    }),
    billingInterval: t.field({
      type: BillingInterval,
      nullable: true,
      description: 'How often it is charged from then on; null on a free plan.',
      resolve: ({ subscription }) => subscription.billingInterval,
    }),
    tax: t.field({
      type: InvoiceTax,
      description: 'The tax in the amount.',
      resolve: ({ invoice }) => taxOf(invoice),
    }),
    lineItems: t.field({
      type: [PayerInvoiceLine],
      description: 'What is charged, line by line.',
      resolve: ({ invoice, lines }) => lines.map((line) => ({ ...line, currency: invoice.currency })),
    }),
  }),
});
