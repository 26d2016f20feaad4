import { isMatching, propertyOf } from '../meters/measure.ts';
import { storesValues } from '../meters/meter.ts';
import type { EventProperties } from '../rates/derived.ts';
import type { UsageTerms } from './terms.ts';

/** Returns the value that an event with these properties adds to a `unique` meter. `null` if the event counts no value. */
export function measuredValue(
  { meter }: Pick<UsageTerms, 'meter'>,
  properties: EventProperties,
): string | null {
  if (meter === null || !storesValues(meter.document) || !isMatching(meter.document, properties)) return null;
  return propertyOf(properties, meter.document.property ?? '');
}
