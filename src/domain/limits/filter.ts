import type { EventProperties } from '../rates/derived.ts';
import type { LimitFilter } from './limit.ts';

/** Returns true if a limit counts usage of a feature with these properties. */
export const matchesFilter = (
  { features, dimensions, operations }: LimitFilter,
  featureCode: string,
  properties: EventProperties,
): boolean =>
  operations === undefined &&
  (features.length === 0 || features.includes(featureCode)) &&
  dimensions.every(({ property, values }) =>
    properties.some((given) => given.property === property && values.includes(given.value)),
  );
