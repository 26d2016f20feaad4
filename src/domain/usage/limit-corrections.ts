// Changes of limits by corrections of usage events.
import { matchesFilter } from '../limits/filter.ts';
import type { LimitRow } from '../limits/limit.ts';
import type { FeatureRow, PlanRow } from '../pricing/catalog.ts';
import { assetOf } from '../pricing/pools.ts';
import type { EventProperties } from '../rates/derived.ts';
import { type Exact, ratio, whole } from '../rates/exact.ts';
import type { Meter } from './admission.ts';
import type { Consumer } from './event-data.ts';
import { unitScale } from './metered-terms.ts';
import type { UsageTerms } from './terms.ts';

/** Corrected event. `countedAt` is the time at which limits counted it. */
export type CorrectedUsage = {
  readonly subject: Consumer & {
    readonly plan: PlanRow;
    readonly feature: FeatureRow;
    readonly terms: UsageTerms;
  };
  readonly budgetId: string | null;
  readonly countedAt: Date;
  /** Properties and counted units of the event and of its replacement. `null` if the event is only voided. */
  readonly removed: CountedEvent;
  readonly added: CountedEvent | null;
  /** True if the event counts the event of another feature. */
  readonly isSourced: boolean;
};

type CountedEvent = { readonly properties: EventProperties; readonly units: bigint };

/** Returns the change of a limit by a correction. `null` if the limit's value doesn't change. */
export function correctedBy(
  { measure, filter, asset }: LimitRow,
  { subject, removed, added, isSourced }: CorrectedUsage,
  { before, after }: { readonly before: Meter; readonly after: Meter },
): Exact | null {
  const { feature, terms, subscription } = subject;
  const matches = ({ properties }: CountedEvent): boolean => matchesFilter(filter, feature.code, properties);
  const [wasCounted, isCounted] = [matches(removed), added !== null && matches(added)];
  if (!wasCounted && !isCounted) return null;
  if (measure === 'calls' && isSourced && filter.features.length === 0) return null;
  if (measure === 'calls') return whole((isCounted ? 1n : 0n) - (wasCounted ? 1n : 0n));
  if (measure === 'units') {
    const isWhole = wasCounted && (isCounted || added === null);
    const units = isWhole
      ? after.counter.total - before.counter.total
      : (isCounted ? (added?.units ?? 0n) : 0n) - (wasCounted ? removed.units : 0n);
    return ratio(units, unitScale(terms));
  }
  const isDrawn =
    measure === 'drawn' &&
    terms.pool !== null &&
    asset === assetOf(terms.pool.pool, subscription.currency) &&
    wasCounted;
  return isDrawn ? whole(after.counter.consumed - before.counter.consumed) : null;
}
