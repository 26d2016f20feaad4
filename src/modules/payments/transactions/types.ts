import { disputeDueBy } from '../../../domain/payments/dispute.ts';
import { capturedUsdMinor, platformFeeUsdMinor } from '../../../domain/payments/funds.ts';
import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import { Currency } from '../../organization/currencies/enums.ts';
import { DisputeOutcome, PaymentProvider, RefundReason, RefundStatus, TransactionStatus } from './enums.ts';
import type { TransactionRetry as Retry } from './retry.ts';

export const Transaction = builder.prismaObject('Transaction', {
  ...node({ prefix: 'txn' }),
  description: 'A payment attempt. Each retry creates a new payment attempt with its own ID.',
  fields: (t) => ({
    id: t.exposeID('id'),
    invoiceId: t.exposeID('invoiceId', { nullable: true }),
    amount: t.expose('amountMinor', { type: 'SafeInt', amount: 'MINOR' }),
    grossAmount: t.expose('grossUsdMinor', { type: 'SafeInt', nullable: true, amount: 'MINOR' }),
    subtotal: t.computed({
      type: 'SafeInt',
      nullable: true,
      amount: 'MINOR',
      description: 'Charged amount before tax, in US cents. `null` if `grossAmount` is `null`.',
      columns: ['grossUsdMinor', 'taxUsdMinor'],
      resolve: ({ grossUsdMinor, taxUsdMinor }) =>
        grossUsdMinor === null ? null : grossUsdMinor - (taxUsdMinor ?? 0n),
    }),
    taxAmount: t.expose('taxUsdMinor', { type: 'SafeInt', nullable: true, amount: 'MINOR' }),
    fee: t.computed({
      type: 'SafeInt',
      nullable: true,
      amount: 'MINOR',
      description:
        "Platform fee in US cents. Refunds don't return the fee. `null` if `grossAmount` is `null`, the platform didn't process the charge, or the charge didn't succeed.",
      extensions: { scope: 'finance' },
      columns: ['availableAt', 'grossUsdMinor', 'feeUsdMinor'],
      resolve: platformFeeUsdMinor,
    }),
    netAmount: t.computed({
      type: 'SafeInt',
      nullable: true,
      amount: 'MINOR',
      description:
        "Amount added to the balance, in US cents: the gross amount minus the fee and the tax that the platform remits. At least 0. Refunds and disputes aren't subtracted. `null` if `fee` is `null`.",
      extensions: { scope: 'finance' },
      columns: ['availableAt', 'provider', 'grossUsdMinor', 'taxUsdMinor', 'feeUsdMinor'],
      resolve: (transaction) =>
        platformFeeUsdMinor(transaction) === null ? null : capturedUsdMinor(transaction),
    }),
    presentmentAmount: t.computed({
      type: 'SafeInt',
      nullable: true,
      amount: 'MINOR',
      description:
        'Charged amount including tax, in the smallest unit of `currency`. `null` if the currency is US dollars.',
      columns: ['currency', 'amountMinor'],
      resolve: (transaction) => (transaction.currency === 'usd' ? null : transaction.amountMinor),
    }),
    currency: t.expose('currency', { type: Currency }),
    provider: t.expose('provider', { type: PaymentProvider }),
    status: t.expose('status', { type: TransactionStatus }),
    declineCode: t.exposeString('declineCode', { nullable: true }),
    availableAt: t.expose('availableAt', { type: 'DateTime', nullable: true }),
    refundedAmount: t.expose('refundedMinor', { type: 'SafeInt', amount: 'MINOR' }),
    disputedAt: t.expose('disputedAt', { type: 'DateTime', nullable: true }),
    disputeReason: t.exposeString('disputeReason', { nullable: true }),
    disputeOutcome: t.expose('disputeOutcome', { type: DisputeOutcome, nullable: true }),
    disputeDueBy: t.computed({
      type: 'DateTime',
      nullable: true,
      description:
        "Time by which to respond to the open dispute, 20 days after it was opened. `null` if there's no open dispute.",
      columns: ['disputedAt', 'disputeOutcome'],
      resolve: disputeDueBy,
    }),
    providerReference: t.exposeString('providerReference', { nullable: true }),
    customerEmail: t.fromRow('customer', {
      columns: ['email'],
      type: 'String',
      nullable: true,
      description: 'Email address of the customer. `null` if not set.',
      resolve: ({ email }) => email,
    }),
    customerName: t.fromRow('customer', {
      columns: ['fullName'],
      type: 'String',
      nullable: true,
      description: 'Name of the customer. `null` if not set.',
      resolve: ({ fullName }) => fullName || null,
    }),
    paidAt: t.expose('paidAt', { type: 'DateTime', nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    customer: t.row('customer', { description: 'Charged customer.' }),
    invoice: t.row('invoice', { description: 'Invoice to pay. `null` if the payment has no invoice.' }),
    object: t.string({ description: 'Always `transaction`.', resolve: () => 'transaction' }),
    livemode: t.livemode(),
  }),
});

const listed =
  'id invoiceId grossAmount subtotal taxAmount presentmentAmount currency provider status customerEmail customerName paidAt createdAt updatedAt object livemode';
restView('TransactionListItem', 'Transaction', listed);
restView('Transaction', 'Transaction', `${listed} availableAt`);

export const TransactionConnection = connectionOf('Transaction', Transaction, 'transactions');

builder.prismaObjectField('Invoice', 'transactions', (t) =>
  t.rows('transactions', {
    orderBy: 'seq',
    description: 'Payment attempts for the invoice, oldest first.',
  }),
);

export const Refund = builder.prismaObject('Refund', {
  ...node({ prefix: 'ref' }),
  description: 'Refund of a successful payment attempt.',
  fields: (t) => ({
    id: t.exposeID('id'),
    transactionId: t.exposeID('transactionId'),
    amount: t.expose('amountMinor', { type: 'SafeInt', amount: 'MINOR' }),
    currency: t.expose('currency', { type: Currency }),
    chargeId: t.string({
      nullable: true,
      description: 'Always `null`. `transactionId` identifies the refunded charge.',
      resolve: () => null,
    }),
    status: t.expose('status', { type: RefundStatus }),
    reason: t.expose('reason', { type: RefundReason, nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    transaction: t.row('transaction', { description: 'Refunded payment attempt.' }),
    customer: t.row('customer', { description: 'Customer who receives the refund.' }),
    object: t.string({ description: 'Always `refund`.', resolve: () => 'refund' }),
    livemode: t.livemode(),
  }),
});

export const RefundConnection = connectionOf('Refund', Refund, 'refunds');

restView('Refund', 'Refund', 'id transactionId amount currency chargeId status reason object livemode');

builder.prismaObjectField('Transaction', 'refunds', (t) =>
  t.rows('refunds', { orderBy: 'seq', description: 'Refunds of the payment attempt, oldest first.' }),
);

const RetryStatus = builder.enumType('RetryStatus', {
  description: 'Status of a retried payment attempt.',
  values: {
    processing: { description: "The payment provider hasn't responded yet." },
    succeeded: { description: 'The charge succeeded.' },
  },
});

export const TransactionRetry = builder.objectRef<Retry>('TransactionRetry').implement({
  description: 'Result of retrying a failed renewal payment.',
  fields: (t) => ({
    originalTransactionId: t.exposeID('originalTransactionId', {
      description: "ID of the failed payment attempt, which doesn't change.",
    }),
    invoiceId: t.exposeID('invoiceId', { description: 'ID of the invoice to pay.' }),
    status: t.expose('status', { type: RetryStatus, description: 'Status of the new payment attempt.' }),
    object: t.string({ description: 'Always `transaction_retry`.', resolve: () => 'transaction_retry' }),
    livemode: t.livemode(),
  }),
});

restView('TransactionRetry', 'TransactionRetry', 'originalTransactionId invoiceId status object livemode');
