import { builder } from '../../graphql/builder.ts';
import { readList } from '../../graphql/lists.ts';
import { emptyPage } from '../../graphql/pages.ts';
import { code, reference } from '../../graphql/shapes.ts';
import type { Row } from '../../platform/db/rows.ts';
import { findCustomer } from '../customers/store.ts';
import { findFeature } from '../features/store.ts';
import { usageCheck } from './check.ts';
import { usageEventList } from './list.ts';
import { usageSeries } from './store.ts';
import { UsageCheck } from './types/check.ts';
import { UsageGranularity, UsageSpanType } from './types/series.ts';
import { UsageEventConnection } from './types/usage.ts';

const UsageCheckInput = builder.inputType('UsageCheckInput', {
  description: 'What might be consumed.',
  fields: (t) => ({
    customerId: t.id({
      required: true,
      rule: reference,
      description: 'Our id of the customer, else the external id.',
    }),
    featureCode: t.string({ required: true, rule: code, description: 'Code of a usage feature.' }),
    quantity: t.field({
      type: 'SafeInt',
      rule: { minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1 },
      description: 'Units, at least 1. Defaults to 1.',
    }),
  }),
});

builder.queryField('usageCheck', (t) =>
  t.field({
    type: UsageCheck,
    description:
      'Whether a quantity could be consumed now, and at which cost. Nothing is moved or reserved, so an event may still be rejected.',
    rest: {
      method: 'POST',
      path: '/usage/check',
      view: 'UsageCheck',
      errors: [
        'feature_not_in_plan',
        'feature_disabled',
        'insufficient_balance',
        'customer_not_found',
        'feature_not_found',
        'no_active_subscription',
      ],
    },
    access: { scope: 'read' },
    args: { input: t.arg({ type: UsageCheckInput, required: true, description: 'What might be consumed.' }) },
    resolve: (_root, { input }, ctx) => usageCheck(ctx, input),
  }),
);

builder.queryField('usageEvents', (t) =>
  t.field({
    type: UsageEventConnection,
    description: 'Usage events, latest recorded first. A customer or feature that does not exist has none.',
    access: { scope: 'read' },
    args: {
      ...usageEventList.args,
      customerId: t.arg.string({ description: 'Our id of a customer, else its external id.' }),
      featureCode: t.arg.string({ description: 'Only those of this feature.' }),
      eventId: t.arg.string({ description: "Only the one with this id of the caller's." }),
    },
    resolve: async (_root, args, ctx) => {
      const customer = args.customerId ? await findCustomer(ctx, args.customerId) : undefined;
      const feature = args.featureCode ? await findFeature(ctx, args.featureCode) : undefined;
      if (customer === null || feature === null) return emptyPage<Row<'UsageEvent'>>();
      const filter = { customerId: customer?.id, featureId: feature?.id, eventId: args.eventId ?? undefined };
      return readList(ctx, usageEventList, args, { filter });
    },
  }),
);

builder.queryField('usageSeries', (t) =>
  t.field({
    type: [UsageSpanType],
    description:
      'What a customer consumed of a feature, span by span, for charts; up to 1 000 spans. Corrections by `usageSet` are not in it.',
    errors: ['customer_not_found', 'feature_not_found'],
    access: { scope: 'read' },
    args: {
      customerId: t.arg.string({
        required: true,
        description: 'Our id of the customer, else its external id; `customer_not_found`.',
      }),
      featureCode: t.arg.string({ required: true, description: 'Code of the feature; `feature_not_found`.' }),
      from: t.arg({ type: 'DateTime', required: true, description: 'Start of the range, inclusive.' }),
      to: t.arg({ type: 'DateTime', required: true, description: 'End of the range, exclusive.' }),
      granularity: t.arg({ type: UsageGranularity, required: true, description: 'Length of a span.' }),
    },
    resolve: (_root, args, ctx) => usageSeries(ctx, args),
  }),
);
