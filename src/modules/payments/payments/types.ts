import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import { addTotals } from '../../organization/currencies/types/list-totals.ts';
import { PaymentStatus } from './enums.ts';
import { paymentList } from './list.ts';
import { paymentUrl } from './store.ts';

export const Payment = builder.prismaObject('Payment', {
  ...node({ prefix: 'pay' }),
  description:
    'One-time payment without a plan or subscription, collected by a payment link or by charging a stored payment method.',
  fields: (t) => ({
    ...t.columns('id', 'customerId', 'kind', 'status', 'provider'),
    amountSubtotal: t.column('subtotalMinor'),
    taxAmount: t.column('taxMinor'),
    amountTotal: t.column('totalMinor'),
    ...t.columns('currency', 'description', 'metadata'),
    url: t.computed({
      type: 'String',
      nullable: true,
      description: 'URL of the payment page. `null` if the payment is a charge.',
      columns: ['id', 'kind'],
      resolve: (payment, _args, ctx) => paymentUrl(ctx, payment),
    }),
    expiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: "Expiration time. Always `null`, because payment links don't expire.",
      resolve: () => null,
    }),
    ...t.columns('successUrl', 'saveCard', 'cardSavedAt'),
    ...t.columns('failureCode', 'failureMessage'),
    ...t.columns('createdAt', 'updatedAt'),
    customer: t.row('customer', {
      description: "Customer who pays. `null` if the link has no customer and isn't paid yet.",
    }),
    invoice: t.row('invoice', { description: 'Invoice of the payment. `null` until the payment succeeds.' }),
    transactions: t.rows('transactions', {
      orderBy: 'seq',
      description: 'Attempts to collect the payment, oldest first.',
    }),
    ...t.resource('payment'),
  }),
});

export const PaymentConnection = connectionOf('Payment', Payment, 'one-time payments');

addTotals(PaymentConnection, {
  name: 'PaymentTotals',
  of: 'one-time payments',
  status: { type: PaymentStatus, description: 'Status of the payments.' },
  sums: {
    amount: {
      column: 'totalMinor',
      description: 'Sum of the payment amounts, including tax, in the smallest currency unit.',
    },
    tax: { column: 'taxMinor', description: 'Sum of the tax amounts, in the smallest currency unit.' },
  },
});

builder.prismaObjectField('Customer', 'payments', (t) =>
  t.page('payments', { description: 'One-time payments of the customer.', list: paymentList }),
);

builder.prismaObjectField('Transaction', 'payment', (t) =>
  t.row('payment', {
    description:
      "One-time payment that the attempt belongs to. `null` if the charge isn't for a one-time payment.",
  }),
);

const amounts = 'amountSubtotal taxAmount amountTotal currency';
restView(
  'Payment',
  'Payment',
  `id customerId kind status provider ${amounts} description metadata url expiresAt createdAt updatedAt object livemode`,
);
