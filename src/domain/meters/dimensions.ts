// Values of an event's dimensions (PRM-12).
import type { FieldProblem, Rejection } from '../errors/errors.ts';
import type { CardDocument, DimensionValues } from '../rates/card.ts';
import { compareDecimals, readDecimal, storedDecimal } from '../rates/decimal.ts';
import type { EventProperties } from '../rates/derived.ts';
import { rateRejection } from '../rates/rejections.ts';
import { propertyOf } from './measure.ts';
import type { MeterDimension, MeterDocument } from './meter.ts';

/** Returns the value for numbers above the last upper bound, such as `>272000`. */
const aboveLast = (bands: readonly string[]): string => `>${bands.at(-1)}`;

/**
 * Returns the possible values of a banded dimension: the upper bounds, and the range above them. `null` if the dimension has
 * no bands.
 */
const bandValues = ({ bands }: MeterDimension): readonly string[] | null =>
  bands === undefined ? null : [...bands, aboveLast(bands)];

/** Returns the value of a dimension, or the rejection if a banded property isn't a number. A missing property has the value "". */
function dimensionValue(
  { property, bands }: MeterDimension,
  properties: EventProperties,
): string | Rejection {
  const value = propertyOf(properties, property) ?? '';
  if (bands === undefined || value === '') return value;
  const number = readDecimal(value, { digits: 40 });
  if (typeof number === 'string')
    return rateRejection('bad_quantity', [{ field: `properties.${property}`, message: number }]);
  return bands.find((upTo) => compareDecimals(number, storedDecimal(upTo)) <= 0) ?? aboveLast(bands);
}

/** Returns the values of an event by dimension. `null` if the meter has no dimensions. */
export function dimensionValues(
  meter: MeterDocument | null,
  properties: EventProperties,
): { readonly values: DimensionValues } | null | Rejection {
  const { dimensions = [] } = meter ?? {};
  if (dimensions.length === 0) return null;
  const values: Record<string, string> = {};
  for (const dimension of dimensions) {
    const value = dimensionValue(dimension, properties);
    if (typeof value !== 'string') return value;
    values[dimension.property] = value;
  }
  return { values };
}

/** Returns the problems of dimensions and values that a meter doesn't have. `meter` is `null` if the feature has no meter. */
export function dimensionProblems(
  { cells }: Pick<CardDocument, 'cells'>,
  meter: MeterDocument | null,
): readonly FieldProblem[] {
  const dimensions: readonly MeterDimension[] = meter?.dimensions ?? [];
  return cells.flatMap(({ when }, index) =>
    Object.entries(when).flatMap(([name, values]): FieldProblem[] => {
      const field = `cells.${index}.when.${name}`;
      const dimension = dimensions.find(({ property }) => property === name);
      if (dimension === undefined) return [{ field, message: "isn't a dimension of the meter" }];
      const bands = bandValues(dimension);
      const isKnown = bands === null || values.every((value) => value === '' || bands.includes(value));
      return isKnown ? [] : [{ field, message: `must contain bands of the meter: ${bands.join(', ')}` }];
    }),
  );
}
