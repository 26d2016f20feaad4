import { addsDimensions, type MeterDocument } from '../../../../domain/meters/meter.ts';
import { readMeter } from '../../../../domain/meters/read-meter.ts';
import type { ResultOf } from '../../../../ui/documents.ts';
import type { CatalogFeatureMeterSetMutationVariables, CatalogFeaturesDocument } from './page.graphql';

type Meter = NonNullable<ResultOf<typeof CatalogFeaturesDocument>['features']['nodes'][number]['meter']>;

type MeterInput = CatalogFeatureMeterSetMutationVariables['input'];

export type Aggregation = Meter['aggregation'];

export type BucketAggregation = NonNullable<Meter['bucket']>['aggregation'];

/** Condition on a property. */
export type FilterDraft = {
  readonly property: string;
  /** Allows only the values (`in`), or all other values (`notIn`). */
  readonly condition: 'in' | 'notIn';
  /** Values, one per line. */
  readonly values: string;
  /** True if an empty or missing property is one of the values. */
  readonly hasEmpty: boolean;
};

/** Property by whose values the usage is divided. */
export type DimensionDraft = {
  readonly property: string;
  readonly isBanded: boolean;
  /** Upper bounds of the ranges, one per line. */
  readonly bands: string;
};

/** Values of the meter form. The form keeps the values of fields that the aggregation doesn't allow. */
export type MeterDraft = {
  readonly aggregation: Aggregation;
  readonly property: string;
  readonly decimals: number | null;
  readonly step: string;
  readonly minimumPerEvent: string;
  readonly percentile: number | null;
  readonly every: 'hour' | 'day' | 'none';
  readonly bucketAggregation: BucketAggregation;
  readonly dimensions: readonly DimensionDraft[];
  readonly filters: readonly FilterDraft[];
  /** Code of the feature whose events are counted. Empty if the feature counts its own events. */
  readonly source: string;
  /** True if events change a level that lasts across usage windows. */
  readonly persists: boolean;
  /** True if added dimensions also apply to open usage windows. */
  readonly recount: boolean;
};

export const aggregations: readonly Aggregation[] = [
  'sum',
  'count',
  'max',
  'latest',
  'unique',
  'percentile',
  'average',
  'time_weighted',
];

export const bucketAggregations: readonly BucketAggregation[] = ['sum', 'count', 'max', 'latest', 'unique'];

/** Maximum number of filters of a meter. */
export const mostFilters = 10;

/** Maximum number of dimensions of a meter. */
export const mostDimensions = 3;

export const newDimension: DimensionDraft = { property: '', isBanded: false, bands: '' };

export const newFilter: FilterDraft = { property: '', condition: 'in', values: '', hasEmpty: false };

/** Returns the form values of a meter. Features without a meter sum whole quantities. */
export const draftOfMeter = (meter: Meter | null): MeterDraft => ({
  aggregation: meter?.aggregation ?? 'sum',
  property: meter?.property ?? '',
  decimals: meter?.decimals ?? null,
  step: meter?.step ?? '',
  minimumPerEvent: meter?.minimumPerEvent ?? '',
  percentile: meter?.percentile ?? null,
  every: meter?.bucket?.every ?? 'none',
  bucketAggregation: meter?.bucket?.aggregation ?? 'sum',
  dimensions: (meter?.dimensions ?? []).map(({ property, bands }) => ({
    property,
    isBanded: bands !== null,
    bands: (bands ?? []).join('\n'),
  })),
  filters: (meter?.filters ?? []).map((filter) => {
    const values = filter.in ?? filter.notIn ?? [];
    return {
      property: filter.property,
      condition: filter.in === null ? 'notIn' : 'in',
      values: values.filter((value) => value !== '').join('\n'),
      hasEmpty: values.includes(''),
    };
  }),
  source: meter?.source ?? '',
  persists: meter?.persists ?? false,
  recount: false,
});

/** Fields that an aggregation allows, and the fields that it requires. */
export type MeterFields = {
  readonly property: boolean;
  readonly requiresProperty: boolean;
  readonly decimals: boolean;
  readonly defaultDecimals: number;
  /** Step and minimum per event. */
  readonly rounding: boolean;
  readonly percentile: boolean;
  readonly bucket: boolean;
  readonly requiresBucket: boolean;
  readonly bucketAggregation: boolean;
  readonly dimensions: boolean;
  readonly persists: boolean;
};

/** Returns the fields that the aggregation of a meter, or of its buckets, allows. */
export function fieldsOf({ aggregation, every, bucketAggregation }: MeterDraft): MeterFields {
  const requiresBucket = aggregation === 'average';
  const bucket = requiresBucket || ['sum', 'max', 'percentile'].includes(aggregation);
  const hasBucket = requiresBucket || (bucket && every !== 'none');
  const ofEvents = hasBucket ? bucketAggregation : aggregation;
  const isCounted = ofEvents === 'count' || ofEvents === 'unique';
  return {
    property: ofEvents !== 'count',
    requiresProperty: ofEvents === 'unique',
    decimals: !isCounted || aggregation === 'average',
    defaultDecimals: aggregation === 'average' || aggregation === 'time_weighted' ? 6 : 0,
    rounding: !isCounted,
    percentile: aggregation === 'percentile',
    bucket,
    requiresBucket,
    bucketAggregation: hasBucket,
    persists: ofEvents === 'max' || ofEvents === (hasBucket ? 'latest' : 'time_weighted'),
    dimensions: !hasBucket && (aggregation === 'sum' || aggregation === 'count'),
  };
}

/** Returns the length of the buckets. A meter that requires buckets has hourly buckets unless another length is set. */
export const bucketEvery = (draft: MeterDraft): MeterDraft['every'] =>
  fieldsOf(draft).requiresBucket && draft.every === 'none' ? 'hour' : draft.every;

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const valuesOf = ({ values, hasEmpty }: FilterDraft): string[] => [
  ...linesOf(values),
  ...(hasEmpty ? [''] : []),
];

/** Returns true if the bounds of a dimension's ranges are ascending numbers. */
export function hasBands({ isBanded, bands }: DimensionDraft): boolean {
  const bounds = linesOf(bands).map(Number);
  const isAscending = bounds.every((bound, at) => bound > (bounds[at - 1] ?? Number.NEGATIVE_INFINITY));
  return !isBanded || (bounds.length > 0 && isAscending);
}

/** Returns true if all required fields are filled in. */
export function isMeterReady(draft: MeterDraft): boolean {
  const fields = fieldsOf(draft);
  return (
    (!fields.requiresProperty || draft.property.trim() !== '') &&
    (!fields.percentile || draft.percentile !== null) &&
    (!fields.dimensions || draft.dimensions.every((one) => one.property.trim() !== '' && hasBands(one))) &&
    draft.filters.every((filter) => filter.property.trim() !== '' && valuesOf(filter).length > 0)
  );
}

/** Returns the input for a feature's meter, without the fields that the aggregation doesn't allow. */
export function meterInput(code: string, draft: MeterDraft): MeterInput {
  const fields = fieldsOf(draft);
  const every = bucketEvery(draft);
  const { step, minimumPerEvent } = draft;
  const property = draft.property.trim();
  return {
    code,
    aggregation: draft.aggregation,
    ...(fields.property && property !== '' && { property }),
    ...(fields.decimals && draft.decimals !== null && { decimals: draft.decimals }),
    ...(fields.rounding && step !== '' && { step }),
    ...(fields.rounding && minimumPerEvent !== '' && { minimumPerEvent }),
    ...(fields.percentile && { percentile: draft.percentile }),
    ...(fields.bucketAggregation &&
      every !== 'none' && { bucket: { every, aggregation: draft.bucketAggregation } }),
    ...(fields.dimensions &&
      draft.dimensions.length > 0 && {
        dimensions: draft.dimensions.map((dimension) => ({
          property: dimension.property.trim(),
          ...(dimension.isBanded && { bands: linesOf(dimension.bands) }),
        })),
      }),
    filters: draft.filters.map((filter) => ({
      property: filter.property.trim(),
      [filter.condition]: valuesOf(filter),
    })),
    ...(draft.source !== '' && { source: draft.source }),
    ...(fields.persists && draft.persists && { persists: true }),
  };
}

/** Returns the stored form of a meter. `null` if the form contains an invalid meter. */
function documentOf(draft: MeterDraft): MeterDocument | null {
  const read = readMeter(meterInput('', draft));
  return 'meter' in read ? read.meter : null;
}

/** Returns true if a meter has all dimensions of the stored meter and more, and is equal otherwise (PRM-123). */
export function addsOnlyDimensions(stored: MeterDraft, draft: MeterDraft): boolean {
  const [before, after] = [documentOf(stored), documentOf(draft)];
  return after !== null && addsDimensions(before, after);
}
