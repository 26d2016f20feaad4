import { operation } from '../../../engine/operation.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { newId } from '../../../platform/ids.ts';
import { TransactionStage } from '../../invoices/invoices/enums.ts';
import { DisputeOutcome, RefundReason } from './enums.ts';
import { retryResult } from './retry.ts';
import { onTransaction, requireRefund } from './store.ts';
import { Refund, Transaction, TransactionRetry } from './types.ts';

const TransactionRefundInput = builder.inputType('TransactionRefundInput', {
  description: 'Parameters for refunding a payment attempt.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the transaction.' }),
    amount: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      rule: { minimum: 1, graphqlOnly: true },
      description:
        'Amount to refund, in the smallest currency unit. At least 1. Defaults to the full refundable amount. REST always refunds the full refundable amount.',
    }),
    reason: t.field({
      type: RefundReason,
      rule: { graphqlOnly: true },
      description: 'Reason for the refund. By default, no reason is stored. Not available over REST.',
    }),
    cancelSubscription: t.boolean({
      rule: { graphqlOnly: true },
      description:
        "Whether to cancel the subscription when the refund succeeds. The cancellation takes effect immediately, or at the end of the current period if `cancelAtPeriodEnd` is `true`. By default, a full refund cancels the subscription if the invoice contains a plan's base price. Other refunds don't cancel the subscription. Not available over REST.",
    }),
    cancelAtPeriodEnd: t.boolean({
      rule: { graphqlOnly: true },
      description:
        'Whether the cancellation takes effect at the end of the current period or trial, so that the customer keeps access until then. Defaults to `false`. Fails with `validation_error` if the refund cancels no subscription, or if the subscription can only be canceled immediately, such as a past-due subscription. Not available over REST.',
    }),
  }),
});

/**
 * Refunds a successful payment attempt (PAY-26 … PAY-30). Throws `validation_error` on `id` if no amount is refundable or on `amount` if
 * the amount exceeds the refundable amount, and `payment_failed` if the payment provider declines the refund.
 */
export const transactionRefund = operation({
  input: TransactionRefundInput,
  find: onTransaction.find,
  command: ({ id, amount, reason, cancelSubscription, cancelAtPeriodEnd }, _transaction, ctx) => ({
    kind: 'transaction.refund',
    transactionId: id,
    // A repeated request continues the refund that the first request started.
    refundId: ctx.resumeLog?.left?.[0] ?? newId('ref'),
    amountMinor: amount == null ? null : BigInt(amount),
    reason: reason ?? null,
    cancelSubscription: cancelSubscription ?? null,
    cancelAtPeriodEnd: cancelAtPeriodEnd ?? false,
  }),
  result: (ctx, { command }) => requireRefund(ctx, command.refundId),
});

builder.mutationField('transactionRefund', (t) =>
  t.operation(transactionRefund, {
    type: Refund,
    description:
      "Refunds a successful payment attempt. A fully refunded attempt becomes `refunded`. If the invoice of a fully refunded attempt contains a plan's base price, the subscription is canceled with the reason `refund`. To keep the subscription, set `cancelSubscription` to `false`. To cancel it at the end of the period, set `cancelAtPeriodEnd` to `true`. The invoice stays paid, and a credit note documents the refund. The customer keeps purchased credits and top-ups. If a plan change converted part of the payment into customer credit, the unused credit is revoked, and the used credit can't be refunded. Fails with `validation_error` if the attempt hasn't succeeded, is already refunded, or is disputed.",
    rest: {
      method: 'POST',
      path: '/transactions/{id}/refund',
      view: 'Refund',
    },
    errors: ['transaction_not_found', 'payment_failed', 'provider_unsupported'],
    movesMoney: true,
    access: { scope: 'finance' },
  }),
);

const TransactionRetryInput = builder.inputType('TransactionRetryInput', {
  description: 'Parameters for retrying a failed payment attempt.',
  fields: (t) => ({ id: t.id({ required: true, description: 'ID of the transaction.' }) }),
});

/**
 * Charges the invoice of a failed payment attempt with a new attempt (PAY-31, BIL-42). If the card is declined, throws
 * `charge_failed` and uses up a dunning retry.
 */
const transactionRetry = operation({
  input: TransactionRetryInput,
  find: onTransaction.find,
  command: ({ id }) => ({ kind: 'transaction.retry', transactionId: id }),
  result: retryResult,
});

builder.mutationField('transactionRetry', (t) =>
  t.operation(transactionRetry, {
    type: TransactionRetry,
    description:
      "Charges a past-due subscription's outstanding invoice again, using the subscription's current payment method. Creates a new payment attempt and leaves the failed attempt unchanged. A decline uses up the next dunning retry, and the decline of the last retry ends dunning.",
    rest: {
      method: 'POST',
      path: '/transactions/{id}/retry',
      view: 'TransactionRetry',
    },
    errors: [
      'transaction_not_found',
      'no_outstanding_invoice',
      'no_payment_method',
      'charge_in_progress',
      'charge_failed',
    ],
    movesMoney: true,
    access: { scope: 'write' },
  }),
);

const TransactionDisputeResolveInput = builder.inputType('TransactionDisputeResolveInput', {
  description: 'Parameters for resolving a dispute over a payment attempt.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the transaction.' }),
    outcome: t.field({ type: DisputeOutcome, required: true, description: 'Outcome of the dispute.' }),
  }),
});

/** Resolves the open dispute of a payment attempt, simulating the payer's bank (PAY-32). */
const transactionDisputeResolve = operation({
  input: TransactionDisputeResolveInput,
  ...onTransaction,
  command: ({ id, outcome }) => ({ kind: 'dispute.resolve', transactionId: id, outcome }),
});

builder.mutationField('transactionDisputeResolve', (t) =>
  t.operation(transactionDisputeResolve, {
    type: Transaction,
    description:
      'Resolves a dispute in the sandbox, such as the dispute that follows a charge to the test card 4000 0000 0000 0259. If the dispute is won, the payment attempt becomes `succeeded` again. If the dispute is lost, the attempt stays `disputed`. Fails with `validation_error` if the attempt has no open dispute.',
    errors: ['transaction_not_found'],
    movesMoney: true,
    access: { scope: 'finance', environment: 'sandbox' },
  }),
);

const SandboxAttemptReportInput = builder.inputType('SandboxAttemptReportInput', {
  description: 'Parameters for simulating the result of a bank debit.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the transaction.' }),
    stage: t.field({
      type: TransactionStage,
      required: true,
      description:
        'Stage that the simulated bank reports: `processing`, `settled`, `declined`, or `returned`.',
    }),
    code: t.string({
      rule: { minLength: 1, maxLength: 50, pattern: /^[A-Za-z0-9_]+$/ },
      description:
        'Code of the bank for a failure or a return, such as `AM04`. By default, the code is the name of the stage.',
    }),
  }),
});

/** Reports a result of a bank debit, simulating the payer's bank (INS-133). */
const sandboxAttemptReport = operation({
  input: SandboxAttemptReportInput,
  ...onTransaction,
  command: ({ id, stage, code }, { subscriptionId }) => ({
    kind: 'attempt.report',
    transactionId: id,
    subscriptionId,
    stage,
    code: code ?? null,
  }),
});

builder.mutationField('sandboxAttemptReport', (t) =>
  t.operation(sandboxAttemptReport, {
    type: Transaction,
    description:
      "Reports a result of a bank debit in the sandbox immediately. Later results of the test account that no longer fit are removed. Fails with `validation_error` if the debit can't change to the stage, such as a declined debit to `settled`.",
    errors: ['transaction_not_found'],
    movesMoney: true,
    access: { scope: 'finance', environment: 'sandbox' },
  }),
);
