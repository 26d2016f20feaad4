import { builder } from '../../graphql/builder.ts';
import { stoppable } from '../../graphql/live.ts';
import { lastEventPosition } from '../../outbox/read.ts';
import { requireCustomer } from '../customers/store.ts';
import { collectUsage } from './collect.ts';
import { usageDetails } from './list.ts';
import { requireFeature } from './store.ts';
import { UsageSampleType } from './types/sample.ts';

const UsageStreamFilter = builder.inputType('UsageStreamFilter', {
  description: 'Which usage is followed.',
  fields: (t) => ({
    customerId: t.id({ description: 'Only of this customer: our id, else its external id.' }),
    featureCode: t.string({ description: 'Only of this feature, by its code.' }),
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
      'Usage as it is recorded, up to 20 events a second, twice a second. What comes beyond is counted in `leftOut`; `usageEvents` lists everything. `customer_not_found` and `feature_not_found` when there is no such customer or feature. Ends when the key no longer works.',
    errors: ['customer_not_found', 'feature_not_found'],
    access: { scope: 'read' },
    args: {
      filter: t.arg({ type: UsageStreamFilter, description: 'Which usage. Defaults to all.' }),
      afterPosition: t.arg({
        type: 'SafeInt',
        rule: { minimum: 0 },
        description:
          'Where to resume: `toPosition` of the last sample. Defaults to what is recorded from now on.',
      }),
    },
    subscribe: async (_root, { filter, afterPosition }, ctx) => {
      const { customerId, featureCode, ...details } = filter ?? {};
      const customer = customerId
        ? await requireCustomer(ctx, String(customerId), 'filter.customerId')
        : null;
      const feature = featureCode ? await requireFeature(ctx, featureCode, 'filter.featureCode') : null;
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
