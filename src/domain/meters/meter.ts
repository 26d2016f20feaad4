// A meter determines how the usage events of a feature add up to the total of a usage window (PRM-10).
import { powerOfTen } from '../rates/decimal.ts';
import { canonicalJson } from '../text/json.ts';

/** Aggregations whose total is known after each event (PRM-11). */
export const aggregations = ['sum', 'count', 'max', 'latest', 'unique'] as const;

/** Aggregations whose total is known only at the end of a window (PRM-11). */
const finalAggregations = ['percentile', 'average', 'time_weighted'] as const;

type RunningAggregation = (typeof aggregations)[number];

export type Aggregation = RunningAggregation | (typeof finalAggregations)[number];

/** UTC hours or days whose totals a meter aggregates again (PRM-121). `aggregation` applies to the events in a bucket. */
export type MeterBucket = { readonly every: 'hour' | 'day'; readonly aggregation: RunningAggregation };

/** Condition on a property of an event: one of the values in `in`, or none of the values in `notIn`. */
export type MeterFilter = {
  readonly property: string;
  readonly in?: readonly string[];
  readonly notIn?: readonly string[];
};

/**
 * Property by whose values the total of a window is divided (PRM-12). `bands` are ascending upper bounds that divide a number
 * into ranges.
 */
export type MeterDimension = { readonly property: string; readonly bands?: readonly string[] };

/** Meter as JSON. Optional fields are absent if they aren't set. Decimals are text. */
export type MeterDocument = {
  readonly aggregation: Aggregation;
  /** Property that contains the quantity, or the counted value if the aggregation is `unique`. */
  readonly property?: string;
  /** Number of decimals of quantities, from 0 to 9. */
  readonly decimals: number;
  /** Each event is rounded up to a multiple of the step. */
  readonly step?: string;
  /** Lowest quantity of an event. */
  readonly minimumPerEvent?: string;
  /** Conditions that an event must meet in order to be counted. */
  readonly filters?: readonly MeterFilter[];
  /** Rank of the percentile, from 1 to 100. Only for the aggregation `percentile`. */
  readonly percentile?: number;
  readonly bucket?: MeterBucket;
  readonly dimensions?: readonly MeterDimension[];
  /** ID of the feature whose events the meter counts. Absent if the meter counts events that name the feature (PRM-13). */
  readonly source?: string;
  /** `true` if events change a level that lasts across usage windows (PRM-14). */
  readonly persists?: true;
};

/**
 * Meter from `validFrom` until the next version. `validFrom` is in ISO format, and `seq` is a whole number as text. `recounts` is
 * `true` if billing periods that began earlier use the version too, when it only adds dimensions to their meter (PRM-123).
 */
export type MeterVersion = MeterDocument & {
  readonly validFrom: string;
  readonly seq: string;
  readonly recounts?: true;
};

/** Returns true if a meter only sums the whole quantities of all events. */
export const isPlain = ({ aggregation, decimals, ...others }: MeterDocument): boolean =>
  aggregation === 'sum' && decimals === 0 && Object.keys(others).length === 0;

/** Returns the number of counted units in one unit of the feature. Totals are whole numbers of counted units. */
export const scaleOf = (meter: MeterDocument | null): bigint =>
  meter === null ? 1n : powerOfTen(meter.decimals);

/**
 * Returns true if events only add to the total, regardless of earlier events. The totals of parts of a window then add
 * up.
 */
export const isAdditive = (meter: MeterDocument | null): boolean =>
  meter === null || (!isFinal(meter) && (meter.aggregation === 'sum' || meter.aggregation === 'count'));

/**
 * Returns true if the total of a window is known only at its end, because the aggregation or the buckets need all events.
 * The total of the counter is then the largest total that the events can have.
 */
export const isFinal = ({ aggregation, bucket, persists }: MeterDocument): boolean =>
  bucket !== undefined || persists === true || finalAggregations.some((name) => name === aggregation);

/** Returns the aggregation of single events: the bucket's aggregation, or the meter's aggregation without a bucket. */
export const eventAggregation = ({ aggregation, bucket }: MeterDocument): Aggregation =>
  bucket?.aggregation ?? aggregation;

/** Returns true if a meter divides the total of a window by dimensions. */
export const hasDimensions = ({ dimensions = [] }: Pick<MeterDocument, 'dimensions'>): boolean =>
  dimensions.length > 0;

/** Returns true if events change a level that lasts across usage windows. */
export const holdsLevel = (meter: Pick<MeterDocument, 'persists'> | null): boolean =>
  meter?.persists === true;

/** Returns true if a meter stores the unique values of a property. */
export const storesValues = (meter: MeterDocument): boolean => meter.aggregation === 'unique';

/** Returns true if an event can reduce the total of a window. */
export const canFall = ({ aggregation }: MeterDocument): boolean => aggregation === 'latest';

/** Returns the number of decimals of a feature's quantities, according to its latest meter. */
export const latestDecimals = ({ meters }: { readonly meters: readonly MeterVersion[] }): number =>
  meters.at(-1)?.decimals ?? 0;

/** Returns the meter of a version without its validity. `null` if the meter is plain. */
export function meterOfVersion({
  validFrom: _from,
  seq: _seq,
  recounts: _recounts,
  ...meter
}: MeterVersion): MeterDocument | null {
  return isPlain(meter) ? null : meter;
}

const plainMeter: MeterDocument = { aggregation: 'sum', decimals: 0 };

/** Returns true if a meter has all dimensions of another meter and more, and is equal otherwise (PRM-123). */
export function addsDimensions(before: MeterDocument | null, after: MeterDocument | null): boolean {
  const { dimensions: known = [], ...counted } = before ?? plainMeter;
  const { dimensions = [], ...next } = after ?? plainMeter;
  const all = new Set(dimensions.map(canonicalJson));
  return (
    dimensions.length > known.length &&
    known.every((dimension) => all.has(canonicalJson(dimension))) &&
    canonicalJson(counted) === canonicalJson(next)
  );
}
