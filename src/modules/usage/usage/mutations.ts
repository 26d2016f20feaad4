import { recordPrepared } from '../../../engine/usage/record.ts';
import { budgetKey, code, reference } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { UsageLevelKind } from './enums.ts';
import { prepareTrack, setUsageTotal, type TrackInput } from './track.ts';
import { prepareBatch } from './track-batch.ts';
import { holdInputs, tokenInputs, UsagePropertyInput, uncheckedTokenInputs } from './types/inputs.ts';
import { UsageAdjustment, UsageBatch, UsageEvent } from './types/usage.ts';

const maxCount = Number.MAX_SAFE_INTEGER;

const UsageTrackInput = builder.inputType('UsageTrackInput', {
  description:
    'Parameters for recording usage. Set `value` for units, or `model` and token counts for an AI model.',
  fields: (t) => ({
    featureCode: t.string({ required: true, rule: code, description: 'Code of a usage feature.' }),
    customerId: t.id({
      required: true,
      rule: reference,
      description: 'ID or external ID of the customer.',
    }),
    eventId: t.string({
      rule: reference,
      description:
        'Identifier that you assign to the event. Each identifier is recorded once. If the same event is sent again, the response contains the recorded event.',
    }),
    timestamp: t.field({
      type: 'DateTime',
      description:
        'Time of the event. At most 5 minutes in the future, and not before the start of the subscription. Defaults to the current time.',
    }),
    properties: t.field({
      type: [UsagePropertyInput],
      rule: { maxItems: 100 },
      description: 'Custom properties. Up to 100 items.',
    }),
    ...tokenInputs('value'),
    value: t.field({
      type: 'SafeInt',
      rule: { minimum: 1, maximum: maxCount, default: 1 },
      description: 'Number of units. At least 1. Defaults to 1.',
    }),
    quantity: t.field({
      type: 'Decimal',
      description:
        "Number of units as a decimal, instead of `value`. At least 0. Can't have more decimal places than the meter of the feature.",
    }),
    kind: t.field({
      type: UsageLevelKind,
      description:
        "Effect of the event on the customer's level of the feature. Only allowed if the meter of the feature has `persists`. Defaults to `add`.",
    }),
    budget: t.string({
      rule: budgetKey,
      description:
        "Key of the customer's budget whose limits the usage counts toward. Defaults to no budget.",
    }),
    ...holdInputs({ rule: reference }),
  }),
});

/** Error codes for rejected usage events. */
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
  [
    'duplicate',
    'a different event with the same `eventId` was recorded, or the hold was settled or released',
  ],
  ['not_found', "the hold doesn't exist"],
] as const;

builder.mutationField('usageTrack', (t) =>
  t.field({
    type: UsageEvent,
    description:
      "Records usage and deducts its cost from the credits or the balance in one step. The event is either recorded completely or rejected. Checks run in this order: customer, subscription, feature, payload, event ID, timestamp, limit. The first failed check determines the error. If the number of input or output tokens is lower than the sum of its parts, `details.reason` is `parts_exceed_tokens`. If the quantity doesn't match the meter of the feature, `details.reason` is `bad_quantity`. If a limit rejects the usage, `details.reason` is `limit_reached`, and `details.limits` contains each limit that rejects the usage.",
    rest: {
      method: 'POST',
      path: '/usage/events',
      view: 'UsageEvent',
      ingestion: true,
      idempotency: 'batched',
    },
    errors: trackErrors,
    access: { scope: 'write' },
    args: { input: t.arg({ type: UsageTrackInput, required: true }) },
    prepare: ({ input }: { readonly input: TrackInput }) => prepareTrack(input),
    resolve: (_root, { input }, ctx) => recordPrepared(ctx, prepareTrack(input)),
  }),
);

export const UsageTrackItemInput = builder.inputType('UsageTrackItemInput', {
  description:
    'Event in a batch. An invalid value or a conflict rejects only this event. An unknown field or a value of the wrong type rejects the whole request.',
  fields: (t) => ({
    featureCode: t.string({ required: true, description: 'Code of a usage feature.' }),
    customerId: t.id({ required: true, description: 'ID or external ID of the customer.' }),
    eventId: t.string({ description: 'Identifier that you assign to the event.' }),
    timestamp: t.field({ type: 'DateTime', description: 'Time of the event. Defaults to the current time.' }),
    properties: t.field({ type: [UsagePropertyInput], description: 'Custom properties.' }),
    ...uncheckedTokenInputs,
    value: t.field({ type: 'SafeInt', description: 'Number of units. At least 1. Defaults to 1.' }),
    quantity: t.field({
      type: 'Decimal',
      description: 'Number of units as a decimal, instead of `value`. At least 0.',
    }),
    kind: t.field({
      type: UsageLevelKind,
      description:
        "Effect of the event on the customer's level of the feature. Only allowed if the meter of the feature has `persists`. Defaults to `add`.",
    }),
    budget: t.string({
      description:
        "Key of the customer's budget whose limits the usage counts toward. Defaults to no budget.",
    }),
    ...holdInputs({}),
  }),
});

const UsageTrackBatchInput = builder.inputType('UsageTrackBatchInput', {
  description: 'Parameters for recording several events. Events are recorded in order.',
  fields: (t) => ({
    events: t.field({
      type: [UsageTrackItemInput],
      required: true,
      rule: { minItems: 1, maxItems: 1_000 },
      description: 'Events to record. From 1 to 1,000 items.',
    }),
  }),
});

builder.mutationField('usageTrackBatch', (t) =>
  t.field({
    type: UsageBatch,
    description:
      'Records up to 1,000 events in order, in the same way as `usageTrack`. Each event is checked against the credits or balance that remain after the previous events. The request succeeds even if all events are rejected.',
    rest: {
      method: 'POST',
      path: '/usage/events/batch',
      view: 'UsageBatch',
      ingestion: true,
      idempotency: 'batched',
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: UsageTrackBatchInput, required: true }) },
    prepare: ({ input }: { readonly input: { readonly events: readonly TrackInput[] } }, schema) =>
      prepareBatch(input.events, schema),
    resolve: (_root, { input }, ctx, info) => recordPrepared(ctx, prepareBatch(input.events, info.schema)),
  }),
);

const UsageSetInput = builder.inputType('UsageSetInput', {
  description: 'Parameters for setting the usage total of a metered feature.',
  fields: (t) => ({
    customerId: t.id({
      required: true,
      rule: reference,
      description: 'ID or external ID of the customer.',
    }),
    featureCode: t.string({ required: true, rule: code, description: 'Code of a usage feature.' }),
    value: t.field({
      type: 'SafeInt',
      required: true,
      rule: { minimum: 0, maximum: maxCount },
      description: 'New usage total of the current usage window. At least 0.',
    }),
    reason: t.string({
      rule: { maxLength: 1_000, multiline: true },
      description: 'Reason for the adjustment. Up to 1,000 characters.',
    }),
  }),
});

builder.mutationField('usageSet', (t) =>
  t.field({
    type: UsageAdjustment,
    description:
      "Sets the usage total of a metered feature in the current usage window. Recorded events don't change.",
    rest: {
      method: 'PUT',
      path: '/usage',
      view: 'UsageAdjustment',
    },
    errors: [
      'feature_not_in_plan',
      'feature_disabled',
      ['included_limit_reached', 'the total exceeds a hard limit'],
      'customer_not_found',
      'feature_not_found',
      'no_active_subscription',
    ],
    access: { scope: 'write' },
    args: { input: t.arg({ type: UsageSetInput, required: true }) },
    resolve: (_root, { input }, ctx) => setUsageTotal(ctx, input),
  }),
);
