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

const PortalLimitAction = builder.enumType('PortalLimitAction', {
  description: 'Effect of usage that reaches the amount of a limit of a customer.',
  values: {
    block: { description: 'Usage that would exceed the amount is rejected.' },
    notify: { description: 'The usage is accepted, and the customer is notified.' },
  } as const,
});

const PortalLimitChannel = builder.enumType('PortalLimitChannel', {
  description: 'Way in which customers are notified about the usage of their limits.',
  values: {
    customer_email: { description: 'An email, unless the organization turned off these emails.' },
    portal: { description: 'A message in the portal.' },
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
  action: inputField.field({
    type: PortalLimitAction,
    rule: { default: 'block' },
    description:
      'Effect of usage that reaches the amount. Defaults to `block`. With `notify`, the amount is 1 or more.',
  }),
  thresholds: inputField.intList({
    rule: { minimum: 1, maximum: 10_000, maxItems: 10, nullable: true },
    description:
      'Shares of the amount at which the customer is notified, in basis points and ascending (10,000 = 100%). From 1 to 10,000. Up to 10 items. If omitted, a known limit keeps its shares, and a new limit with the action `block` has 80% and 100%.',
  }),
  channels: inputField.field({
    type: [PortalLimitChannel],
    rule: { minItems: 1, maxItems: 2, nullable: true },
    description:
      'Ways in which the customer is notified. At least 1 item. If omitted, a known limit keeps its channels, and a new limit has `customer_email`.',
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
      "Sets a limit of the customer on their own usage: a cap that rejects usage above the amount, or an alert. If the customer already has a limit with the same measure, window, and action, its amount changes. A customer can set up to 5 limits on all usage, and 1 per budget. Limits of the organization don't change.",
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
