// What only GraphQL has: withdrawing a payout, and a sandbox that plays the bank.
import { builder } from '../../graphql/builder.ts';
import { movePayout } from './move.ts';
import { payoutAmount, payoutDescription } from './mutations.ts';
import { simulatePayout } from './request.ts';
import { Payout } from './types.ts';
import { withdrawPayout } from './withdraw.ts';

const PayoutCancelInput = builder.inputType('PayoutCancelInput', {
  description: 'Which payout to withdraw.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Id of the payout.' }) }),
});

builder.mutationField('payoutCancel', (t) =>
  t.field({
    type: Payout,
    description:
      'Withdraws a payout that is not on its way yet; the amount is available again. Where the bank rail has been asked for it, the rail has to take it back: until it has, the payout stays `pending` with `isCancelRequested`, and it goes on when that was too late. `validation_error` for one that is on its way or over (PAY-37).',
    access: { scope: 'finance' },
    args: { input: t.arg({ type: PayoutCancelInput, required: true, description: 'The payout.' }) },
    resolve: (_root, { input }, context) => withdrawPayout(context, input.id),
  }),
);

const PayoutSimulateInput = builder.inputType('PayoutSimulateInput', {
  description: 'A payout the sandbox plays.',
  fields: (t) => ({
    amount: t.field({ type: 'SafeInt', required: true, amount: 'MINOR', rule: payoutAmount, description: 'US cents, at least 1000.' }),
    description: t.string({ rule: payoutDescription, description: 'What to call it, 1 to 1000 characters.' }),
  }),
});

builder.mutationField('payoutSimulate', (t) =>
  t.field({
    type: Payout,
    description:
      'Asks for a payout in a sandbox, where nobody has to be verified. The test clock moves it on: on its way the next business day, paid two business days later, unless `payoutOutcomeSimulate` says otherwise. `insufficient_balance`, `sandbox_only` for live keys.',
    access: { scope: 'finance', environment: 'sandbox' },
    args: { input: t.arg({ type: PayoutSimulateInput, required: true, description: 'The payout.' }) },
    resolve: (_root, { input }, context) => simulatePayout(context, input),
  }),
);

const PayoutOutcome = builder.enumType('PayoutOutcome', {
  description: 'What the bank of a sandbox makes of a payout.',
  values: {
    in_transit: { description: 'It is on its way.' },
    paid: { description: 'It has arrived.' },
    failed: { description: 'It was refused; the amount is available again.' },
  } as const,
});

const PayoutOutcomeSimulateInput = builder.inputType('PayoutOutcomeSimulateInput', {
  description: 'What becomes of a payout.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the payout.' }),
    outcome: t.field({ type: PayoutOutcome, required: true, description: 'What the bank says.' }),
    failureCode: t.string({ rule: { minLength: 1, maxLength: 100 }, description: 'Why it failed; `bank_rejected` unless told.' }),
    failureMessage: t.string({ rule: { minLength: 1, maxLength: 1_000 }, description: 'The same in a sentence.' }),
  }),
});

builder.mutationField('payoutOutcomeSimulate', (t) =>
  t.field({
    type: Payout,
    description:
      'Plays the bank of a sandbox (PAY-37). `not_found`, `validation_error` where the status of the payout does not lead there, `sandbox_only` for live keys.',
    access: { scope: 'finance', environment: 'sandbox' },
    args: { input: t.arg({ type: PayoutOutcomeSimulateInput, required: true, description: 'The payout and what becomes of it.' }) },
    resolve: (_root, { input: { id, outcome, failureCode, failureMessage } }, context) =>
      movePayout(context, { id, status: outcome, failureCode, failureMessage }),
  }),
);
