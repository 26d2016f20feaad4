import { specificError } from '../../domain/errors.ts';
import { smallestPayoutMinor } from '../../domain/payout.ts';
import { builder } from '../../graphql/builder.ts';
import type { Rule } from '../../graphql/rules.ts';
import { movePayout } from './move.ts';
import { requestPayout, simulatePayout } from './request.ts';
import { Payout } from './types.ts';
import { withdrawPayout } from './withdraw.ts';

export const payoutAmount = { minimum: Number(smallestPayoutMinor) } as const satisfies Rule;
export const payoutDescription = { minLength: 1, maxLength: 1_000, multiline: true } as const satisfies Rule;

const PayoutCreateInput = builder.inputType('PayoutCreateInput', {
  description: 'A payout to ask for.',
  fields: (t) => ({
    amount: t.field({
      type: 'SafeInt',
      required: true,
      amount: 'MINOR',
      rule: payoutAmount,
      description: 'US cents, at least 1000.',
    }),
    description: t.string({ rule: payoutDescription, description: 'What to call it, 1 to 1000 characters.' }),
  }),
});

builder.mutationField('payoutCreate', (t) =>
  t.field({
    type: Payout,
    description:
      'Sends available funds to the default bank account; the amount leaves the available balance immediately, without a fee. `forbidden` before the organization is verified and without a bank account, `insufficient_balance` for more than is available. In a sandbox `payoutSimulate` plays it.',
    rest: {
      method: 'POST',
      path: '/payouts',
      status: 201,
      view: 'Payout',
      errors: ['insufficient_balance', 'payouts_not_available_in_sandbox'],
    },
    access: { scope: 'finance', proof: true },
    args: { input: t.arg({ type: PayoutCreateInput, required: true, description: 'The payout.' }) },
    resolve: (_root, { input }, ctx) => requestPayout(ctx, input),
  }),
);

const PayoutCancelInput = builder.inputType('PayoutCancelInput', {
  description: 'Which payout to withdraw.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Id of the payout.' }) }),
});

builder.mutationField('payoutCancel', (t) =>
  t.field({
    type: Payout,
    description:
      'Withdraws a payout that is not on its way yet; the amount is available again. Where the payout provider has been asked for it, the provider has to take it back: until it has, the payout stays `pending` with `isCancelRequested`, and it continues when that was too late. `validation_error` for one that is on its way or over.',
    errors: ['not_found'],
    access: { scope: 'finance' },
    args: { input: t.arg({ type: PayoutCancelInput, required: true, description: 'The payout.' }) },
    resolve: (_root, { input }, ctx) => withdrawPayout(ctx, input.id),
  }),
);

const PayoutSimulateInput = builder.inputType('PayoutSimulateInput', {
  description: 'A payout the sandbox plays.',
  fields: (t) => ({
    amount: t.field({
      type: 'SafeInt',
      required: true,
      amount: 'MINOR',
      rule: payoutAmount,
      description: 'US cents, at least 1000.',
    }),
    description: t.string({ rule: payoutDescription, description: 'What to call it, 1 to 1000 characters.' }),
  }),
});

builder.mutationField('payoutSimulate', (t) =>
  t.field({
    type: Payout,
    description:
      'Asks for a payout in a sandbox, where no one has to be verified. The test clock moves it on: on its way the next business day, paid two business days later, unless `payoutOutcomeSimulate` says otherwise. `insufficient_balance`, `sandbox_only` for live keys.',
    errors: ['insufficient_balance'],
    access: { scope: 'finance', environment: 'sandbox' },
    args: { input: t.arg({ type: PayoutSimulateInput, required: true, description: 'The payout.' }) },
    resolve: (_root, { input }, ctx) => simulatePayout(ctx, input),
  }),
);

const PayoutOutcome = builder.enumType('PayoutOutcome', {
  description: 'What the bank of a sandbox makes of a payout.',
  values: {
    in_transit: { description: 'It is on its way.' },
    paid: { description: 'It has arrived.' },
    failed: { description: 'It was rejected; the amount is available again.' },
  } as const,
});

const PayoutOutcomeSimulateInput = builder.inputType('PayoutOutcomeSimulateInput', {
  description: 'What becomes of a payout.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the payout.' }),
    outcome: t.field({ type: PayoutOutcome, required: true, description: 'What the bank says.' }),
    failureCode: t.string({
      rule: { minLength: 1, maxLength: 100 },
      description: 'Why it failed. Defaults to `bank_rejected`.',
    }),
    failureMessage: t.string({
      rule: { minLength: 1, maxLength: 1_000, multiline: true },
      description: 'The same in a sentence.',
    }),
  }),
});

builder.mutationField('payoutOutcomeSimulate', (t) =>
  t.field({
    type: Payout,
    description:
      'Plays the bank of a sandbox. `not_found`, `validation_error` where the status of the payout does not lead there, `sandbox_only` for live keys.',
    errors: ['not_found'],
    access: { scope: 'finance', environment: 'sandbox' },
    args: {
      input: t.arg({
        type: PayoutOutcomeSimulateInput,
        required: true,
        description: 'The payout and what becomes of it.',
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
      'Retired: always answers `endpoint_deprecated`. Organizations are verified on the dashboard.',
    rest: {
      method: 'POST',
      path: '/payouts/verification',
      status: 410,
      view: 'Payout',
      errors: ['endpoint_deprecated'],
    },
    access: { scope: 'finance' },
    resolve: () => {
      throw specificError('endpoint_deprecated', 'verification');
    },
  }),
);
