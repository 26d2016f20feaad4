// Counts the usage of an open window again after dimensions were added to the meter (PRM-123).
import { dimensionValues } from '../meters/dimensions.ts';
import { addsDimensions, type MeterDocument, meterOfVersion } from '../meters/meter.ts';
import type { FeatureRow } from '../pricing/catalog.ts';
import { type Subject, type UsageBook, windowOf } from './book.ts';
import { cellsFor } from './book-cells.ts';
import type { WindowCells } from './cells.ts';
import { dimensionsFull, meterRecounted } from './event-data.ts';
import { withMeter } from './metered-terms.ts';

/**
 * Sum of the units of events with the same values of the properties, in the order of the dimensions. A missing property is `null`.
 * `units` is negative for events that were corrected after they were counted.
 */
export type CountedPart = { readonly values: readonly (string | null)[]; readonly units: bigint };

/** Usage of a window that is counted again. */
export type Recount = {
  readonly meter: MeterDocument;
  readonly cells: WindowCells;
  /** True if combinations of values were folded. */
  readonly isFolded: boolean;
};

/** Returns the meter to which open windows change. `null` if the latest version doesn't change open windows. */
export function recountedMeter({ meters }: Pick<FeatureRow, 'meters'>): MeterDocument | null {
  const latest = meters.at(-1);
  return latest?.recounts === true ? meterOfVersion(latest) : null;
}

/**
 * Begins to count the current window of a feature again. `null` if the window already has the dimensions, or if the meters differ in
 * other ways.
 */
export function beginRecount(
  { details }: UsageBook,
  subject: Subject,
  meter: MeterDocument | null,
): Recount | null {
  if (!addsDimensions(subject.terms.meter?.document ?? null, meter)) return null;
  const cells = cellsFor({ ...subject, terms: withMeter(subject.terms, meter) }, [], details.hash);
  return meter === null || cells === null ? null : { meter, cells, isFolded: false };
}

/** Adds parts to the totals. Usage whose values aren't bands of a dimension stays without values. */
export function countParts(recount: Recount, parts: readonly CountedPart[]): Recount {
  const { meter, cells } = recount;
  const names = (meter.dimensions ?? []).map(({ property }) => property);
  let { isFolded } = recount;
  for (const { values, units } of parts) {
    const properties = names.flatMap((property, index) => {
      const value = values[index] ?? null;
      return value === null ? [] : [{ property, value }];
    });
    const read = dimensionValues(meter, properties);
    if (read === null || 'code' in read) continue;
    const change = units < 0n ? cells.removing(read.values, -units) : cells.adding(read.values, units);
    if (cells.apply(change)) isFolded = true;
  }
  return { ...recount, isFolded };
}

/**
 * Changes the window of a feature to the new meter and its totals by dimension values. The total and the deducted amounts don't change.
 * The cheapest version of the price applies to the whole window, so that the new dimensions don't raise its price (PRM-5).
 */
export function finishRecount(book: UsageBook, subject: Subject, { meter, cells, isFolded }: Recount): void {
  const { customer, subscription, feature } = subject;
  const { counter } = book.meterOf(subject);
  const windowStart = windowOf(subscription);
  book.cells.replace(subject, cells);
  book.counters.set(counter.id, { ...counter, meter });
  const dimensions = (meter.dimensions ?? []).map(({ property }) => property);
  book.emit(customer.id, meterRecounted(subject, feature, windowStart, dimensions));
  if (isFolded) book.emit(customer.id, dimensionsFull(subject, feature, windowStart));
}
