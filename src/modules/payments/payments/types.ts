import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import { Currency } from '../../organization/currencies/enums.ts';
import { addTotals } from '../../organization/currencies/types/list-totals.ts';
import { PaymentProvider } from '../transactions/enums.ts';
import { CardSaving, PaymentKind, PaymentStatus } from './enums.ts';
import { paymentList } from './list.ts';
import { paymentUrl } from './store.ts';

export const Payment = builder.prismaObject('Payment', {
  ...node({ prefix: 'pay' }),
  description:
    'One-time payment without a plan or subscription, collected by a payment link or by charging a stored payment method.',
  fields: (t) => ({
    id: t.exposeID('id'),
    customerId: t.exposeID('customerId', { nullable: true }),
    kind: t.expose('kind', { type: PaymentKind }),
    status: t.expose('status', { type: PaymentStatus }),
    provider: t.expose('provider', { type: PaymentProvider }),
    amountSubtotal: t.expose('subtotalMinor', { type: 'SafeInt', amount: 'MINOR' }),
    taxAmount: t.expose('taxMinor', { type: 'SafeInt', amount: 'MINOR' }),
    amountTotal: t.expose('totalMinor', { type: 'SafeInt', amount: 'MINOR' }),
    currency: t.expose('currency', { type: Currency }),
    description: t.exposeString('description'),
    metadata: t.expose('metadata', { type: 'Json', nullable: true }),
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
    successUrl: t.exposeString('successUrl', { nullable: true }),
    saveCard: t.expose('saveCard', { type: CardSaving }),
    cardSavedAt: t.expose('cardSavedAt', { type: 'DateTime', nullable: true }),
    failureCode: t.exposeString('failureCode', { nullable: true }),
    failureMessage: t.exposeString('failureMessage', { nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    customer: t.row('customer', {
      description: "Customer who pays. `null` if the link has no customer and isn't paid yet.",
    }),
    invoice: t.row('invoice', { description: 'Invoice of the payment. `null` until the payment succeeds.' }),
    transactions: t.rows('transactions', { orderBy: 'seq', description: 'Payment attempts, oldest first.' }),
    object: t.string({ description: 'Always `payment`.', resolve: () => 'payment' }),
    livemode: t.livemode(),
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
      description: 'Sum of the totals, including tax, in the smallest currency unit.',
    },
    tax: { column: 'taxMinor', description: 'Total tax, in the smallest currency unit.' },
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
