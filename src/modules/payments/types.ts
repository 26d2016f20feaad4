import { builder } from '../../graphql/builder.ts';
import { node } from '../../graphql/node.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import { restView } from '../../graphql/rest.ts';
import { Currency } from '../currencies/enums.ts';
import { addTotals } from '../currencies/types/list-totals.ts';
import { PaymentProvider } from '../transactions/enums.ts';
import { PaymentKind, PaymentStatus } from './enums.ts';
import { paymentList } from './list.ts';
import { paymentUrl } from './store.ts';

export const Payment = builder.prismaObject('Payment', {
  ...node({ prefix: 'pay' }),
  description:
    'A one-time payment: money asked for without a plan or a subscription behind it, by a link or by charging a stored method.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `pay_…`.' }),
    customerId: t.exposeID('customerId', {
      nullable: true,
      description: 'Who pays; null on a link without customer until it is paid.',
    }),
    kind: t.expose('kind', { type: PaymentKind, description: 'How it is made.' }),
    status: t.expose('status', { type: PaymentStatus, description: 'Where it stands.' }),
    provider: t.expose('provider', {
      type: PaymentProvider,
      description: 'Whose connection it goes through, or would.',
    }),
    amountSubtotal: t.expose('subtotalMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Before tax, minor units.',
    }),
    taxAmount: t.expose('taxMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Tax on top, minor units; 0 on a link without customer until someone gives an address.',
    }),
    amountTotal: t.expose('totalMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What is to be paid, minor units.',
    }),
    currency: t.expose('currency', {
      type: Currency,
      description: 'Lower-case ISO 4217 code of the amounts.',
    }),
    description: t.exposeString('description', { description: 'What it is for; stands on the invoice.' }),
    metadata: t.expose('metadata', {
      type: 'Json',
      nullable: true,
      description: 'Texts by keys of your own; null when none were given.',
    }),
    url: t.computed({
      type: 'String',
      nullable: true,
      description: 'The page it is paid at; null for a charge.',
      columns: ['id', 'kind'],
      resolve: (payment, _args, ctx) => paymentUrl(ctx, payment),
    }),
    expiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Always null: links do not expire.',
      resolve: () => null,
    }),
    successUrl: t.exposeString('successUrl', {
      nullable: true,
      description: 'Where the page leads back to; null to stay.',
    }),
    failureCode: t.exposeString('failureCode', {
      nullable: true,
      description: 'Why the latest attempt failed; null unless it did.',
    }),
    failureMessage: t.exposeString('failureMessage', {
      nullable: true,
      description: 'The same in a sentence; null unless it failed.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of its creation.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Business time of the last change.' }),
    customer: t.row('customer', {
      description: 'Who pays; null on a link without customer until it is paid.',
    }),
    invoice: t.row('invoice', { description: 'The invoice that documents it; null until it is paid.' }),
    transactions: t.rows('transactions', { orderBy: 'seq', description: 'The attempts, oldest first.' }),
    object: t.string({ description: 'Always `payment`.', resolve: () => 'payment' }),
    livemode: t.livemode(),
  }),
});

export const PaymentConnection = connectionOf('Payment', Payment, 'one-time payments');

addTotals(PaymentConnection, {
  name: 'PaymentTotals',
  of: 'one-time payments',
  status: { type: PaymentStatus, description: 'Where the payments stand.' },
  sums: {
    amount: {
      column: 'totalMinor',
      description: 'The sum of what is to be paid, tax included, minor units.',
    },
    tax: { column: 'taxMinor', description: 'The tax in it, minor units.' },
  },
});

builder.prismaObjectField('Customer', 'payments', (t) =>
  t.page('payments', { description: 'The one-time payments of the customer.', list: paymentList }),
);

builder.prismaObjectField('Transaction', 'payment', (t) =>
  t.row('payment', { description: 'The one-time payment it is an attempt at; null for every other charge.' }),
);

const amounts = 'amountSubtotal taxAmount amountTotal currency';
restView(
  'Payment',
  'Payment',
  `id customerId kind status provider ${amounts} description metadata url expiresAt createdAt updatedAt object livemode`,
);
