import { restView } from '../../../../graphql/declare/rest.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { UsageEvent, usageEventFields } from '../../usage/types/usage.ts';
import type { ItemResult } from '../track-items.ts';
import { UsageHold, usageHoldFields } from './hold.ts';

const UsageItemResult = builder.objectRef<ItemResult>('UsageItemResult').implement({
  description: 'Result for one item of a batch.',
  fields: (t) => ({
    index: t.member('index', 'Int').describe('Position of the item in the batch, starting at 0.'),
    event: t
      .maybe('event', UsageEvent)
      .describe('Recorded event. `null` if the item is a hold or a release, or if the item was rejected.'),
    hold: t
      .maybe('hold', UsageHold)
      .describe(
        'Opened or released hold. `null` if the item is an event or a settlement, or if it was rejected.',
      ),
    code: t.maybe('code', 'String').describe('Error code of the rejection. `null` if the item was accepted.'),
    error: t
      .maybe('error', 'String')
      .describe('Error message of the rejection. `null` if the item was accepted.'),
    details: t
      .maybe('details', 'Json')
      .describe(
        'Details of the rejection, such as the limits that reject the item. `null` if the item was accepted, or if the rejection has no `reason` and no `limits`.',
      ),
  }),
});

export const UsageItemBatch = builder
  .objectRef<{ readonly results: readonly ItemResult[] }>('UsageItemBatch')
  .implement({
    description: 'Results of a batch of events, holds, settlements, and releases, in the order of the items.',
    fields: (t) => ({
      results: t.member('results', [UsageItemResult]).describe('One result per item.'),
      ...t.resource('usage_batch'),
    }),
  });

restView(
  'UsageItemBatch',
  'UsageItemBatch',
  `results { index event { ${usageEventFields} } hold { ${usageHoldFields} } code error details } object livemode`,
  {
    absentWhenUnset: [
      'results.event.quantity',
      'results.event.consumption',
      'results.event.consumption.asset',
      'results.event.budget',
      'results.event.hold',
      'results.event.isLate',
      'results.event.uncounted',
      'results.event',
      'results.hold.budget',
      'results.hold.outputTokens',
      'results.hold.amount',
      'results.hold.model',
      'results.hold.throttle',
      'results.hold',
      'results.code',
      'results.error',
      'results.details',
    ],
  },
);
