import { builder } from '../../../../graphql/reading/builder.ts';
import { raiseOwnLimit, removeOwnLimit, setOwnLimit } from '../set-limit.ts';
import { PortalUsageLimits } from '../types/limits.ts';
import { inputField, portalInput } from './declare.ts';

const PortalLimitMeasure = builder.enumType('PortalLimitMeasure', {
  description: 'Number that a limit of a customer bounds.',
  values: {
    spend: { description: 'Amount that is billed after the usage, before tax.' },
    value: { description: 'Price of the usage as if no units were included.' },
  } as const,
});

const PortalLimitWindow = builder.enumType('PortalLimitWindow', {
  description: 'Time over which a limit of a customer sums usage.',
  values: {
    usage_window: { description: 'Usage window of the subscription.' },
    day: { description: "Calendar day in the customer's time zone." },
    week: { description: "Calendar week in the customer's time zone." },
    month: { description: "Calendar month in the customer's time zone." },
  } as const,
});

const limitId = inputField.id({
  required: true,
  rule: { minLength: 1, maxLength: 200 },
  description: 'ID of a limit that the customer set.',
});

const PortalLimitSetInput = portalInput('PortalLimitSetInput', 'Parameters for setting a limit.', {
  measure: inputField.field({
    type: PortalLimitMeasure,
    required: true,
    description: 'Number that the limit bounds.',
  }),
  amount: inputField.field({
    type: 'SafeInt',
    required: true,
    amount: 'MINOR',
    rule: { minimum: 0 },
    description:
      "Maximum in the smallest unit of the subscription's currency. 0 rejects all usage that the measure counts.",
  }),
  window: inputField.field({
    type: PortalLimitWindow,
    rule: { default: 'usage_window' },
    description: 'Time over which usage is summed. Defaults to `usage_window`.',
  }),
  budget: inputField.string({
    rule: { minLength: 1, maxLength: 201, nullable: true },
    description: 'Key of a budget of the customer. Defaults to all usage of the customer.',
  }),
});

builder.mutationField('portalLimitSet', (t) =>
  t.field({
    type: PortalUsageLimits,
    description:
      "Sets a limit of the customer on their own usage. Usage that would exceed the amount is rejected. If the customer already has a limit with the same measure and window, its amount changes. A customer can set up to 5 limits on all usage, and 1 per budget. Limits of the organization don't change.",
    errors: ['subscription_not_found', 'not_found'],
    access: { page: 'portal' },
    args: { input: t.arg({ type: PortalLimitSetInput, required: true }) },
    resolve: (_root, { input }, ctx) => setOwnLimit(ctx, input),
  }),
);

const PortalLimitRemoveInput = portalInput('PortalLimitRemoveInput', 'Parameters for removing a limit.', {
  limitId,
});

builder.mutationField('portalLimitRemove', (t) =>
  t.field({
    type: PortalUsageLimits,
    description: 'Removes a limit that the customer set. The next usage is no longer limited.',
    errors: ['not_found'],
    access: { page: 'portal' },
    args: { input: t.arg({ type: PortalLimitRemoveInput, required: true }) },
    resolve: (_root, { input }, ctx) => removeOwnLimit(ctx, input.limitId),
  }),
);

const PortalLimitRaiseInput = portalInput('PortalLimitRaiseInput', 'Parameters for raising a limit.', {
  limitId,
  amount: inputField.field({
    type: 'SafeInt',
    required: true,
    amount: 'MINOR',
    rule: { minimum: 1 },
    description: 'Amount to add until the end of the current window, in the smallest currency unit.',
  }),
});

builder.mutationField('portalLimitRaise', (t) =>
  t.field({
    type: PortalUsageLimits,
    description: 'Raises a limit that the customer set until the end of its current window.',
    errors: ['not_found'],
    access: { page: 'portal' },
    args: { input: t.arg({ type: PortalLimitRaiseInput, required: true }) },
    resolve: (_root, { input }, ctx) => raiseOwnLimit(ctx, input),
  }),
);
