import { disputeDueBy } from '../../../domain/payments/dispute.ts';
import { capturedUsdMinor, platformFeeUsdMinor } from '../../../domain/payments/funds.ts';
import type { AttemptReport as Report } from '../../../domain/rows/attempt-rows.ts';
import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import { TransactionStage } from '../../invoices/invoices/enums.ts';
import { PaymentInstructions } from '../../invoices/invoices/types/instructions.ts';
import type { TransactionRetry as Retry } from './retry.ts';

const AttemptReport = builder.objectRef<Report>('AttemptReport').implement({
  description: 'Report about a payment attempt by the payment provider or the bank.',
  fields: (t) => ({
    stage: t.member('stage', TransactionStage).describe('Reported stage of the attempt.'),
    at: t.field({
      type: 'DateTime',
      description: "Time of the report. In a sandbox, the test clock's time.",
      resolve: ({ at }) => new Date(at),
    }),
    code: t.string({
      nullable: true,
      description: 'Code of the bank. `null` unless the attempt failed or was returned.',
      resolve: ({ code }) => code ?? null,
    }),
    isContradiction: t.boolean({
      description: "Whether the report contradicts the result of the attempt, which it doesn't change.",
      resolve: ({ isContradiction }) => isContradiction === true,
    }),
  }),
});

export const Transaction = builder.prismaObject('Transaction', {
  ...node({ prefix: 'txn' }),
  description: 'A payment attempt. Each retry creates a new payment attempt with its own ID.',
  fields: (t) => ({
    ...t.columns('id', 'invoiceId'),
    amount: t.column('amountMinor'),
    grossAmount: t.column('grossUsdMinor'),
    subtotal: t.computed({
      type: 'SafeInt',
      nullable: true,
      amount: 'MINOR',
      description: 'Charged amount before tax, in US cents. `null` if `grossAmount` is `null`.',
      columns: ['grossUsdMinor', 'taxUsdMinor'],
      resolve: ({ grossUsdMinor, taxUsdMinor }) =>
        grossUsdMinor === null ? null : grossUsdMinor - (taxUsdMinor ?? 0n),
    }),
    taxAmount: t.column('taxUsdMinor'),
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
    ...t.columns('currency', 'provider', 'status', 'stage', 'instrument', 'declineCode', 'availableAt'),
    ...t.columns('collectionOn', 'expectedOn', 'latestOn', 'returnedAt'),
    reports: t.computed({
      type: [AttemptReport],
      description:
        'Reports about a bank debit or a payment that the payer starts, oldest first. Contains the newest 50 reports. Empty if the payment method confirms payments immediately.',
      columns: ['reports'],
      resolve: ({ reports }) => [...(reports ?? [])],
    }),
    ...t.columns('expiresAt'),
    instructions: t.computed({
      type: PaymentInstructions,
      nullable: true,
      description:
        'Instructions for the payer, such as a Pix code. `null` if the payment method has no instructions.',
      columns: ['instructions'],
      resolve: ({ instructions }) => instructions,
    }),
    refundedAmount: t.column('refundedMinor'),
    ...t.columns('disputedAt', 'disputeReason', 'disputeOutcome'),
    disputeDueBy: t.computed({
      type: 'DateTime',
      nullable: true,
      description:
        "Deadline for responding to the open dispute, 20 days after the dispute was opened. `null` if there's no open dispute.",
      columns: ['disputedAt', 'disputeOutcome'],
      resolve: disputeDueBy,
    }),
    ...t.columns('providerReference'),
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
    ...t.columns('paidAt', 'createdAt', 'updatedAt'),
    customer: t.row('customer', { description: 'Customer charged by the payment attempt.' }),
    invoice: t.row('invoice', {
      description: 'Invoice to be paid by the payment attempt. `null` if the payment has no invoice.',
    }),
    ...t.resource('transaction'),
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
    ...t.columns('id', 'transactionId'),
    amount: t.column('amountMinor'),
    ...t.columns('currency'),
    chargeId: t.string({
      nullable: true,
      description: 'Always `null`. `transactionId` identifies the refunded charge.',
      resolve: () => null,
    }),
    ...t.columns('status', 'reason'),
    ...t.columns('createdAt', 'updatedAt'),
    transaction: t.row('transaction', { description: 'Refunded payment attempt.' }),
    customer: t.row('customer', { description: 'Customer who receives the refund.' }),
    ...t.resource('refund'),
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
    originalTransactionId: t
      .member('originalTransactionId', 'ID')
      .describe("ID of the failed payment attempt, which doesn't change."),
    invoiceId: t.member('invoiceId', 'ID').describe('ID of the invoice for which the payment is retried.'),
    status: t.member('status', RetryStatus).describe('Status of the new payment attempt.'),
    ...t.resource('transaction_retry'),
  }),
});

restView('TransactionRetry', 'TransactionRetry', 'originalTransactionId invoiceId status object livemode');
