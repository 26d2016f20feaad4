import { isMatching, propertyOf } from '../meters/measure.ts';
import { storesValues } from '../meters/meter.ts';
import type { EventProperties } from '../rates/derived.ts';
import type { Subject } from './book.ts';
import { valueId } from './counter.ts';

/** Returns the ID of the value that an event adds to a `unique` meter. `null` if the event counts no value. */
export function measuredValue(
  { subscription, feature, terms }: Subject,
  { properties }: { readonly properties: EventProperties },
  hash: (value: string) => string,
): string | null {
  const meter = terms.meter?.document;
  if (meter === undefined || !storesValues(meter) || !isMatching(meter, properties)) return null;
  const value = propertyOf(properties, meter.property ?? '');
  return value === null ? null : valueId(subscription.id, feature.id, hash(value));
}
