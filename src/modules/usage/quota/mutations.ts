import { operation } from '../../../engine/operation.ts';
import { code, reference } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { changeErrors, changing } from './change.ts';
import { UsageQuotaEvent } from './types.ts';

const steps = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1 } as const;

const words = {
  featureCode: 'Code of a quota feature.',
  customerId: 'ID or external ID of the customer. Set exactly one of `customerId` and `externalId`.',
  externalId: 'External ID of the customer. Set exactly one of `customerId` and `externalId`.',
} as const;

const UsageQuotaAddInput = builder.inputType('UsageQuotaAddInput', {
  description: 'Parameters for adding quota units.',
  fields: (t) => ({
    featureCode: t.string({ required: true, rule: code, description: words.featureCode }),
    count: t.field({
      type: 'SafeInt',
      rule: steps,
      description: 'Number of units to add. At least 1. Defaults to 1.',
    }),
    customerId: t.id({ rule: reference, description: words.customerId }),
    externalId: t.string({ description: words.externalId }),
  }),
});

const quotaAdd = operation({ input: UsageQuotaAddInput, ...changing('add') });

builder.mutationField('usageQuotaAdd', (t) =>
  t.operation(quotaAdd, {
    type: UsageQuotaEvent,
    description:
      "Adds quota units immediately. Units above the included amount are billed for the rest of the period. Units up to the highest count of the period so far aren't charged again.",
    rest: {
      method: 'POST',
      path: '/usage/quota',
      view: 'UsageQuotaEvent',
    },
    errors: [
      [
        'included_limit_reached',
        "the new count exceeds the included units, and the plan doesn't allow overage",
      ],
      ...changeErrors,
    ],
    movesMoney: true,
    access: { scope: 'write' },
  }),
);

const UsageQuotaSetInput = builder.inputType('UsageQuotaSetInput', {
  description: 'Parameters for setting the quota count.',
  fields: (t) => ({
    featureCode: t.string({ required: true, rule: code, description: words.featureCode }),
    count: t.field({
      type: 'SafeInt',
      required: true,
      rule: { minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      description: 'New number of units. At least 0.',
    }),
    customerId: t.id({ rule: reference, description: words.customerId }),
    externalId: t.string({ description: words.externalId }),
  }),
});

const quotaSet = operation({ input: UsageQuotaSetInput, ...changing('set') });

builder.mutationField('usageQuotaSet', (t) =>
  t.operation(quotaSet, {
    type: UsageQuotaEvent,
    description:
      'Sets the quota count immediately. Increases are billed and limited in the same way as with `usageQuotaAdd`.',
    rest: {
      method: 'PUT',
      path: '/usage/quota',
      view: 'UsageQuotaEvent',
    },
    errors: [
      [
        'included_limit_reached',
        "the new count exceeds the included units, and the plan doesn't allow overage",
      ],
      ...changeErrors,
    ],
    movesMoney: true,
    access: { scope: 'write' },
  }),
);

const UsageQuotaRemoveInput = builder.inputType('UsageQuotaRemoveInput', {
  description: 'Parameters for removing quota units.',
  fields: (t) => ({
    featureCode: t.string({ required: true, rule: code, description: words.featureCode }),
    customerId: t.id({ rule: reference, description: words.customerId }),
    count: t.field({
      type: 'SafeInt',
      rule: steps,
      description: 'Number of units to remove. At least 1. Defaults to 1.',
    }),
    externalId: t.string({ description: words.externalId }),
  }),
});

const quotaRemove = operation({ input: UsageQuotaRemoveInput, ...changing('remove') });

builder.mutationField('usageQuotaRemove', (t) =>
  t.operation(quotaRemove, {
    type: UsageQuotaEvent,
    description: "Removes quota units immediately. Charges for the current period don't change.",
    rest: {
      method: 'POST',
      path: '/usage/quota/remove',
      view: 'UsageQuotaEvent',
    },
    errors: [['insufficient_balance', "`count` exceeds the customer's number of units"], ...changeErrors],
    movesMoney: true,
    access: { scope: 'write' },
  }),
);
