import { builder } from '../../graphql/builder.ts';
import { changeQuota } from './change.ts';
import { UsageQuotaEvent } from './types.ts';

const reference = { minLength: 1, maxLength: 200 } as const;
const code = { minLength: 1, maxLength: 50, pattern: /^[a-z0-9_]+$/ } as const;
const steps = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1 } as const;

const words = {
  featureCode: 'Code of a quota feature.',
  customerId: 'Our id of the customer, else its external id; not with `externalId`.',
  externalId: "The caller's own id of the customer; not with `customerId`. Exactly one of the two is needed.",
} as const;

/** Codes every change can be rejected with. */
const changeErrors = [
  'feature_not_in_plan',
  'feature_disabled',
  'customer_not_found',
  'feature_not_found',
  'no_active_subscription',
] as const;

const UsageQuotaAddInput = builder.inputType('UsageQuotaAddInput', {
  description: 'Units of a quota that come to be held.',
  fields: (t) => ({
    featureCode: t.string({ required: true, rule: code, description: words.featureCode }),
    count: t.field({ type: 'SafeInt', rule: steps, description: 'How many, at least 1. Defaults to 1.' }),
    customerId: t.id({ rule: reference, description: words.customerId }),
    externalId: t.string({ description: words.externalId }),
  }),
});

builder.mutationField('usageQuotaAdd', (t) =>
  t.field({
    type: UsageQuotaEvent,
    description:
      'Adds units of a quota immediately. Units beyond the included ones are billed for the rest of the period, `included_limit_reached` where none are sold; getting back to a count the period has seen costs nothing.',
    rest: {
      method: 'POST',
      path: '/usage/quota',
      view: 'UsageQuotaEvent',
      errors: ['included_limit_reached', ...changeErrors],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: UsageQuotaAddInput, required: true, description: 'The units.' }) },
    resolve: (_root, { input }, ctx) => changeQuota(ctx, 'add', input),
  }),
);

const UsageQuotaSetInput = builder.inputType('UsageQuotaSetInput', {
  description: 'The wanted count of a quota.',
  fields: (t) => ({
    featureCode: t.string({ required: true, rule: code, description: words.featureCode }),
    count: t.field({
      type: 'SafeInt',
      required: true,
      rule: { minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      description: 'Units held from now on, at least 0.',
    }),
    customerId: t.id({ rule: reference, description: words.customerId }),
    externalId: t.string({ description: words.externalId }),
  }),
});

builder.mutationField('usageQuotaSet', (t) =>
  t.field({
    type: UsageQuotaEvent,
    description:
      'Sets the count of a quota immediately, up or down; a rise is billed and limited as by `usageQuotaAdd`.',
    rest: {
      method: 'PUT',
      path: '/usage/quota',
      view: 'UsageQuotaEvent',
      errors: ['included_limit_reached', ...changeErrors],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: UsageQuotaSetInput, required: true, description: 'The count.' }) },
    resolve: (_root, { input }, ctx) => changeQuota(ctx, 'set', input),
  }),
);

const UsageQuotaRemoveInput = builder.inputType('UsageQuotaRemoveInput', {
  description: 'Units of a quota that are no longer held.',
  fields: (t) => ({
    featureCode: t.string({ required: true, rule: code, description: words.featureCode }),
    customerId: t.id({ rule: reference, description: words.customerId }),
    count: t.field({ type: 'SafeInt', rule: steps, description: 'How many, at least 1. Defaults to 1.' }),
    externalId: t.string({ description: words.externalId }),
  }),
});

builder.mutationField('usageQuotaRemove', (t) =>
  t.field({
    type: UsageQuotaEvent,
    description:
      'Removes units of a quota immediately; `insufficient_balance` when fewer are held. What the period was charged stays.',
    rest: {
      method: 'POST',
      path: '/usage/quota/remove',
      view: 'UsageQuotaEvent',
      errors: ['insufficient_balance', ...changeErrors],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: UsageQuotaRemoveInput, required: true, description: 'The units.' }) },
    resolve: (_root, { input }, ctx) => changeQuota(ctx, 'remove', input),
  }),
);
