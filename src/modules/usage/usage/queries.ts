import { budgetKey, code, reference } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { readList } from '../../../graphql/reading/lists.ts';
import { emptyPage } from '../../../graphql/reading/pages.ts';
import type { Row } from '../../../platform/db/rows.ts';
import { featureRows } from '../../catalog/features/store.ts';
import { meterInputs } from '../../catalog/features/types/meter-inputs.ts';
import { findCustomer } from '../../customers/customers/store.ts';
import { usageCheck } from './check.ts';
import { usageEventList } from './list.ts';
import { usageTotals } from './load-totals.ts';
import { mostEvents, previewMeter } from './preview-meter.ts';
import { usageSeries } from './store.ts';
import { UsageCheck } from './types/check.ts';
import { tokenInputs, UsagePropertyInput } from './types/inputs.ts';
import { FeatureMeterPreview } from './types/meter-preview.ts';
import { UsageGranularity, UsageSpanType } from './types/series.ts';
import { UsageTotalType } from './types/total.ts';
import { UsageEventConnection } from './types/usage.ts';

const UsageCheckInput = builder.inputType('UsageCheckInput', {
  description: 'Parameters for checking whether a quantity can be consumed.',
  fields: (t) => ({
    customerId: t.id({
      required: true,
      rule: reference,
      description: 'ID or external ID of the customer.',
    }),
    featureCode: t.string({ required: true, rule: code, description: 'Code of a usage feature.' }),
    quantity: t.field({
      type: 'Float',
      rule: { exclusiveMinimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 1 },
      description:
        "Number of units to check. Can't have more decimal places than the meter of the feature. Defaults to 1.",
    }),
    ...tokenInputs('quantity'),
    properties: t.field({
      type: [UsagePropertyInput],
      rule: { maxItems: 100 },
      description: 'Custom properties of the event, which can determine the price. Up to 100 items.',
    }),
    budget: t.string({
      rule: budgetKey,
      description:
        "Key of the customer's budget whose limits the usage counts toward. Defaults to no budget.",
    }),
  }),
});

builder.queryField('usageCheck', (t) =>
  t.field({
    type: UsageCheck,
    description:
      "Checks whether a quantity can be consumed now, and returns its cost. For AI models, set `model` and the token counts instead of `quantity`. The check doesn't deduct or reserve anything, so an event can still be rejected later.",
    rest: {
      method: 'POST',
      path: '/usage/check',
      view: 'UsageCheck',
    },
    errors: [
      'feature_not_in_plan',
      'feature_disabled',
      'insufficient_balance',
      'pricing_mode_mismatch',
      'model_not_found',
      'customer_not_found',
      'feature_not_found',
      'no_active_subscription',
    ],
    access: { scope: 'read' },
    args: { input: t.arg({ type: UsageCheckInput, required: true }) },
    resolve: (_root, { input }, ctx) => usageCheck(ctx, input),
  }),
);

builder.queryField('usageEvents', (t) =>
  t.field({
    type: UsageEventConnection,
    description:
      "Lists usage events, most recently recorded first. The list is empty if the customer or the feature doesn't exist.",
    access: { scope: 'read' },
    args: {
      ...usageEventList.args,
      customerId: t.arg.string({ description: 'ID or external ID of the customer to filter by.' }),
      featureCode: t.arg.string({ description: 'Filters by feature code.' }),
      eventId: t.arg.string({ description: 'Filters by the identifier that you assigned to the event.' }),
    },
    resolve: async (_root, args, ctx) => {
      const customer = args.customerId ? await findCustomer(ctx, args.customerId) : undefined;
      const feature = args.featureCode ? await featureRows.find(ctx, args.featureCode) : undefined;
      if (customer === null || feature === null) return emptyPage<Row<'UsageEvent'>>();
      const filter = { customerId: customer?.id, featureId: feature?.id, eventId: args.eventId ?? undefined };
      return readList(ctx, usageEventList, args, { filter });
    },
  }),
);

builder.queryField('usageTotals', (t) =>
  t.field({
    type: [UsageTotalType],
    description:
      "Returns a customer's usage of a feature in the current usage window by the values of dimensions, largest first. In REST responses, each dimension is a field. If the meter lacks a dimension, `details.reason` of the error is `unknown_dimension`.",
    rest: { method: 'GET', path: '/usage/totals', view: 'UsageTotal' },
    errors: [
      'customer_not_found',
      'feature_not_found',
      'feature_not_in_plan',
      'feature_disabled',
      'no_active_subscription',
    ],
    access: { scope: 'read' },
    args: {
      customerId: t.arg.string({ required: true, description: 'ID or external ID of the customer.' }),
      featureCode: t.arg.string({ required: true, description: 'Code of the feature.' }),
      groupBy: t.arg.stringList({
        required: true,
        rule: { minItems: 1, maxItems: 3 },
        description: 'Dimensions of the meter whose values divide the usage. From 1 to 3 items.',
      }),
    },
    resolve: (_root, args, ctx) => usageTotals(ctx, args),
  }),
);

const FeatureMeterPreviewInput = builder.inputType('FeatureMeterPreviewInput', {
  description: 'Parameters for previewing the meter of a usage feature.',
  fields: (t) => ({
    code: t.string({ required: true, description: 'Code or ID of the feature.' }),
    ...meterInputs(),
  }),
});

builder.queryField('featureMeterPreview', (t) =>
  t.field({
    type: FeatureMeterPreview,
    description: `Counts the latest ${mostEvents} usage events of a feature with a meter. Doesn't store anything. If the meter is invalid, \`details.reason\` of the error is \`bad_meter\`, and \`details.problems\` lists all problems.`,
    rest: { method: 'POST', path: '/features/{code}/meter/preview', view: 'FeatureMeterPreview' },
    errors: ['feature_not_found'],
    access: { scope: 'read' },
    args: { input: t.arg({ type: FeatureMeterPreviewInput, required: true }) },
    resolve: (_root, { input }, ctx) => previewMeter(ctx, input),
  }),
);

builder.queryField('usageSeries', (t) =>
  t.field({
    type: [UsageSpanType],
    description:
      "Returns a customer's usage of a feature by interval, for charts. Returns up to 1,000 intervals. Usage adjustments from `usageSet` aren't included.",
    errors: ['customer_not_found', 'feature_not_found'],
    access: { scope: 'read' },
    args: {
      customerId: t.arg.string({
        required: true,
        description: 'ID or external ID of the customer.',
      }),
      featureCode: t.arg.string({ required: true, description: 'Code of the feature.' }),
      from: t.arg({ type: 'DateTime', required: true, description: 'Start of the range, inclusive.' }),
      to: t.arg({ type: 'DateTime', required: true, description: 'End of the range, exclusive.' }),
      granularity: t.arg({
        type: UsageGranularity,
        required: true,
        description: 'Length of each interval in the series.',
      }),
    },
    resolve: (_root, args, ctx) => usageSeries(ctx, args),
  }),
);
