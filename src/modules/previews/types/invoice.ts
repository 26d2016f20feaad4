import type { InvoiceLineRow, TransactionRow } from '../../../domain/subscription/state/aggregate.ts';
import { builder } from '../../../graphql/builder.ts';
import { Currency } from '../../currencies/enums.ts';
import { InvoiceChargeType, InvoiceLineType, InvoiceStatus, InvoiceType } from '../../invoices/enums.ts';
import { loadLines } from '../../invoices/load-parts.ts';
import { unitAmountOf } from '../../invoices/types/lines.ts';
import { PaymentProvider, TransactionStatus } from '../../transactions/enums.ts';
import type { SimulatedInvoice } from '../simulate-documents.ts';

type Line = Omit<InvoiceLineRow, 'id'> & { readonly currency: string };

const PreviewedInvoiceLine = builder.objectRef<Line>('PreviewedInvoiceLine').implement({
  description:
    'A line as it will stand on the invoice: `quantity` times `unitAmount`, rounded once, is `amount`.',
  fields: (t) => ({
    lineType: t.expose('lineType', { type: InvoiceLineType, description: 'What is charged or taken off.' }),
    featureName: t.exposeString('featureName', {
      nullable: true,
      description: 'Null for lines that are not about a feature.',
    }),
    description: t.exposeString('description', { description: 'What the line says to the payer.' }),
    quantity: t.expose('quantity', { type: 'SafeInt', description: 'Number of units.' }),
    unitAmount: t.float({
      description:
        'Price of one unit in minor units of the currency; fractional for rates below the smallest unit.',
      resolve: ({ unitAmountRate, currency }) => unitAmountOf(unitAmountRate, currency),
    }),
    amount: t.expose('amount', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Minor units; negative for discounts and credits.',
    }),
    chargeType: t.expose('chargeType', {
      type: InvoiceChargeType,
      description: 'Whether the line pays in advance or afterwards.',
    }),
  }),
});

const PreviewedPayment = builder.objectRef<TransactionRow>('PreviewedPayment').implement({
  description: 'An attempt at payment as it would go.',
  fields: (t) => ({
    provider: t.expose('provider', {
      type: PaymentProvider,
      description: 'The connection that would be asked.',
    }),
    status: t.expose('status', {
      type: TransactionStatus,
      description: 'How it would go; connections other than the sandbox are taken to settle.',
    }),
    amount: t.expose('amountMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Minor units of `currency`.',
    }),
    currency: t.expose('currency', { type: Currency, description: 'Lower-case ISO 4217 code.' }),
    declineCode: t.exposeString('declineCode', {
      nullable: true,
      description: 'Why it would be declined; null unless it would.',
    }),
  }),
});

export const PreviewedInvoice = builder.objectRef<SimulatedInvoice>('PreviewedInvoice').implement({
  description:
    'An invoice as it would be, in the state it would end in. Its number is given when it is issued.',
  fields: (t) => ({
    invoiceId: t.id({
      nullable: true,
      description: 'Id of an invoice that exists and would change; null for one that would be issued.',
      resolve: ({ invoice, lines }) => (lines === null ? invoice.id : null),
    }),
    subscriptionId: t.id({
      nullable: true,
      description: 'The subscription it is about; null for one that does not exist yet, and without one.',
      resolve: ({ invoice, isOfNewSubscription }) =>
        isOfNewSubscription === true ? null : invoice.subscriptionId,
    }),
    customerId: t.id({
      description: 'Our id of the customer.',
      resolve: ({ invoice }) => invoice.customerId,
    }),
    status: t.field({
      type: InvoiceStatus,
      description: 'Where it would stand.',
      resolve: ({ invoice }) => invoice.status,
    }),
    invoiceType: t.field({
      type: InvoiceType,
      description: 'Why it would be made.',
      resolve: ({ invoice }) => invoice.type,
    }),
    currency: t.field({
      type: Currency,
      description: 'Lower-case ISO 4217 code of every amount.',
      resolve: ({ invoice }) => invoice.currency,
    }),
    subtotal: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Sum of the positive lines, minor units.',
      resolve: ({ invoice }) => invoice.subtotal,
    }),
    discountAmount: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Sum of the discounts as a positive number, minor units.',
      resolve: ({ invoice }) => invoice.discountAmount,
    }),
    creditApplied: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Sum of the credits as a positive number, minor units.',
      resolve: ({ invoice }) => invoice.creditApplied,
    }),
    taxAmount: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Tax on what is left, minor units.',
      resolve: ({ invoice }) => invoice.taxAmount,
    }),
    total: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What would be to be paid, tax included, minor units.',
      resolve: ({ invoice }) => invoice.total,
    }),
    periodStart: t.field({
      type: 'DateTime',
      description: 'Start of its span, inclusive.',
      resolve: ({ invoice }) => invoice.periodStart,
    }),
    periodEnd: t.field({
      type: 'DateTime',
      description: 'End of its span, exclusive.',
      resolve: ({ invoice }) => invoice.periodEnd,
    }),
    issueDate: t.field({
      type: 'DateTime',
      description: 'UTC date of issue.',
      resolve: ({ invoice }) => invoice.issueDate,
    }),
    dueDate: t.field({
      type: 'DateTime',
      description: 'UTC date until which it is to be paid.',
      resolve: ({ invoice }) => invoice.dueDate,
    }),
    planName: t.string({
      nullable: true,
      description: 'Name of the plan; null without one.',
      resolve: ({ invoice }) => invoice.planName,
    }),
    paidAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it would be settled; null when it would not.',
      resolve: ({ invoice }) => invoice.paidAt,
    }),
    lineItems: t.field({
      type: [PreviewedInvoiceLine],
      description: 'The lines in their order.',
      resolve: async ({ invoice, lines }, _args, ctx): Promise<Line[]> => {
        const { currency } = invoice;
        return lines === null ? loadLines(ctx, invoice) : lines.map((line) => ({ ...line, currency }));
      },
    }),
    payments: t.field({
      type: [PreviewedPayment],
      description: 'The attempts at its payment that would be made.',
      resolve: ({ payments }) => [...payments],
    }),
  }),
});
