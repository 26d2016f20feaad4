import type { SetupStep } from '../../../../domain/metrics/setup.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { computeTests, type SandboxTest } from '../compute-setup.ts';

const SetupStepKey = builder.enumType('SetupStepKey', {
  description: 'Step of the setup.',
  values: {
    payment_provider: {
      description:
        'Accept payments: connect an account at a payment provider with a webhook secret, or verify the organization for payouts.',
    },
    business_details: { description: 'Set the country and the address of the organization.' },
    taxes: { description: 'Add a tax registration for each country or region where you collect tax.' },
    branding: { description: 'Set the logo and the color of pages, emails, and documents.' },
    emails: { description: 'Set the reply-to address of customer emails and the address for alerts.' },
    api_key: { description: 'Create an API key in this environment and send a request with the key.' },
    webhook: { description: 'Create a webhook endpoint that accepts an event.' },
    first_payment: { description: 'Receive a payment.' },
  } satisfies Record<SetupStep['key'], { description: string }>,
});

const SetupStepState = builder.enumType('SetupStepState', {
  description: 'State of a setup step.',
  values: {
    open: { description: 'No part of the step is complete.' },
    in_progress: { description: 'A part of the step is complete.' },
    done: { description: 'The step is complete.' },
  } satisfies Record<SetupStep['state'], { description: string }>,
});

const SandboxTestKey = builder.enumType('SandboxTestKey', {
  description: 'Situation that you can try in the sandbox before you accept live payments.',
  values: {
    payment: { description: 'A payment succeeded.' },
    declined_payment: { description: 'A payment was declined.' },
    refund: { description: 'A payment was refunded.' },
    plan_change: { description: 'A customer changed to another plan.' },
    cancellation: { description: 'A subscription was canceled.' },
  } satisfies Record<SandboxTest['key'], { description: string }>,
});

const SetupStepType = builder.objectRef<SetupStep>('SetupStep').implement({
  description: 'Step of the setup, with its state.',
  fields: (t) => ({
    key: t.member('key', SetupStepKey).describe('Identifies the step.'),
    state: t.member('state', SetupStepState).describe('State of the step.'),
    required: t
      .member('required', 'Boolean')
      .describe('Whether the step must be complete before customers can pay.'),
  }),
});

const SandboxTestType = builder.objectRef<SandboxTest>('SandboxTest').implement({
  description: 'Situation that was or was not tried in the sandbox.',
  fields: (t) => ({
    key: t.member('key', SandboxTestKey).describe('Identifies the situation.'),
    at: t
      .maybe('at', 'DateTime')
      .describe(
        "Test clock's time at which the situation first occurred in the sandbox. `null` if the situation hasn't occurred.",
      ),
  }),
});

export const Setup = builder.objectRef<{ readonly steps: readonly SetupStep[] }>('Setup').implement({
  description: 'Setup of the organization for payments in this environment.',
  fields: (t) => ({
    steps: t.member('steps', [SetupStepType]).describe('Steps in the recommended order.'),
    isReady: t.boolean({
      description: '`true` if every required step is complete.',
      resolve: ({ steps }) => steps.every(({ required, state }) => !required || state === 'done'),
    }),
    testedInSandbox: t.field({
      type: [SandboxTestType],
      description: "Situations to try in the organization's sandbox, and whether they have occurred.",
      resolve: (_setup, _args, ctx) => computeTests(ctx),
    }),
  }),
});
