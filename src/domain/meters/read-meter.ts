// Validation of meters (PRM-10, PRM-120).
import { type FieldProblem, type Rejection, validationRejection } from '../errors/errors.ts';
import { compareDecimals, type Decimal, readDecimal } from '../rates/decimal.ts';
import type { Aggregation, MeterBucket, MeterDimension, MeterDocument, MeterFilter } from './meter.ts';

/** Meter in a request. Fields are missing if they are `undefined` or `null`. */
export type MeterInput = {
  readonly aggregation: Aggregation;
  readonly property?: string | null | undefined;
  readonly decimals?: number | null | undefined;
  readonly step?: string | null | undefined;
  readonly minimumPerEvent?: string | null | undefined;
  readonly percentile?: number | null | undefined;
  readonly bucket?: MeterBucket | null | undefined;
  readonly filters?:
    | readonly {
        readonly property: string;
        readonly in?: readonly string[] | null | undefined;
        readonly notIn?: readonly string[] | null | undefined;
      }[]
    | null
    | undefined;
  /** ID of the feature whose events are counted. */
  readonly source?: string | null | undefined;
  readonly persists?: boolean | null | undefined;
  readonly dimensions?:
    | readonly { readonly property: string; readonly bands?: readonly string[] | null | undefined }[]
    | null
    | undefined;
};

/** Reason why a meter is rejected. `not_known_at_once`: the plan needs the total after each event. */
export type MeterReason = 'bad_meter' | 'not_known_at_once';

/** Returns a `validation_error` with the reason and all problems in `details`. Throws if the list is empty. */
export const meterRejection = (reason: MeterReason, problems: readonly FieldProblem[]): Rejection => ({
  ...validationRejection(problems),
  details: { reason, problems },
});

/** Reads a decimal above 0 with at most `decimals` decimals. Adds a problem if it's invalid. */
function readAmount(
  field: 'step' | 'minimumPerEvent',
  value: string | null | undefined,
  decimals: number,
  problems: FieldProblem[],
): string | null {
  if (value === undefined || value === null) return null;
  const read = readDecimal(value, { decimals });
  if (typeof read !== 'string' && read.units > 0n) return value;
  problems.push({ field, message: typeof read === 'string' ? read : 'must be greater than 0' });
  return null;
}

function readFilters(filters: MeterInput['filters'], problems: FieldProblem[]): readonly MeterFilter[] {
  return (filters ?? []).map(({ property, in: included, notIn: excluded }, index): MeterFilter => {
    const [some, none] = [included ?? null, excluded ?? null];
    if ((some === null) === (none === null))
      problems.push({ field: `filters.${index}`, message: 'must contain either `in` or `notIn`' });
    return some === null ? { property, notIn: none ?? [] } : { property, in: some };
  });
}

/** Maximum number of dimensions of a meter. */
const mostDimensions = 3;

/** Maximum number of upper bounds of a dimension. */
const mostBands = 20;

/** Adds a problem if upper bounds aren't ascending decimals. */
function checkBands(bands: readonly string[], field: string, problems: FieldProblem[]): void {
  if (bands.length < 1 || bands.length > mostBands)
    problems.push({ field, message: `must contain from 1 to ${mostBands} numbers` });
  let last: Decimal | null = null;
  for (const [index, band] of bands.entries()) {
    const read = readDecimal(band);
    if (typeof read === 'string') problems.push({ field: `${field}.${index}`, message: read });
    else if (last !== null && compareDecimals(read, last) <= 0)
      problems.push({ field: `${field}.${index}`, message: 'must be greater than the previous number' });
    if (typeof read !== 'string') last = read;
  }
}

/** Reads the dimensions. Only `sum` and `count` can have dimensions, because the parts of their totals add up. */
function readDimensions(
  { dimensions, aggregation, bucket }: MeterInput,
  problems: FieldProblem[],
): readonly MeterDimension[] {
  const given = dimensions ?? [];
  if (given.length > mostDimensions)
    problems.push({ field: 'dimensions', message: `can contain up to ${mostDimensions} dimensions` });
  if (given.length > 0 && (isSet(bucket) || (aggregation !== 'sum' && aggregation !== 'count')))
    problems.push({
      field: 'dimensions',
      message: 'can only be set if `aggregation` is `sum` or `count`, without buckets',
    });
  return given.map(({ property, bands = null }, index): MeterDimension => {
    const field = `dimensions.${index}`;
    if (given.findIndex((one) => one.property === property) < index)
      problems.push({ field: `${field}.property`, message: 'can have only one dimension' });
    if (bands === null) return { property };
    checkBands(bands, `${field}.bands`, problems);
    return { property, bands };
  });
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

/** Aggregations that can have buckets. */
const bucketed: readonly Aggregation[] = ['sum', 'max', 'percentile', 'average'];

/** Returns the problems of the percentile and the bucket. */
function finalProblems({ aggregation, percentile, bucket }: MeterInput): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if ((aggregation === 'percentile') !== isSet(percentile))
    problems.push({
      field: 'percentile',
      message:
        aggregation === 'percentile'
          ? 'is required if `aggregation` is `percentile`'
          : `can't be set if \`aggregation\` is \`${aggregation}\``,
    });
  if (aggregation === 'average' && !isSet(bucket))
    problems.push({ field: 'bucket', message: 'is required if `aggregation` is `average`' });
  if (isSet(bucket) && !bucketed.includes(aggregation))
    problems.push({ field: 'bucket', message: `can't be set if \`aggregation\` is \`${aggregation}\`` });
  return problems;
}

/** Returns the problems of fields that the aggregation of events doesn't use or requires. */
function aggregationProblems({ aggregation: whole, bucket, property, ...input }: MeterInput): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const aggregation = bucket?.aggregation ?? whole;
  if (aggregation === 'unique' && !isSet(property))
    problems.push({ field: 'property', message: 'is required if `aggregation` is `unique`' });
  if (aggregation !== 'count' && aggregation !== 'unique') return problems;
  if (aggregation === 'count' && isSet(property))
    problems.push({ field: 'property', message: "can't be set if `aggregation` is `count`" });
  if ((input.decimals ?? 0) > 0 && whole !== 'average')
    problems.push({ field: 'decimals', message: `must be 0 if \`aggregation\` is \`${aggregation}\`` });
  for (const field of ['step', 'minimumPerEvent'] as const)
    if (isSet(input[field]))
      problems.push({ field, message: `can't be set if \`aggregation\` is \`${aggregation}\`` });
  return problems;
}

/** Returns the problems of a meter whose level lasts across usage windows (PRM-14). */
function levelProblems({ persists, aggregation, bucket }: MeterInput): FieldProblem[] {
  if (persists !== true) return [];
  const ofLevel = bucket?.aggregation ?? aggregation;
  const isAllowed = ofLevel === 'max' || (isSet(bucket) ? ofLevel === 'latest' : ofLevel === 'time_weighted');
  return isAllowed
    ? []
    : [
        {
          field: 'persists',
          message:
            'can only be true if `aggregation` is `max` or `time_weighted`, or if the aggregation of the bucket is `max` or `latest`',
        },
      ];
}

/** Number of decimals of totals that are averages, unless the meter sets another number (PRM-120). */
const averageDecimals = 6;

/** Reads a meter. Returns the meter, or all problems with their field paths, such as `filters.0`. */
export function readMeter(
  input: MeterInput,
): { readonly meter: MeterDocument } | { readonly problems: readonly FieldProblem[] } {
  const problems = [...finalProblems(input), ...aggregationProblems(input), ...levelProblems(input)];
  const { aggregation, property = null, percentile = null, bucket = null, source = null } = input;
  const isAverage = aggregation === 'average' || aggregation === 'time_weighted';
  const decimals = input.decimals ?? (isAverage ? averageDecimals : 0);
  const step = readAmount('step', input.step, decimals, problems);
  const minimumPerEvent = readAmount('minimumPerEvent', input.minimumPerEvent, decimals, problems);
  const filters = readFilters(input.filters, problems);
  const dimensions = readDimensions(input, problems);
  const meter: MeterDocument = {
    aggregation,
    ...(property === null ? {} : { property }),
    decimals,
    ...(step === null ? {} : { step }),
    ...(minimumPerEvent === null ? {} : { minimumPerEvent }),
    ...(filters.length === 0 ? {} : { filters }),
    ...(percentile === null ? {} : { percentile }),
    ...(bucket === null ? {} : { bucket: { every: bucket.every, aggregation: bucket.aggregation } }),
    ...(dimensions.length === 0 ? {} : { dimensions }),
    ...(source === null ? {} : { source }),
    ...(input.persists === true ? { persists: true } : {}),
  };
  return problems.length > 0 ? { problems } : { meter };
}
