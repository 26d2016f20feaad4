import { builder } from '../../../../graphql/reading/builder.ts';

const LimitNodeInput = builder.inputType('LimitNodeInput', {
  description:
    'Customer, budget, API key, or member to which a limit applies. Set `customer`, `apiKey`, or `member`.',
  fields: (t) => ({
    customer: t.id({ description: 'ID or external ID of the customer.' }),
    budget: t.string({ description: 'Key of a budget of the customer. Defaults to the customer.' }),
    apiKey: t.id({ description: 'ID of the API key, for templates of API keys.' }),
    member: t.id({ description: 'ID of the member, for templates of members.' }),
  }),
});

export const LimitRaiseInput = builder.inputType('LimitRaiseInput', {
  description: 'Parameters for raising a limit.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the limit.' }),
    node: t.field({
      type: LimitNodeInput,
      description:
        'Node whose limit is raised. Required for templates. Not allowed for limits of the organization or a plan. Defaults to the node of the limit.',
    }),
    amount: t.field({
      type: 'SafeInt',
      required: true,
      rule: { minimum: 1 },
      description: 'Amount to add, in the unit of the amount of the limit. 1 or more.',
    }),
    until: t.field({
      type: 'DateTime',
      description:
        'Time from which the raise no longer applies. Must be in the future. Defaults to the end of the current window. Required if no window with an end is open.',
    }),
    reason: t.string({
      rule: { maxLength: 500, multiline: true },
      description: 'Reason for the raise. Up to 500 characters.',
    }),
  }),
});

export const LimitRaiseEndInput = builder.inputType('LimitRaiseEndInput', {
  description: 'Parameters for ending a raise of a limit.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the limit.' }),
    raiseId: t.id({ required: true, description: 'ID of the raise.' }),
  }),
});
