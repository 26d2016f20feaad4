import { specificError } from '../../../domain/errors/errors.ts';
import { smallestPayoutMinor } from '../../../domain/payments/payout.ts';
import { payoutAccess } from '../../../graphql/declare/access.ts';
import type { Rule } from '../../../graphql/declare/rules.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { movePayout } from './move.ts';
import { requestPayout, simulatePayout } from './request.ts';
import { Payout } from './types.ts';
import { withdrawPayout } from './withdraw.ts';

const payoutAmount = { minimum: Number(smallestPayoutMinor) } as const satisfies Rule;
const payoutDescription = { minLength: 1, maxLength: 1_000, multiline: true } as const satisfies Rule;

const PayoutCreateInput = builder.inputType('PayoutCreateInput', {
  description: 'Parameters for requesting a payout.',
  fields: (t) => ({
    amount: t.field({
      type: 'SafeInt',
      required: true,
      amount: 'MINOR',
      rule: payoutAmount,
      description: 'Amount to pay out, in US cents. At least 1,000.',
    }),
    description: t.string({
      rule: payoutDescription,
      description: 'Description of the payout. From 1 to 1,000 characters.',
    }),
  }),
});

builder.mutationField('payoutCreate', (t) =>
  t.field({
    type: Payout,
    description:
      "Requests a payout of available funds to the default bank account. The amount is deducted from the available balance immediately. There is no fee. Fails with `forbidden` if the organization isn't verified or has no bank account. In a sandbox, use `payoutSimulate`.",
    rest: {
      method: 'POST',
      path: '/payouts',
      status: 201,
      view: 'Payout',
    },
    errors: [
      ['insufficient_balance', 'the amount exceeds the available balance'],
      'payouts_not_available_in_sandbox',
    ],
    movesMoney: true,
    access: payoutAccess,
    args: { input: t.arg({ type: PayoutCreateInput, required: true }) },
    resolve: (_root, { input }, ctx) => requestPayout(ctx, input),
  }),
);

const PayoutCancelInput = builder.inputType('PayoutCancelInput', {
  description: 'Parameters for canceling a payout.',
  fields: (t) => ({ id: t.id({ required: true, description: 'ID of the payout.' }) }),
});

builder.mutationField('payoutCancel', (t) =>
  t.field({
    type: Payout,
    description:
      "Cancels a payout that hasn't been sent to the bank yet. The amount is available again. If the payout provider has already received the payout, the provider must cancel the payout. Until the provider responds, the payout stays `pending` with `isCancelRequested: true`. If the cancellation was too late, the payout continues. Fails with `validation_error` if the payout is in transit or final.",
    errors: ['not_found'],
    access: payoutAccess,
    args: { input: t.arg({ type: PayoutCancelInput, required: true }) },
    resolve: (_root, { input }, ctx) => withdrawPayout(ctx, input.id),
  }),
);

const PayoutSimulateInput = builder.inputType('PayoutSimulateInput', {
  description: 'Parameters for simulating a payout.',
  fields: (t) => ({
    amount: t.field({
      type: 'SafeInt',
      required: true,
      amount: 'MINOR',
      rule: payoutAmount,
      description: 'Amount in US cents. At least 1,000.',
    }),
    description: t.string({
      rule: payoutDescription,
      description: 'Description of the payout. From 1 to 1,000 characters.',
    }),
  }),
});

builder.mutationField('payoutSimulate', (t) =>
  t.field({
    type: Payout,
    description:
      'Requests a payout in a sandbox, without verification. As the test clock advances, the payout is in transit on the next business day, and is paid 2 business days later. Use `payoutOutcomeSimulate` to set a different outcome.',
    errors: [['insufficient_balance', 'the amount exceeds the available balance']],
    movesMoney: true,
    access: { scope: ['write', 'finance'], environment: 'sandbox' },
    args: { input: t.arg({ type: PayoutSimulateInput, required: true }) },
    resolve: (_root, { input }, ctx) => simulatePayout(ctx, input),
  }),
);

const PayoutOutcome = builder.enumType('PayoutOutcome', {
  description: 'Simulated outcome of a payout.',
  values: {
    in_transit: { description: 'The payout was sent to the bank.' },
    paid: { description: 'The payout arrived at the bank.' },
    failed: { description: 'The bank rejected the payout. The amount is available again.' },
  } as const,
});

const PayoutOutcomeSimulateInput = builder.inputType('PayoutOutcomeSimulateInput', {
  description: 'Parameters for simulating the outcome of a payout.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the payout.' }),
    outcome: t.field({
      type: PayoutOutcome,
      required: true,
      description: 'Outcome of the payout to simulate.',
    }),
    failureCode: t.string({
      rule: { minLength: 1, maxLength: 100 },
      description: 'Failure code of the payout. Defaults to `bank_rejected`.',
    }),
    failureMessage: t.string({
      rule: { minLength: 1, maxLength: 1_000, multiline: true },
      description:
        'Failure message of the payout. From 1 to 1,000 characters. Defaults to a generic message.',
    }),
  }),
});

builder.mutationField('payoutOutcomeSimulate', (t) =>
  t.field({
    type: Payout,
    description:
      "Simulates the bank's response to a payout in a sandbox. Fails with `validation_error` if the payout can't change from its status to the outcome.",
    errors: ['not_found'],
    access: { scope: ['write', 'finance'], environment: 'sandbox' },
    args: {
      input: t.arg({
        type: PayoutOutcomeSimulateInput,
        required: true,
      }),
    },
    resolve: (_root, { input: { id, outcome, failureCode, failureMessage } }, ctx) =>
      movePayout(ctx, { id, status: outcome, failureCode, failureMessage }),
  }),
);

builder.mutationField('payoutVerificationComplete', (t) =>
  t.field({
    type: Payout,
    description:
      'Deprecated: always fails with `endpoint_deprecated`. Verify the organization in the dashboard.',
    rest: {
      method: 'POST',
      path: '/payouts/verification',
      status: 410,
      view: 'Payout',
    },
    errors: ['endpoint_deprecated'],
    access: { scope: 'finance' },
    resolve: () => {
      throw specificError('endpoint_deprecated', 'verification');
    },
  }),
);
