// Quantity of a usage event according to the meter of its feature (PRM-120), and its effect on the total of the window
// (PRM-10).
import type { Rejection } from '../errors/errors.ts';
import { decimalText } from '../money/amount-text.ts';
import { divideRounded, maxOf } from '../money/money.ts';
import { type Decimal, powerOfTen, readDecimal, storedDecimal } from '../rates/decimal.ts';
import type { EventProperties } from '../rates/derived.ts';
import { largestQuantity } from '../rates/price.ts';
import { rateRejection } from '../rates/rejections.ts';
import { eventAggregation, isFinal, type MeterDocument, type MeterFilter, scaleOf } from './meter.ts';

/** Fields of an event that determine its quantity. `quantity` is a decimal as text. */
export type MeasuredFields = {
  readonly value: bigint | null;
  readonly quantity: string | null;
  readonly properties: EventProperties;
};

/** Quantity of an event. */
export type Measured = {
  /** Quantity rounded to a whole number. */
  readonly value: bigint;
  /** Exact quantity as a decimal. `null` if the meter has no decimals. */
  readonly quantity: string | null;
  /** Quantity in counted units, of which one unit of the feature has `scaleOf(meter)`. */
  readonly units: bigint;
  /** Value that `unique` counts. `null` if the aggregation counts no values. */
  readonly key: string | null;
  /** False if the event doesn't meet the filters. The event is then recorded without an effect on the total. */
  readonly isCounted: boolean;
};

const badQuantity = (field: string, message: string): Rejection =>
  rateRejection('bad_quantity', [{ field, message }]);

const tooLarge = (field: string): Rejection =>
  rateRejection('too_large', [{ field, message: "can't be greater than 9,007,199,254,740,991" }]);

export const propertyOf = (properties: EventProperties, name: string): string | null =>
  properties.find(({ property }) => property === name)?.value ?? null;

/** Returns true if the properties meet a filter. A missing property has the value "". */
function meets(properties: EventProperties, filter: MeterFilter): boolean {
  const value = propertyOf(properties, filter.property) ?? '';
  return filter.in === undefined ? filter.notIn?.includes(value) !== true : filter.in.includes(value);
}

/** Returns true if an event meets all filters of a meter. */
export const isMatching = ({ filters = [] }: MeterDocument, properties: EventProperties): boolean =>
  filters.every((filter) => meets(properties, filter));

const inUnits = ({ units, decimals }: Decimal, scaleDecimals: number): bigint =>
  units * powerOfTen(scaleDecimals - decimals);

/** Reads a quantity with at most `decimals` decimals. Returns counted units. */
function readUnits(field: string, text: string | null, decimals: number): bigint | Rejection {
  const read = readDecimal(text, { digits: 40, decimals });
  if (typeof read === 'string') return badQuantity(field, read);
  const units = inUnits(read, decimals);
  return units > largestQuantity * powerOfTen(decimals) ? tooLarge(field) : units;
}

/** Rounds a quantity up to a multiple of the step, and raises it to the minimum per event. */
function adjusted({ step, minimumPerEvent, decimals }: MeterDocument, units: bigint): bigint {
  const size = step === undefined ? 1n : inUnits(storedDecimal(step), decimals);
  const stepped = ((units + size - 1n) / size) * size;
  return minimumPerEvent === undefined
    ? stepped
    : maxOf(stepped, inUnits(storedDecimal(minimumPerEvent), decimals));
}

/** Returns the quantity that the event states, in counted units. */
function statedUnits(meter: MeterDocument, { value, quantity, properties }: MeasuredFields) {
  const { property, decimals } = meter;
  if (property !== undefined && eventAggregation(meter) !== 'unique')
    return readUnits(`properties.${property}`, propertyOf(properties, property), decimals);
  if (quantity === null) return (value ?? 1n) * powerOfTen(decimals);
  return readUnits('quantity', quantity, decimals);
}

/** Returns the whole quantity of an event that only states units. */
function wholeQuantity({ value, quantity }: MeasuredFields): Measured | Rejection {
  const units = quantity === null ? (value ?? 1n) : readUnits('quantity', quantity, 0);
  return typeof units === 'bigint'
    ? { value: units, quantity: null, units, key: null, isCounted: true }
    : units;
}

/**
 * Returns the quantity of an event. If the meter names a property, the property contains the quantity. Otherwise the
 * quantity is `quantity` or `value`, and 1 by default. Fails with `validation_error` and the reason `bad_quantity` or
 * `too_large`.
 */
export function measure(meter: MeterDocument | null, fields: MeasuredFields): Measured | Rejection {
  if (fields.value !== null && fields.quantity !== null)
    return badQuantity('quantity', "can't be combined with `value`");
  if (meter === null) return wholeQuantity(fields);
  if (!isMatching(meter, fields.properties)) {
    const stated = wholeQuantity({ ...fields, quantity: null });
    return 'code' in stated ? stated : { ...stated, units: 0n, isCounted: false };
  }
  const { decimals, property } = meter;
  const isUnique = eventAggregation(meter) === 'unique';
  const key = isUnique ? propertyOf(fields.properties, property ?? '') : null;
  if (isUnique && key === null)
    return badQuantity(`properties.${property}`, 'is required because the feature counts its values');
  const stated = statedUnits(meter, fields);
  if (typeof stated !== 'bigint') return stated;
  const units = adjusted(meter, stated);
  return {
    value: divideRounded(units, powerOfTen(decimals)),
    quantity: decimals === 0 ? null : decimalText(units, decimals),
    units,
    key,
    isCounted: true,
  };
}

/** State of a window before an event. */
export type WindowState = {
  readonly total: bigint;
  /** Time of the event that determines the total if the aggregation is `latest`. `null` if there are no events. */
  readonly latestAt: Date | null;
};

/** Returns true if an event at `at` isn't earlier than the event that determines the total. */
const isLatest = ({ latestAt }: Pick<WindowState, 'latestAt'>, at: Date): boolean =>
  latestAt === null || at >= latestAt;

/**
 * Returns the time of the event that determines the total after an event at `at`. Only changes if the aggregation is
 * `latest`.
 */
export const latestAfter = (
  meter: MeterDocument | null,
  state: Pick<WindowState, 'latestAt'>,
  { isCounted }: Measured,
  at: Date,
): Date | null => (meter?.aggregation === 'latest' && isCounted && isLatest(state, at) ? at : state.latestAt);

/** Returns the increase of the largest total that the events of a window can have. */
function riseOfBound(meter: MeterDocument, { total }: WindowState, { units }: Measured): bigint {
  if (meter.bucket === undefined) return maxOf(0n, units - total);
  const { aggregation } = meter.bucket;
  return aggregation === 'count' || aggregation === 'unique' ? scaleOf(meter) : units;
}

/**
 * Returns the change of the total by an event, in counted units. `at` is the time of the event, and `known` the number of
 * events in the window with the same value of the counted property.
 */
export function riseBy(
  meter: MeterDocument | null,
  state: WindowState,
  event: Measured,
  at: Date,
  known: bigint,
): bigint {
  if (!event.isCounted) return 0n;
  if (meter === null) return event.units;
  if (isFinal(meter)) return riseOfBound(meter, state, event);
  switch (meter.aggregation) {
    case 'sum':
      return event.units;
    case 'count':
      return 1n;
    case 'max':
    case 'percentile':
    case 'average':
    case 'time_weighted':
      return maxOf(0n, event.units - state.total);
    case 'latest':
      return isLatest(state, at) ? event.units - state.total : 0n;
    case 'unique':
      return known === 0n ? 1n : 0n;
  }
}
