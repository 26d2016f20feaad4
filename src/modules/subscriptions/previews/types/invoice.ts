import type { InvoiceLineRow, TransactionRow } from '../../../../domain/subscription/state/aggregate.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import {
  InvoiceChargeType,
  InvoiceLineType,
  InvoiceStatus,
  InvoiceType,
} from '../../../invoices/invoices/enums.ts';
import { loadLines } from '../../../invoices/invoices/load-parts.ts';
import { unitAmountOf } from '../../../invoices/invoices/types/lines.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import { PaymentProvider, TransactionStatus } from '../../../payments/transactions/enums.ts';
import type { SimulatedInvoice } from '../simulate-documents.ts';

type Line = Omit<InvoiceLineRow, 'id'> & { readonly currency: string };

const PreviewedInvoiceLine = builder.objectRef<Line>('PreviewedInvoiceLine').implement({
  description:
    'Line item of a previewed invoice. `amount` is `quantity` multiplied by `unitAmount`, rounded once. For a rate with tiers, the line item amounts are rounded together and add up to the rounded price. An amount can then differ from `quantity` times `unitAmount` by less than one minor unit.',
  fields: (t) => ({
    lineType: t.member('lineType', InvoiceLineType).describe('Type of the line item.'),
    featureName: t
      .maybe('featureName', 'String')
      .describe("Name of the feature. `null` if the line item isn't for a feature."),
    description: t
      .member('description', 'String')
      .describe('Description of the line item, as shown to the payer.'),
    quantity: t.member('quantity', 'SafeInt').describe('Number of units in the line item.'),
    unitAmount: t.float({
      description: 'Price of one unit in the smallest currency unit. Can be fractional.',
      resolve: unitAmountOf,
    }),
    amount: t
      .member('amount', 'MINOR')
      .describe('Amount in the smallest currency unit, such as cents. Negative for discounts and credits.'),
    chargeType: t
      .member('chargeType', InvoiceChargeType)
      .describe('Whether the line item is charged in advance or in arrears.'),
  }),
});

const PreviewedPayment = builder.objectRef<TransactionRow>('PreviewedPayment').implement({
  description: 'Payment attempt in a preview.',
  fields: (t) => ({
    provider: t.member('provider', PaymentProvider).describe('Payment provider that would be charged.'),
    status: t
      .member('status', TransactionStatus)
      .describe(
        'Status that the payment would have. The sandbox provider simulates its test cards. Payments with other providers are assumed to succeed.',
      ),
    amount: t.member('amountMinor', 'MINOR').describe('Amount in the smallest unit of `currency`.'),
    currency: t.member('currency', Currency).describe('Currency of the amount.'),
    declineCode: t
      .maybe('declineCode', 'String')
      .describe("Decline code. `null` if the payment wouldn't be declined."),
  }),
});

export const PreviewedInvoice = builder.objectRef<SimulatedInvoice>('PreviewedInvoice').implement({
  description:
    'Invoice as it would be after the previewed changes. The invoice number is assigned when the invoice is issued.',
  fields: (t) => ({
    invoiceId: t.id({
      nullable: true,
      description: 'ID of an existing invoice that would change. `null` if the invoice would be created.',
      resolve: ({ invoice, isNew }) => (isNew ? null : invoice.id),
    }),
    subscriptionId: t.id({
      nullable: true,
      description:
        "ID of the subscription. `null` if the subscription doesn't exist yet, or if the invoice doesn't belong to a subscription.",
      resolve: ({ invoice, isOfNewSubscription }) =>
        isOfNewSubscription === true ? null : invoice.subscriptionId,
    }),
    customerId: t.id({
      description: 'ID of the customer.',
      resolve: ({ invoice }) => invoice.customerId,
    }),
    status: t.field({
      type: InvoiceStatus,
      description: 'Status that the invoice would have.',
      resolve: ({ invoice }) => invoice.status,
    }),
    invoiceType: t.field({
      type: InvoiceType,
      description: 'Type of the invoice.',
      resolve: ({ invoice }) => invoice.type,
    }),
    currency: t.field({
      type: Currency,
      description: 'Currency of all amounts.',
      resolve: ({ invoice }) => invoice.currency,
    }),
    subtotal: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description:
        'Sum of the line items before discounts and credits, in the smallest currency unit, such as cents.',
      resolve: ({ invoice }) => invoice.subtotal,
    }),
    discountAmount: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Sum of the discounts as a positive number, in the smallest currency unit.',
      resolve: ({ invoice }) => invoice.discountAmount,
    }),
    creditApplied: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Sum of the applied credits as a positive number, in the smallest currency unit.',
      resolve: ({ invoice }) => invoice.creditApplied,
    }),
    taxAmount: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Tax on the amount after discounts and credits, in the smallest currency unit.',
      resolve: ({ invoice }) => invoice.taxAmount,
    }),
    total: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Total including tax, in the smallest currency unit.',
      resolve: ({ invoice }) => invoice.total,
    }),
    periodStart: t.field({
      type: 'DateTime',
      description: 'Start of the invoiced period, inclusive.',
      resolve: ({ invoice }) => invoice.periodStart,
    }),
    periodEnd: t.field({
      type: 'DateTime',
      description: 'End of the invoiced period, exclusive.',
      resolve: ({ invoice }) => invoice.periodEnd,
    }),
    issueDate: t.field({
      type: 'DateTime',
      description: 'Issue date (UTC).',
      resolve: ({ invoice }) => invoice.issueDate,
    }),
    dueDate: t.field({
      type: 'DateTime',
      description: 'Due date (UTC).',
      resolve: ({ invoice }) => invoice.dueDate,
    }),
    planName: t.string({
      nullable: true,
      description: "Name of the plan. `null` if the invoice isn't for a plan.",
      resolve: ({ invoice }) => invoice.planName,
    }),
    paidAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: "Time at which the invoice would be paid. `null` if it wouldn't be paid.",
      resolve: ({ invoice }) => invoice.paidAt,
    }),
    lineItems: t.field({
      type: [PreviewedInvoiceLine],
      description: 'Line items, in the order shown on the invoice.',
      resolve: async ({ invoice, lines }, _args, ctx): Promise<Line[]> => {
        const { currency } = invoice;
        return lines === null ? loadLines(ctx, invoice) : lines.map((line) => ({ ...line, currency }));
      },
    }),
    payments: t.member('payments', [PreviewedPayment]).describe('Payment attempts that would be made.'),
  }),
});
