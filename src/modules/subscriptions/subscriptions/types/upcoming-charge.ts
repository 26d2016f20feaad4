import { exponentOf } from '../../../../domain/money/money.ts';
import type { NextCharge } from '../../../../engine/preview/next-charge.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { BillingInterval } from '../../../catalog/plans/enums.ts';
import { PayerInvoiceLine } from '../../../invoices/invoices/types/payer-line.ts';
import { InvoiceTax, taxOf } from '../../../invoices/invoices/types/tax.ts';
import { Currency } from '../../../organization/currencies/enums.ts';

export const UpcomingCharge = builder.objectRef<NextCharge>('UpcomingCharge').implement({
  description:
    "Next charge of a subscription, assuming that scheduled changes take effect and usage doesn't change until then.",
  fields: (t) => ({
    date: t.member('at', 'DateTime').describe('Time of the charge.'),
    amount: t
      .member('amountMinor', 'MINOR')
      .describe(
        'Amount of the charge including tax, in the smallest currency unit, such as cents. 0 if the amount is below the minimum charge.',
      ),
    isFinal: t
      .member('isFinal', 'Boolean')
      .describe(
        'Whether the amount is final. `false` if overage for usage, seats, or quota can still be added.',
      ),
    currency: t.field({
      type: Currency,
      description: 'Currency of the amounts.',
      resolve: ({ invoice }) => invoice.currency,
    }),
    currencyDecimals: t.field({
      type: 'Int',
      description: 'Number of decimal places in the currency: 0, 2, or 3.',
      resolve: ({ invoice }) => exponentOf(invoice.currency),
    }),
    billingInterval: t.field({
      type: BillingInterval,
      nullable: true,
      description: 'Billing interval after the charge. `null` on a free plan.',
      resolve: ({ subscription }) => subscription.billingInterval,
    }),
    tax: t.field({
      type: InvoiceTax,
      description: 'Tax included in the amount.',
      resolve: ({ invoice }) => taxOf(invoice),
    }),
    lineItems: t.field({
      type: [PayerInvoiceLine],
      description: 'Line items of the charge.',
      resolve: ({ invoice, lines }) => lines.map((line) => ({ ...line, currency: invoice.currency })),
    }),
  }),
});
