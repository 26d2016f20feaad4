import { InputFieldBuilder } from '@pothos/core';
import { builder } from '../../../../graphql/reading/builder.ts';
import { MeterAggregation, MeterBucketAggregation, MeterBucketInterval } from '../types.ts';

const t = new InputFieldBuilder(builder, 'InputObject');

const MeterFilterInput = builder.inputType('MeterFilterInput', {
  description:
    'Condition on a property of an event. Set either `in` or `notIn`. A missing property has an empty value.',
  fields: (t) => ({
    property: t.string({
      required: true,
      rule: { minLength: 1, maxLength: 200 },
      description: 'Name of the property. From 1 to 200 characters.',
    }),
    in: t.stringList({
      rule: { minItems: 1, maxItems: 100 },
      description: 'Allowed values of the property. From 1 to 100 items.',
    }),
    notIn: t.stringList({
      rule: { minItems: 1, maxItems: 100 },
      description: 'Excluded values of the property. From 1 to 100 items.',
    }),
  }),
});

const MeterBucketInput = builder.inputType('MeterBucketInput', {
  description: 'Time intervals whose totals a meter aggregates again, such as hourly peaks.',
  fields: (t) => ({
    every: t.field({ type: MeterBucketInterval, required: true, description: 'Length of a bucket.' }),
    aggregation: t.field({
      type: MeterBucketAggregation,
      required: true,
      description: 'Calculation of the total of a bucket.',
    }),
  }),
});

const MeterDimensionInput = builder.inputType('MeterDimensionInput', {
  description:
    'Property by whose values the total of a usage window is divided, so that rates can differ by value. A missing property has an empty value.',
  fields: (t) => ({
    property: t.string({
      required: true,
      rule: { minLength: 1, maxLength: 200 },
      description: 'Name of the property. From 1 to 200 characters.',
    }),
    bands: t.field({
      type: ['Decimal'],
      rule: { nullable: true, minItems: 1, maxItems: 20 },
      description:
        'Ascending upper bounds, inclusive, that divide a number into ranges. A range is named by its upper bound, such as `272000`, and the range above the last bound is `>272000`. From 1 to 20 items. If omitted, each value counts separately.',
    }),
  }),
});

/** Returns the input fields of a meter. */
export const meterInputs = () => ({
  aggregation: t.field({
    type: MeterAggregation,
    required: true,
    description: 'Calculation of the total of a usage window.',
  }),
  property: t.string({
    rule: { minLength: 1, maxLength: 200, nullable: true },
    description:
      'Property of the events that contains the quantity, or the counted value if the aggregation is `unique`. From 1 to 200 characters. Defaults to the `value` or `quantity` of the event.',
  }),
  decimals: t.int({
    rule: { minimum: 0, maximum: 9 },
    description:
      'Maximum number of decimal places of a quantity and of the total. From 0 to 9. Defaults to 6 for `average` and `time_weighted`, and to 0 otherwise.',
  }),
  step: t.field({
    type: 'Decimal',
    rule: { nullable: true },
    description:
      "Quantity to a multiple of which each event is rounded up. Greater than 0. If omitted, events aren't rounded.",
  }),
  minimumPerEvent: t.field({
    type: 'Decimal',
    rule: { nullable: true },
    description: 'Lowest quantity that an event counts. Greater than 0. If omitted, there is no minimum.',
  }),
  percentile: t.int({
    rule: { minimum: 1, maximum: 100, nullable: true },
    description:
      'Rank of the percentile, from 1 to 100. Required if the aggregation is `percentile`, and not allowed otherwise.',
  }),
  bucket: t.field({
    type: MeterBucketInput,
    rule: { nullable: true },
    description:
      'Time intervals whose totals the meter aggregates again. Required if the aggregation is `average`, and allowed for `sum`, `max`, and `percentile`.',
  }),
  filters: t.field({
    type: [MeterFilterInput],
    rule: { maxItems: 10 },
    description: 'Conditions that an event must meet in order to be counted. Up to 10 items.',
  }),
  persists: t.boolean({
    description:
      'Whether events change a level that lasts across usage windows: they add to it, remove from it, or set it. Only allowed for `max` and `time_weighted`, and for buckets of `max` or `latest`. Defaults to `false`.',
  }),
  source: t.string({
    rule: { minLength: 1, maxLength: 100, nullable: true },
    description:
      'Code or ID of another usage feature, the source. The meter counts the events of the source, and events that are sent for the feature itself are rejected. If omitted, the meter counts the events that are sent for the feature.',
  }),
  dimensions: t.field({
    type: [MeterDimensionInput],
    rule: { maxItems: 3 },
    description:
      'Properties by whose values the total is divided. Allowed for `sum` and `count` without buckets. Up to 3 items.',
  }),
});
