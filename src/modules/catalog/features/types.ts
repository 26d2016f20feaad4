import type { MeterBucket, MeterDimension, MeterFilter, MeterVersion } from '../../../domain/meters/meter.ts';
import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import { loadFeatureCode } from './store.ts';

export const FeatureType = builder.enumType('FeatureType', {
  description: 'Type of a feature.',
  values: {
    boolean: { description: 'The feature is on or off and is included in the base price of the plan.' },
    usage: {
      description:
        'The feature counts consumption, such as API calls. The count restarts in each usage window.',
    },
    seats: {
      description: 'The feature counts seats assigned to people. Assignments persist across periods.',
    },
    quota: {
      description:
        'The feature counts a resource that customers add and remove. The count persists across periods.',
    },
  } as const,
});

export const MeterAggregation = builder.enumType('MeterAggregation', {
  description: 'Calculation of the total of a usage window.',
  values: {
    sum: { description: 'Sum of the quantities of all events.' },
    count: { description: 'Number of events.' },
    max: { description: 'Largest quantity of an event. 0 without events.' },
    latest: { description: 'Quantity of the event with the latest time. 0 without events.' },
    unique: { description: 'Number of different values of a property.' },
    percentile: { description: 'Nearest-rank percentile of the quantities of events, or of the buckets.' },
    average: { description: 'Sum of the buckets divided by the number of buckets in the usage window.' },
    time_weighted: {
      description:
        'Average level over the usage window: each event sets a level that is held until the next event. The level is 0 before the first event.',
    },
  } as const,
});

export const MeterBucketInterval = builder.enumType('MeterBucketInterval', {
  description: 'Length of a bucket, in UTC.',
  values: {
    hour: { description: 'Hours, in UTC.' },
    day: { description: 'Days, in UTC.' },
  } as const,
});

export const MeterBucketAggregation = builder.enumType('MeterBucketAggregation', {
  description: 'Calculation of the total of a bucket.',
  values: {
    sum: { description: 'Sum of the quantities of all events.' },
    count: { description: 'Number of events.' },
    max: { description: 'Largest quantity of an event. 0 without events.' },
    latest: { description: 'Quantity of the event with the latest time. 0 without events.' },
    unique: { description: 'Number of different values of a property.' },
  } as const,
});

const MeterBucketType = builder.objectRef<MeterBucket>('MeterBucket').implement({
  description: 'Time intervals whose totals a meter aggregates again. Buckets without events count 0.',
  fields: (t) => ({
    every: t.member('every', MeterBucketInterval).describe('Length of a bucket.'),
    aggregation: t
      .member('aggregation', MeterBucketAggregation)
      .describe('Calculation of the total of a bucket.'),
  }),
});

const MeterFilterType = builder.objectRef<MeterFilter>('MeterFilter').implement({
  description: 'Condition on a property of an event.',
  fields: (t) => ({
    property: t.member('property', 'String').describe('Name of the property.'),
    in: t.stringList({
      nullable: true,
      description: 'Allowed values of the property. `null` if the condition excludes values.',
      resolve: (filter) => filter.in?.slice() ?? null,
    }),
    notIn: t.stringList({
      nullable: true,
      description: 'Excluded values of the property. `null` if the condition includes values.',
      resolve: (filter) => filter.notIn?.slice() ?? null,
    }),
  }),
});

const MeterDimensionType = builder.objectRef<MeterDimension>('MeterDimension').implement({
  description: 'Property by whose values the total of a usage window is divided.',
  fields: (t) => ({
    property: t.member('property', 'String').describe('Name of the property.'),
    bands: t.field({
      type: ['Decimal'],
      nullable: true,
      description:
        'Upper bounds, inclusive, that divide a number into ranges. A range is named by its upper bound, such as `272000`, and the range above the last bound is `>272000`. `null` if each value counts separately.',
      resolve: ({ bands }) => bands ?? null,
    }),
  }),
});

const FeatureMeter = builder.objectRef<MeterVersion>('FeatureMeter').implement({
  description: 'Meter of a usage feature: how events add up to the total of a usage window.',
  fields: (t) => ({
    aggregation: t
      .member('aggregation', MeterAggregation)
      .describe('Calculation of the total of a usage window.'),
    property: t.string({
      nullable: true,
      description:
        'Property that contains the quantity, or the counted value if the aggregation is `unique`. `null` if the `value` or `quantity` of the event is the quantity.',
      resolve: ({ property }) => property ?? null,
    }),
    decimals: t.member('decimals', 'Int').describe('Maximum number of decimal places of a quantity.'),
    step: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        "Quantity to a multiple of which each event is rounded up. `null` if events aren't rounded.",
      resolve: ({ step }) => step ?? null,
    }),
    minimumPerEvent: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Lowest quantity that an event counts. `null` if there is no minimum.',
      resolve: ({ minimumPerEvent }) => minimumPerEvent ?? null,
    }),
    percentile: t.int({
      nullable: true,
      description: 'Rank of the percentile, from 1 to 100. `null` unless the aggregation is `percentile`.',
      resolve: ({ percentile }) => percentile ?? null,
    }),
    bucket: t.field({
      type: MeterBucketType,
      nullable: true,
      description:
        'Time intervals whose totals the meter aggregates again. `null` if the events are aggregated directly.',
      resolve: ({ bucket }) => bucket ?? null,
    }),
    filters: t.field({
      type: [MeterFilterType],
      description: 'Conditions that an event must meet in order to be counted.',
      resolve: ({ filters = [] }) => filters,
    }),
    dimensions: t.field({
      type: [MeterDimensionType],
      nullable: true,
      description:
        "Properties by whose values the total of a usage window is divided. `null` if the total isn't divided.",
      resolve: ({ dimensions }) => dimensions ?? null,
    }),
    persists: t.boolean({
      nullable: true,
      description: '`true` if events change a level that lasts across usage windows. `null` otherwise.',
      resolve: ({ persists }) => persists ?? null,
    }),
    source: t.string({
      nullable: true,
      description:
        'Code of the feature whose events the meter counts. `null` if the meter counts the events that name the feature.',
      resolve: ({ source }, _args, ctx) => (source === undefined ? null : loadFeatureCode(ctx, source)),
    }),
    recounts: t.boolean({
      nullable: true,
      description:
        '`true` if open usage windows also use the dimensions that the meter added. `null` if usage windows keep the meter of their billing period.',
      resolve: ({ recounts }) => recounts ?? null,
    }),
    validFrom: t.field({
      type: 'DateTime',
      description: 'Time from which new billing periods use the meter.',
      resolve: ({ validFrom }) => new Date(validFrom),
    }),
  }),
});

export const Feature = builder.prismaObject('Feature', {
  ...node({ prefix: 'ftr' }),
  description: 'A capability of your product. Each plan that includes the feature sets its own terms.',
  fields: (t) => ({
    ...t.columns('id', 'code', 'name', 'type', 'description', 'unitName'),
    meter: t.computed({
      type: FeatureMeter,
      nullable: true,
      description:
        'Latest meter of the feature. `null` if no meter was set; usage features then sum whole quantities.',
      columns: ['meters'],
      resolve: ({ meters }) => meters.at(-1) ?? null,
    }),
    ...t.columns('createdAt', 'updatedAt'),
    ...t.resource('feature'),
  }),
});

export const FeatureConnection = connectionOf('Feature', Feature, 'features');

restView(
  'Feature',
  'Feature',
  `id name code type description unitName
  meter { aggregation property decimals step minimumPerEvent percentile bucket { every aggregation } filters { property in notIn }
    dimensions { property bands } persists source recounts validFrom }
  createdAt updatedAt object livemode`,
  {
    absentWhenUnset: [
      'meter',
      'meter.property',
      'meter.step',
      'meter.minimumPerEvent',
      'meter.percentile',
      'meter.bucket',
      'meter.filters.in',
      'meter.filters.notIn',
      'meter.dimensions',
      'meter.dimensions.bands',
      'meter.persists',
      'meter.source',
      'meter.recounts',
    ],
  },
);
