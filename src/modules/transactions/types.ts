import { capturedUsdMinor, keptFeeUsdMinor } from '../../domain/funds.ts';
import { disputeDueBy } from '../../domain/payments/dispute.ts';
import { builder } from '../../graphql/builder.ts';
import { node } from '../../graphql/node.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import { restView } from '../../graphql/rest.ts';
import { Currency } from '../currencies/enums.ts';
import { DisputeOutcome, PaymentProvider, RefundReason, RefundStatus, TransactionStatus } from './enums.ts';
import type { TransactionRetry as Retry } from './retry.ts';

export const Transaction = builder.prismaObject('Transaction', {
  ...node({ prefix: 'txn' }),
  description: 'One payment attempt; an attempt is never repeated under the same id.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `txn_…`; the gateway knows the attempt by it.' }),
    invoiceId: t.exposeID('invoiceId', {
      nullable: true,
      description: 'The invoice to be settled; null for a payment without one.',
    }),
    amount: t.expose('amountMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What was charged, tax included, minor units of `currency`.',
    }),
    grossAmount: t.expose('grossUsdMinor', {
      type: 'SafeInt',
      nullable: true,
      amount: 'MINOR',
      description: 'What was charged, US cents; null while the worth of another currency is not known.',
    }),
    subtotal: t.computed({
      type: 'SafeInt',
      nullable: true,
      amount: 'MINOR',
      description: 'The gross amount before tax, US cents; null together with `grossAmount`.',
      columns: ['grossUsdMinor', 'taxUsdMinor'],
      resolve: ({ grossUsdMinor, taxUsdMinor }) =>
        grossUsdMinor === null ? null : grossUsdMinor - (taxUsdMinor ?? 0n),
    }),
    taxAmount: t.expose('taxUsdMinor', {
      type: 'SafeInt',
      nullable: true,
      amount: 'MINOR',
      description: 'The tax in the gross amount, US cents; null together with `grossAmount`.',
    }),
    fee: t.computed({
      type: 'SafeInt',
      nullable: true,
      amount: 'MINOR',
      description:
        "What the platform kept of it, US cents; refunds do not return it. Null unless it settled on the platform's own processor, and together with `grossAmount`.",
      columns: ['availableAt', 'grossUsdMinor', 'feeUsdMinor'],
      resolve: keptFeeUsdMinor,
    }),
    netAmount: t.computed({
      type: 'SafeInt',
      nullable: true,
      amount: 'MINOR',
      description:
        'What it added to the balance, US cents: the gross amount less the fee and the tax the platform remits, at least 0, before refunds and disputes. Null together with `fee`.',
      columns: ['availableAt', 'provider', 'grossUsdMinor', 'taxUsdMinor', 'feeUsdMinor'],
      resolve: (transaction) =>
        keptFeeUsdMinor(transaction) === null ? null : capturedUsdMinor(transaction),
    }),
    presentmentAmount: t.computed({
      type: 'SafeInt',
      nullable: true,
      amount: 'MINOR',
      description: 'What was charged, minor units of `currency`; null for a charge in US dollars.',
      columns: ['currency', 'amountMinor'],
      resolve: (transaction) => (transaction.currency === 'usd' ? null : transaction.amountMinor),
    }),
    currency: t.expose('currency', {
      type: Currency,
      description: 'Lower-case ISO 4217 code of the charge.',
    }),
    provider: t.expose('provider', { type: PaymentProvider, description: 'The connection that was asked.' }),
    status: t.expose('status', { type: TransactionStatus, description: 'How the attempt went.' }),
    declineCode: t.exposeString('declineCode', {
      nullable: true,
      description: 'Why it was declined; null unless it was.',
    }),
    availableAt: t.expose('availableAt', {
      type: 'DateTime',
      nullable: true,
      description: "When the funds can be withdrawn; null unless it settled on the platform's own processor.",
    }),
    refundedAmount: t.expose('refundedMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What confirmed refunds have returned, minor units of `currency`.',
    }),
    disputedAt: t.expose('disputedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its latest dispute was opened; null when it was never disputed.',
    }),
    disputeReason: t.exposeString('disputeReason', {
      nullable: true,
      description: "The provider's reason code of that dispute; null without one.",
    }),
    disputeOutcome: t.expose('disputeOutcome', {
      type: DisputeOutcome,
      nullable: true,
      description: 'How that dispute ended; null while it is open and without one.',
    }),
    disputeDueBy: t.computed({
      type: 'DateTime',
      nullable: true,
      description:
        'When the open dispute is to be answered by, 20 days after it was opened; null without one and once it has ended.',
      columns: ['disputedAt', 'disputeOutcome'],
      resolve: disputeDueBy,
    }),
    providerReference: t.exposeString('providerReference', {
      nullable: true,
      description:
        "What the provider calls the payment, such as Stripe's `pi_…`; null where it knows it by our id, and before it has answered.",
    }),
    customerEmail: t.fromRow('customer', {
      columns: ['email'],
      type: 'String',
      nullable: true,
      description: 'Email address of the customer; null when it has none.',
      resolve: ({ email }) => email,
    }),
    customerName: t.fromRow('customer', {
      columns: ['fullName'],
      type: 'String',
      nullable: true,
      description: 'Name of the customer; null when none was given.',
      resolve: ({ fullName }) => fullName || null,
    }),
    paidAt: t.expose('paidAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was settled; null unless it was.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of the attempt.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Business time of the last change.' }),
    customer: t.row('customer', { description: 'Who was charged.' }),
    invoice: t.row('invoice', { description: 'The invoice to be settled; null for a payment without one.' }),
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
    description: 'The attempts to collect the invoice, oldest first.',
  }),
);

export const Refund = builder.prismaObject('Refund', {
  ...node({ prefix: 'ref' }),
  description: 'Money of a settled attempt that goes back.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `ref_…`; the gateway knows the refund by it.' }),
    transactionId: t.exposeID('transactionId', { description: 'The attempt whose money it is.' }),
    amount: t.expose('amountMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What goes back, minor units of `currency`.',
    }),
    currency: t.expose('currency', {
      type: Currency,
      description: 'Lower-case ISO 4217 code, that of the charge.',
    }),
    chargeId: t.string({
      nullable: true,
      description:
        "Id of the charge at the provider; null on the platform's own processor, which knows it by `transactionId`.",
      resolve: () => null,
    }),
    status: t.expose('status', { type: RefundStatus, description: 'How it went.' }),
    reason: t.expose('reason', {
      type: RefundReason,
      nullable: true,
      description: 'Why; null when no one said.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of the request.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Business time of the last change.' }),
    transaction: t.row('transaction', { description: 'The attempt whose money it is.' }),
    customer: t.row('customer', { description: 'Who gets the money back.' }),
    object: t.string({ description: 'Always `refund`.', resolve: () => 'refund' }),
    livemode: t.livemode(),
  }),
});

export const RefundConnection = connectionOf('Refund', Refund, 'refunds');

restView('Refund', 'Refund', 'id transactionId amount currency chargeId status reason object livemode');

builder.prismaObjectField('Transaction', 'refunds', (t) =>
  t.rows('refunds', { orderBy: 'seq', description: 'The refunds of the attempt, oldest first.' }),
);

const RetryStatus = builder.enumType('RetryStatus', {
  description: 'How far a new attempt is.',
  values: {
    processing: { description: 'The gateway has not answered.' },
    succeeded: { description: 'Settled.' },
  },
});

export const TransactionRetry = builder.objectRef<Retry>('TransactionRetry').implement({
  description: 'Outcome of trying a failed renewal again.',
  fields: (t) => ({
    originalTransactionId: t.exposeID('originalTransactionId', {
      description: 'The failed attempt, which stays as it is.',
    }),
    invoiceId: t.exposeID('invoiceId', { description: 'The invoice to be settled.' }),
    status: t.expose('status', { type: RetryStatus, description: 'How far the new attempt is.' }),
    object: t.string({ description: 'Always `transaction_retry`.', resolve: () => 'transaction_retry' }),
    livemode: t.livemode(),
  }),
});

restView('TransactionRetry', 'TransactionRetry', 'originalTransactionId invoiceId status object livemode');
