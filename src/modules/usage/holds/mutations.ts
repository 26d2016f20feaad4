import { recordPrepared } from '../../../engine/usage/record.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { UsageTrackItemInput } from '../usage/mutations.ts';
import { UsageEvent } from '../usage/types/usage.ts';
import { type BatchItem, prepareItems } from './track-items.ts';
import {
  type ExtendInput,
  type HoldInput,
  prepareExtend,
  prepareOpen,
  prepareRelease,
  prepareSettle,
  type ReleaseInput,
  type SettleInput,
} from './track-steps.ts';
import { UsageItemBatch } from './types/batch.ts';
import { UsageHold } from './types/hold.ts';
import {
  UsageHoldExtendInput,
  UsageHoldInput,
  UsageHoldItemInput,
  UsageReleaseInput,
  UsageReleaseItemInput,
  UsageSettleInput,
  UsageSettleItemInput,
} from './types/inputs.ts';

/** Error codes of usage that doesn't fit or can't be priced. */
const usageErrors = [
  'insufficient_balance',
  'pricing_mode_mismatch',
  'included_limit_reached',
  'insufficient_credits',
  'feature_not_in_plan',
  'feature_disabled',
  'model_not_found',
  'no_active_subscription',
] as const;

builder.mutationField('usageHold', (t) =>
  t.field({
    type: UsageHold,
    description:
      'Opens a hold, which reserves an estimate before the usage. The hold is accepted or rejected like a usage event of the estimate. Settle the hold with the actual usage, or release it.',
    rest: {
      method: 'POST',
      path: '/usage/holds',
      status: 201,
      view: 'UsageHold',
      ingestion: true,
      idempotency: 'batched',
    },
    errors: [
      ...usageErrors,
      'customer_not_found',
      'feature_not_found',
      ['duplicate', 'a different hold with the same `holdId` exists'],
    ],
    access: { scope: 'write' },
    args: { input: t.arg({ type: UsageHoldInput, required: true }) },
    prepare: ({ input }: { readonly input: HoldInput }) => prepareOpen(input),
    resolve: (_root, { input }, ctx) => recordPrepared(ctx, prepareOpen(input)),
  }),
);

builder.mutationField('usageHoldExtend', (t) =>
  t.field({
    type: UsageHold,
    description:
      'Extends an open hold: moves its end, adds to its estimate, or both. A hold lives at most 7 days. If the hold has expired, `details.reason` of the error is `hold_expired`.',
    rest: {
      method: 'POST',
      path: '/usage/holds/{id}/extend',
      view: 'UsageHold',
      ingestion: true,
      idempotency: 'batched',
    },
    errors: [...usageErrors, 'not_found', ['duplicate', 'the hold was settled or released']],
    access: { scope: 'write' },
    args: { input: t.arg({ type: UsageHoldExtendInput, required: true }) },
    prepare: ({ input }: { readonly input: ExtendInput }) => prepareExtend(input),
    resolve: (_root, { input }, ctx) => recordPrepared(ctx, prepareExtend(input)),
  }),
);

builder.mutationField('usageSettle', (t) =>
  t.field({
    type: UsageEvent,
    description:
      "Records the usage of a hold as a usage event, and frees the rest of the hold unless `final` is `false`. A settlement is never rejected because of a limit, the included units, or a pool. `onExcess` of the hold determines how much of the usage that wasn't reserved is charged. If the hold expired more than 72 hours ago, `details.reason` of the error is `hold_too_late`.",
    rest: {
      method: 'POST',
      path: '/usage/holds/{id}/settle',
      view: 'UsageEvent',
      ingestion: true,
      idempotency: 'batched',
    },
    errors: [
      'pricing_mode_mismatch',
      'insufficient_balance',
      'model_not_found',
      'not_found',
      [
        'duplicate',
        'the hold was released or settled with another quantity, or a different event with the same `eventId` was recorded',
      ],
    ],
    access: { scope: 'write' },
    args: { input: t.arg({ type: UsageSettleInput, required: true }) },
    prepare: ({ input }: { readonly input: SettleInput }) => prepareSettle(input),
    resolve: (_root, { input }, ctx) => recordPrepared(ctx, prepareSettle(input)),
  }),
);

builder.mutationField('usageRelease', (t) =>
  t.field({
    type: UsageHold,
    description:
      'Releases a hold without usage, and frees everything that it reserves. A hold that was released or has expired is returned unchanged.',
    rest: {
      method: 'POST',
      path: '/usage/holds/{id}/release',
      view: 'UsageHold',
      ingestion: true,
      idempotency: 'batched',
    },
    errors: ['not_found', ['duplicate', 'the hold was settled']],
    access: { scope: 'write' },
    args: { input: t.arg({ type: UsageReleaseInput, required: true }) },
    prepare: ({ input }: { readonly input: ReleaseInput }) => prepareRelease(input),
    resolve: (_root, { input }, ctx) => recordPrepared(ctx, prepareRelease(input)),
  }),
);

const UsageBatchItemInput = builder.inputType('UsageBatchItemInput', {
  description:
    'Item of a batch. Set exactly one field. An invalid value or a conflict rejects only this item. An unknown field or a value of the wrong type rejects the whole request.',
  fields: (t) => ({
    event: t.field({ type: UsageTrackItemInput, description: 'Event to record.' }),
    hold: t.field({ type: UsageHoldItemInput, description: 'Hold to open.' }),
    settle: t.field({ type: UsageSettleItemInput, description: 'Settlement of a hold.' }),
    release: t.field({ type: UsageReleaseItemInput, description: 'Release of a hold.' }),
  }),
});

const UsageBatchInput = builder.inputType('UsageBatchInput', {
  description: 'Parameters for a batch of events, holds, settlements, and releases.',
  fields: (t) => ({
    items: t.field({
      type: [UsageBatchItemInput],
      required: true,
      rule: { minItems: 1, maxItems: 1_000 },
      description: 'Items in the order in which they are processed. From 1 to 1,000 items.',
    }),
  }),
});

builder.mutationField('usageBatch', (t) =>
  t.field({
    type: UsageItemBatch,
    description:
      'Records up to 1,000 events, holds, settlements, and releases in order. Each item is decided on the effects of the previous items. An item can name a hold that an earlier item opens by its `holdId`. The request succeeds even if all items are rejected.',
    rest: {
      method: 'POST',
      path: '/usage/batch',
      view: 'UsageItemBatch',
      ingestion: true,
      idempotency: 'batched',
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: UsageBatchInput, required: true }) },
    prepare: ({ input }: { readonly input: { readonly items: readonly BatchItem[] } }, schema) =>
      prepareItems(input.items, schema),
    resolve: (_root, { input }, ctx, info) => recordPrepared(ctx, prepareItems(input.items, info.schema)),
  }),
);
