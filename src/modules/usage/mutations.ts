import { recordPrepared } from '../../engine/usage/record.ts';
import { builder } from '../../graphql/builder.ts';
import { code, reference } from '../../graphql/shapes.ts';
import { prepareTrack, setUsageTotal, type TrackInput } from './track.ts';
import { prepareBatch } from './track-batch.ts';
import { UsageAdjustment, UsageBatch, UsageEvent } from './types/usage.ts';

const maxCount = Number.MAX_SAFE_INTEGER;
const tokens = { minimum: 0, maximum: maxCount } as const;

const UsagePropertyInput = builder.inputType('UsagePropertyInput', {
  description: "A detail of a usage event in the caller's own words.",
  fields: (t) => ({
    property: t.string({
      required: true,
      rule: { maxLength: 200 },
      description: 'Its name, up to 200 characters.',
    }),
    value: t.string({
      required: true,
      rule: { maxLength: 2_000, multiline: true },
      description: 'Its value, up to 2 000 characters.',
    }),
  }),
});

const tokenWords = 'Only with `model`; at least 0.';

const UsageTrackInput = builder.inputType('UsageTrackInput', {
  description:
    'Something that was consumed: units by `value`, or tokens of an AI model by `model` and its counts.',
  fields: (t) => ({
    featureCode: t.string({ required: true, rule: code, description: 'Code of a usage feature.' }),
    customerId: t.id({
      required: true,
      rule: reference,
      description: 'Our id of the customer, else the external id.',
    }),
    eventId: t.string({
      rule: reference,
      description:
        "The caller's own id: an event is counted once for it, and the same one is answered again; `duplicate` for another.",
    }),
    timestamp: t.field({
      type: 'DateTime',
      description:
        'When it happened. Defaults to now: at most 5 minutes ahead, not before the subscription began.',
    }),
    properties: t.field({
      type: [UsagePropertyInput],
      rule: { maxItems: 100 },
      description: "Up to 100 details in the caller's own words.",
    }),
    model: t.string({
      rule: { minLength: 1, maxLength: 200 },
      description: 'An AI model, as `provider/name` or by its bare name; not with `value`.',
    }),
    inputTokens: t.field({
      type: 'SafeInt',
      rule: tokens,
      description: `Tokens in, cached ones included. ${tokenWords}`,
    }),
    outputTokens: t.field({ type: 'SafeInt', rule: tokens, description: `Tokens out. ${tokenWords}` }),
    cacheReadTokens: t.field({
      type: 'SafeInt',
      rule: tokens,
      description: `Tokens read from a cache. ${tokenWords}`,
    }),
    cacheWriteTokens: t.field({
      type: 'SafeInt',
      rule: tokens,
      description: `Tokens written to a cache. ${tokenWords}`,
    }),
    value: t.field({
      type: 'SafeInt',
      rule: { minimum: 1, maximum: maxCount, default: 1 },
      description: 'Units, at least 1. Defaults to 1.',
    }),
  }),
});

/** Codes one event can be rejected with. */
const trackErrors = [
  'insufficient_balance',
  'pricing_mode_mismatch',
  'included_limit_reached',
  'insufficient_credits',
  'feature_not_in_plan',
  'feature_disabled',
  'customer_not_found',
  'feature_not_found',
  'no_active_subscription',
  'model_not_found',
  'duplicate',
] as const;

builder.mutationField('usageTrack', (t) =>
  t.field({
    type: UsageEvent,
    description:
      'Records consumption and takes what it costs from the credits or the balance, in one step: the event is accepted whole or rejected. The reasons are looked at in the order customer, subscription, feature, shape, event id, timestamp, limit.',
    rest: {
      method: 'POST',
      path: '/usage/events',
      view: 'UsageEvent',
      ingestion: true,
      idempotency: 'batched',
      errors: trackErrors,
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: UsageTrackInput, required: true, description: 'What was consumed.' }) },
    prepare: ({ input }: { readonly input: TrackInput }) => prepareTrack(input),
    resolve: (_root, { input }, ctx) => recordPrepared(ctx, prepareTrack(input)),
  }),
);

const UsageTrackItemInput = builder.inputType('UsageTrackItemInput', {
  description:
    'One event of a batch; formats and conflicts reject the event, unknown fields and wrong types the call.',
  fields: (t) => ({
    featureCode: t.string({ required: true, description: 'Code of a usage feature.' }),
    customerId: t.id({ required: true, description: 'Our id of the customer, else the external id.' }),
    eventId: t.string({ description: "The caller's own id." }),
    timestamp: t.field({ type: 'DateTime', description: 'When it happened. Defaults to now.' }),
    properties: t.field({ type: [UsagePropertyInput], description: "Details in the caller's own words." }),
    model: t.string({ description: 'An AI model; not with `value`.' }),
    inputTokens: t.field({ type: 'SafeInt', description: tokenWords }),
    outputTokens: t.field({ type: 'SafeInt', description: tokenWords }),
    cacheReadTokens: t.field({ type: 'SafeInt', description: tokenWords }),
    cacheWriteTokens: t.field({ type: 'SafeInt', description: tokenWords }),
    value: t.field({ type: 'SafeInt', description: 'Units, at least 1. Defaults to 1.' }),
  }),
});

const UsageTrackBatchInput = builder.inputType('UsageTrackBatchInput', {
  description: 'Events to record in their order.',
  fields: (t) => ({
    events: t.field({
      type: [UsageTrackItemInput],
      required: true,
      rule: { minItems: 1, maxItems: 1_000 },
      description: '1 to 1 000 events.',
    }),
  }),
});

builder.mutationField('usageTrackBatch', (t) =>
  t.field({
    type: UsageBatch,
    description:
      'Records up to 1 000 events in their order, each as `usageTrack` would: what one takes, the next does not find. The call succeeds even if all are rejected.',
    rest: {
      method: 'POST',
      path: '/usage/events/batch',
      view: 'UsageBatch',
      ingestion: true,
      idempotency: 'batched',
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: UsageTrackBatchInput, required: true, description: 'The batch.' }) },
    prepare: ({ input }: { readonly input: { readonly events: readonly TrackInput[] } }, schema) =>
      prepareBatch(input.events, schema),
    resolve: (_root, { input }, ctx, info) => recordPrepared(ctx, prepareBatch(input.events, info.schema)),
  }),
);

const UsageSetInput = builder.inputType('UsageSetInput', {
  description: 'The wanted total of a metered feature.',
  fields: (t) => ({
    customerId: t.id({
      required: true,
      rule: reference,
      description: 'Our id of the customer, else the external id.',
    }),
    featureCode: t.string({ required: true, rule: code, description: 'Code of a usage feature.' }),
    value: t.field({
      type: 'SafeInt',
      required: true,
      rule: { minimum: 0, maximum: maxCount },
      description: 'The total from now on, at least 0.',
    }),
    reason: t.string({
      rule: { maxLength: 1_000, multiline: true },
      description: 'Why, up to 1 000 characters.',
    }),
  }),
});

builder.mutationField('usageSet', (t) =>
  t.field({
    type: UsageAdjustment,
    description:
      'Sets the total of a metered feature in the open window; events stay as they are. A total above a hard limit is rejected like an event.',
    rest: {
      method: 'PUT',
      path: '/usage',
      view: 'UsageAdjustment',
      errors: [
        'feature_not_in_plan',
        'feature_disabled',
        'included_limit_reached',
        'customer_not_found',
        'feature_not_found',
        'no_active_subscription',
      ],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: UsageSetInput, required: true, description: 'The total.' }) },
    resolve: (_root, { input }, ctx) => setUsageTotal(ctx, input),
  }),
);
