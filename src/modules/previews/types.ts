import type { Refusal } from '../../domain/errors.ts';
import type { InvoiceLineRow, TransactionRow } from '../../domain/subscription/aggregate.ts';
import { currentPeriod, nextBillingDate } from '../../domain/subscription/view.ts';
import { builder } from '../../graphql/builder.ts';
import { loadLines, unitAmountOf } from '../invoices/lines.ts';
import { InvoiceChargeType, InvoiceLineType, InvoiceStatus, InvoiceType } from '../invoices/words.ts';
import { BillingInterval } from '../plans/words.ts';
import { SubscriptionPeriod } from '../subscriptions/parts.ts';
import { SubscriptionStatus } from '../subscriptions/words.ts';
import { PaymentProvider, TransactionStatus } from '../transactions/words.ts';
import type { ForeseenInvoice, ForeseenTotals } from './documents.ts';
import type { Forecast } from './forecast.ts';
import type { ForeseenSubscription, Preview } from './preview.ts';

type Line = Omit<InvoiceLineRow, 'id'> & { readonly currency: string };

const PreviewedInvoiceLine = builder.objectRef<Line>('PreviewedInvoiceLine').implement({
  description: 'A line as it will stand on the invoice: `quantity` times `unitAmount`, rounded once, is `amount`.',
  fields: (t) => ({
    lineType: t.expose('lineType', { type: InvoiceLineType, description: 'What is charged or taken off.' }),
    featureName: t.exposeString('featureName', { nullable: true, description: 'Null for lines that are not about a feature.' }),
    description: t.exposeString('description', { description: 'What the line says to the payer.' }),
    quantity: t.expose('quantity', { type: 'SafeInt', description: 'Number of units.' }),
    unitAmount: t.float({
      description: 'Price of one unit in minor units of the currency; fractional for rates below the smallest unit.',
      resolve: ({ unitAmountRate, currency }) => unitAmountOf(unitAmountRate, currency),
    }),
    amount: t.expose('amount', { type: 'SafeInt', amount: 'MINOR', description: 'Minor units; negative for discounts and credits.' }),
    chargeType: t.expose('chargeType', { type: InvoiceChargeType, description: 'Whether the line pays in advance or afterwards.' }),
  }),
});

const PreviewedPayment = builder.objectRef<TransactionRow>('PreviewedPayment').implement({
  description: 'An attempt at payment as it would go.',
  fields: (t) => ({
    provider: t.expose('provider', { type: PaymentProvider, description: 'The connection that would be asked.' }),
    status: t.expose('status', {
      type: TransactionStatus,
      description: 'How it would go; connections other than the sandbox are taken to settle.',
    }),
    amount: t.expose('amountMinor', { type: 'SafeInt', amount: 'MINOR', description: 'Minor units of `currency`.' }),
    currency: t.exposeString('currency', { description: 'Lower-case ISO 4217 code.' }),
    declineCode: t.exposeString('declineCode', { nullable: true, description: 'Why it would be declined; null unless it would.' }),
  }),
});

export const PreviewedInvoice = builder.objectRef<ForeseenInvoice>('PreviewedInvoice').implement({
  description: 'An invoice as it would be, in the state it would end in. Its number is given when it is issued.',
  fields: (t) => ({
    id: t.id({
      nullable: true,
      description: 'Id of an invoice that exists and would change; null for one that would be issued.',
      resolve: ({ invoice, lines }) => (lines === null ? invoice.id : null),
    }),
    subscriptionId: t.id({
      nullable: true,
      description: 'The subscription it is about; null for one that does not exist yet, and without one.',
      resolve: ({ invoice, isOfNewSubscription }) => (isOfNewSubscription === true ? null : invoice.subscriptionId),
    }),
    customerId: t.id({ description: 'Our id of the customer.', resolve: ({ invoice }) => invoice.customerId }),
    status: t.field({ type: InvoiceStatus, description: 'Where it would stand.', resolve: ({ invoice }) => invoice.status }),
    invoiceType: t.field({ type: InvoiceType, description: 'Why it would be made.', resolve: ({ invoice }) => invoice.type }),
    currency: t.string({ description: 'Lower-case ISO 4217 code of every amount.', resolve: ({ invoice }) => invoice.currency }),
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
    periodStart: t.field({ type: 'DateTime', description: 'Start of its span, inclusive.', resolve: ({ invoice }) => invoice.periodStart }),
    periodEnd: t.field({ type: 'DateTime', description: 'End of its span, exclusive.', resolve: ({ invoice }) => invoice.periodEnd }),
    issueDate: t.field({ type: 'DateTime', description: 'UTC date of issue.', resolve: ({ invoice }) => invoice.issueDate }),
    dueDate: t.field({
      type: 'DateTime',
      description: 'UTC date until which it is to be paid.',
      resolve: ({ invoice }) => invoice.dueDate,
    }),
    planName: t.string({ nullable: true, description: 'Name of the plan; null without one.', resolve: ({ invoice }) => invoice.planName }),
    paidAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it would be settled; null when it would not.',
      resolve: ({ invoice }) => invoice.paidAt,
    }),
    lineItems: t.field({
      type: [PreviewedInvoiceLine],
      description: 'The lines in their order (BIL-13).',
      resolve: async ({ invoice, lines }, _args, context): Promise<Line[]> => {
        const { currency } = invoice;
        return lines === null ? loadLines(context, invoice) : lines.map((line) => ({ ...line, currency }));
      },
    }),
    payments: t.field({
      type: [PreviewedPayment],
      description: 'The attempts at its payment that would be made.',
      resolve: ({ payments }) => [...payments],
    }),
  }),
});

export const PreviewedTotals = builder.objectRef<ForeseenTotals>('PreviewedTotals').implement({
  description: 'What invoices come to in one currency, minor units.',
  fields: (t) => ({
    currency: t.exposeString('currency', { description: 'Lower-case ISO 4217 code.' }),
    invoiced: t.expose('invoicedMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Totals of the new invoices, without those withdrawn.',
    }),
    tax: t.expose('taxMinor', { type: 'SafeInt', amount: 'MINOR', description: 'The tax in them.' }),
    collected: t.expose('collectedMinor', { type: 'SafeInt', amount: 'MINOR', description: 'What would be paid by charges.' }),
    unpaid: t.expose('unpaidMinor', { type: 'SafeInt', amount: 'MINOR', description: 'What would stay open or be given up.' }),
  }),
});

export const PreviewedSubscription = builder.objectRef<ForeseenSubscription>('PreviewedSubscription').implement({
  description: 'A subscription as it would be.',
  fields: (t) => ({
    id: t.id({
      nullable: true,
      description: 'Its id; null for one that does not exist yet.',
      resolve: ({ row, isNew }) => (isNew ? null : row.id),
    }),
    status: t.field({ type: SubscriptionStatus, description: 'Where it would stand.', resolve: ({ row }) => row.status }),
    planId: t.id({ description: 'The plan it would be on.', resolve: ({ row }) => row.planId }),
    billingInterval: t.field({
      type: BillingInterval,
      nullable: true,
      description: 'Null on free plans.',
      resolve: ({ row }) => row.billingInterval,
    }),
    currentPeriod: t.field({
      type: SubscriptionPeriod,
      nullable: true,
      description: 'The billing period that would be in force; null before the first.',
      resolve: ({ row, at }) => currentPeriod(row, at),
    }),
    trialEndsAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'End of its trial; null without one.',
      resolve: ({ row }) => row.trialEndsAt,
    }),
    nextBillingDate: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When a charge would be due next; null when none (SUB-63).',
      resolve: ({ row }) => nextBillingDate(row),
    }),
    cancelAtPeriodEnd: t.boolean({ description: 'True with a cancellation scheduled.', resolve: ({ row }) => row.cancelAtPeriodEnd }),
    endDate: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When access would end; null while open-ended.',
      resolve: ({ row }) => row.endDate,
    }),
  }),
});

const PreviewRefusal = builder.objectRef<Refusal>('PreviewRefusal').implement({
  description: 'Why what was asked for would be refused.',
  fields: (t) => ({
    code: t.exposeString('code', { description: 'The error code the call would answer.' }),
    message: t.exposeString('message', { description: 'The reason as a sentence.' }),
    param: t.string({
      nullable: true,
      description: 'The input it is about; null when it is about none.',
      resolve: ({ param }) => param ?? null,
    }),
  }),
});

export const SubscriptionPreview = builder.objectRef<Preview>('SubscriptionPreview').implement({
  description: 'What a call would do, worked out by the same decisions, with nothing written, charged or sent.',
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime', description: 'The business time it would happen at: now, or the end of the period asked for.' }),
    refusal: t.expose('refusal', {
      type: PreviewRefusal,
      nullable: true,
      description: 'Why it would be refused; null when it would not. A declined charge leaves documents all the same.',
    }),
    invoices: t.field({
      type: [PreviewedInvoice],
      description: 'The invoices it would issue or change, in their order.',
      resolve: ({ invoices }) => [...invoices],
    }),
    totals: t.field({
      type: [PreviewedTotals],
      description: 'What they come to, currency by currency.',
      resolve: ({ totals }) => [...totals],
    }),
    events: t.field({
      type: ['EventKind'],
      description: 'The kinds of the events it would send, in their order.',
      resolve: ({ events }) => [...events],
    }),
    subscription: t.expose('subscription', {
      type: PreviewedSubscription,
      nullable: true,
      description: 'The subscription as it would be; null when none would be made.',
    }),
  }),
});

export const SubscriptionForecast = builder.objectRef<Forecast>('SubscriptionForecast').implement({
  description: 'What a subscription will be billed as things stand.',
  fields: (t) => ({
    from: t.expose('from', { type: 'DateTime', description: 'The business time it looks from.' }),
    until: t.expose('until', { type: 'DateTime', description: 'The last instant looked at.' }),
    refusal: t.expose('refusal', {
      type: PreviewRefusal,
      nullable: true,
      description: 'Why a renewal will fail, where one will; the forecast ends there. Null otherwise.',
    }),
    invoices: t.field({
      type: [PreviewedInvoice],
      description: 'The invoices to come, and those that exist and will be collected, in their order.',
      resolve: ({ invoices }) => [...invoices],
    }),
    totals: t.field({
      type: [PreviewedTotals],
      description: 'What they come to, currency by currency.',
      resolve: ({ totals }) => [...totals],
    }),
    subscription: t.expose('subscription', { type: PreviewedSubscription, description: 'The subscription as it will be at the end.' }),
  }),
});
