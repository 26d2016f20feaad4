import { stoppable } from '../../../graphql/live/live.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { lastEventPosition } from '../../../outbox/read.ts';
import { featureRows } from '../../catalog/features/store.ts';
import { requireCustomer } from '../../customers/customers/store.ts';
import { collectUsage } from './collect.ts';
import { usageDetails } from './list.ts';
import { UsageSampleType } from './types/sample.ts';

const UsageStreamFilter = builder.inputType('UsageStreamFilter', {
  description: 'Filter for the usage events that a stream emits.',
  fields: (t) => ({
    customerId: t.id({ description: 'ID or external ID of the customer to filter by.' }),
    featureCode: t.string({ description: 'Filters by feature code.' }),
    ...Object.fromEntries(
      Object.entries(usageDetails).map(([name, { type, rule = {}, description }]) => [
        name,
        t.field({ type, rule, description }),
      ]),
    ),
  }),
});

builder.subscriptionField('usageStream', (t) =>
  t.field({
    type: UsageSampleType,
    description:
      "Emits usage events as they're recorded, in up to 2 samples per second with up to 10 events each. Further events are counted in `omitted`. To list all events, use `usageEvents`. The stream ends when the API key is no longer valid.",
    errors: ['customer_not_found', 'feature_not_found'],
    access: { scope: 'read' },
    args: {
      filter: t.arg({
        type: UsageStreamFilter,
        description: 'Filters the usage events. Defaults to all usage events.',
      }),
      afterPosition: t.arg({
        type: 'SafeInt',
        rule: { minimum: 0 },
        description:
          'Position after which to resume: `toPosition` of the last sample. Defaults to the current position.',
      }),
    },
    subscribe: async (_root, { filter, afterPosition }, ctx) => {
      const { customerId, featureCode, ...details } = filter ?? {};
      const customer = customerId
        ? await requireCustomer(ctx, String(customerId), 'filter.customerId')
        : null;
      const feature = featureCode ? await featureRows.require(ctx, featureCode, 'filter.featureCode') : null;
      const choice = {
        customerId: customer?.id ?? null,
        featureCode: feature?.code ?? null,
        details: Object.values(details).some((value) => (value ?? null) !== null) ? details : null,
      };
      const after =
        typeof afterPosition === 'number' ? BigInt(afterPosition) : await lastEventPosition(ctx.sql);
      return stoppable((stop) => collectUsage(ctx, choice, after, stop));
    },
    resolve: (sample) => sample,
  }),
);
