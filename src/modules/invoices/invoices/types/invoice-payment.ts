import { amountDue } from '../../../../domain/invoicing/credit-note.ts';
import { restView } from '../../../../graphql/declare/rest.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import { InvoiceStatus, TransactionStage } from '../enums.ts';
import { loadPayUrl, type PayableInvoice } from '../load-parts.ts';
import { PaymentInstructions } from './instructions.ts';

export const InvoicePayment = builder.objectRef<PayableInvoice>('InvoicePayment').implement({
  description: 'Payment page of an invoice, and the instructions of its pending payment.',
  fields: (t) => ({
    invoiceId: t.id({ description: 'ID of the invoice.', resolve: ({ invoice }) => invoice.id }),
    status: t.field({
      type: InvoiceStatus,
      description: 'Status of the invoice.',
      resolve: ({ invoice }) => invoice.status,
    }),
    amountDue: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Unpaid amount in the smallest currency unit. 0 if the invoice is settled.',
      resolve: ({ invoice }) => amountDue(invoice),
    }),
    currency: t.field({
      type: Currency,
      description: 'Currency of the amount, as a lowercase ISO 4217 code.',
      resolve: ({ invoice }) => invoice.currency,
    }),
    dueDate: t.field({
      type: 'DateTime',
      description: 'Date by which the invoice must be paid, in UTC.',
      resolve: ({ invoice }) => invoice.dueDate,
    }),
    payableUntil: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        "Time at which the payment fails if the customer hasn't paid the invoice on its payment page. `null` if the customer isn't asked to pay the invoice.",
      resolve: ({ invoice }) => invoice.payableUntil,
    }),
    payUrl: t.string({
      nullable: true,
      description:
        "URL of the page where the customer can pay the invoice. `null` if the invoice can't be paid on a page or isn't outstanding.",
      resolve: ({ invoice }, _args, ctx) => loadPayUrl(ctx, invoice),
    }),
    paymentTransactionId: t.id({
      nullable: true,
      description:
        'ID of the payment attempt that has instructions for the customer. `null` if no payment attempt has the stage `awaiting_payer`.',
      resolve: ({ attempt }) => attempt?.id ?? null,
    }),
    instrument: t.string({
      nullable: true,
      description:
        'Name of the instrument that the customer chose, such as `pix`. `null` if no payment attempt has the stage `awaiting_payer`.',
      resolve: ({ attempt }) => attempt?.instrument ?? null,
    }),
    stage: t.field({
      type: TransactionStage,
      nullable: true,
      description:
        'Stage of the payment attempt. `null` if no payment attempt has the stage `awaiting_payer`.',
      resolve: ({ attempt }) => attempt?.stage ?? null,
    }),
    expiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        "Time until which the customer can follow the instructions. `null` if no payment attempt has the stage `awaiting_payer`, or if the instructions don't expire.",
      resolve: ({ attempt }) => attempt?.expiresAt ?? null,
    }),
    instructions: t.field({
      type: PaymentInstructions,
      nullable: true,
      description:
        'Instructions to the customer. `null` if no payment attempt has the stage `awaiting_payer`.',
      resolve: ({ attempt }) => attempt?.instructions ?? null,
    }),
  }),
});

restView(
  'InvoicePayment',
  'InvoicePayment',
  'invoiceId status amountDue currency dueDate payableUntil payUrl paymentTransactionId instrument stage expiresAt instructions { type code line accountHolder iban bankName reference }',
);
