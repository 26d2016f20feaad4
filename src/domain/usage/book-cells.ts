import { dimensionValues } from '../meters/dimensions.ts';
import { isMatching } from '../meters/measure.ts';
import { hasDimensions, type MeterDocument } from '../meters/meter.ts';
import type { FeatureRow } from '../pricing/catalog.ts';
import { boundOf } from '../rows/period-bound.ts';
import type { UsageCellRow } from '../rows/usage-rows.ts';
import { WindowCells } from './cells.ts';
import { counterId } from './counter.ts';
import type { Consumer } from './event-data.ts';
import type { UsageEventRow } from './record.ts';
import type { UsageTerms } from './terms.ts';

type Used = Consumer & { readonly feature: FeatureRow; readonly terms: UsageTerms };

/** Removes an event from the totals of its combination. Does nothing if the meter has no dimensions. */
export function removeEvent(
  cells: WindowCells | null,
  document: MeterDocument | null,
  { properties, units, value }: UsageEventRow,
): void {
  const dimensions = dimensionValues(document, properties);
  if (cells === null || document === null || dimensions === null || 'code' in dimensions) return;
  if (isMatching(document, properties)) cells.apply(cells.removing(dimensions.values, units ?? value));
}

/** Returns the totals of the current window of a feature with the given rows. `null` if the meter has no dimensions. */
export function cellsFor(
  { customer, subscription, feature, terms }: Used,
  rows: readonly UsageCellRow[],
  hash: (text: string) => string,
): WindowCells | null {
  const { document } = terms.meter ?? {};
  if (document === undefined || !hasDimensions(document)) return null;
  const of = { customerId: customer.id, subscriptionId: subscription.id, featureId: feature.id };
  return new WindowCells(
    {
      ...of,
      counterId: counterId(subscription.id, feature.id),
      windowStart: boundOf(subscription, subscription.windowStart),
    },
    { rates: terms.rates, dimensions: document.dimensions?.length ?? 0 },
    rows,
    hash,
  );
}

/** Totals by dimension values of the windows that a usage book changes. */
export class BookCells {
  readonly #stored: ReadonlyMap<string, readonly UsageCellRow[]>;
  readonly #hash: (text: string) => string;
  readonly #windows = new Map<string, WindowCells>();

  /** `stored` contains the stored rows by counter ID. */
  constructor(stored: ReadonlyMap<string, readonly UsageCellRow[]>, hash: (text: string) => string) {
    this.#stored = stored;
    this.#hash = hash;
  }

  /** Returns the totals of the current window of a feature. `null` if the meter has no dimensions. */
  of(used: Used): WindowCells | null {
    const counter = counterId(used.subscription.id, used.feature.id);
    const known = this.#windows.get(counter);
    if (known !== undefined) return known;
    const cells = cellsFor(used, this.#stored.get(counter) ?? [], this.#hash);
    if (cells !== null) this.#windows.set(counter, cells);
    return cells;
  }

  /** Replaces the totals of the current window of a feature. */
  replace({ subscription, feature }: Used, cells: WindowCells): void {
    this.#windows.set(counterId(subscription.id, feature.id), cells);
  }

  /** Removes an event from the totals of its combination. */
  remove(subject: Used, event: UsageEventRow): void {
    const document = subject.terms.meter?.document ?? null;
    removeEvent(this.of(subject), document, event);
  }

  /** Returns the rows of the current window of a counter. `null` if no total of the window was used. */
  rowsOf(counter: string): readonly UsageCellRow[] | null {
    return this.#windows.get(counter)?.rows() ?? null;
  }

  /** Returns the changed rows. */
  changed(): UsageCellRow[] {
    return [...this.#windows.values()].flatMap(({ changed }) => [...changed.values()]);
  }
}
