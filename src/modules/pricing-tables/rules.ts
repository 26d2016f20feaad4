import type { BillingInterval } from '../../domain/enums.ts';
import type { Catalog } from '../../domain/pricing/catalog.ts';
import { withSavings } from '../../domain/pricing/interval-savings.ts';
import { priceAt } from '../../domain/pricing/resolve.ts';

/** What a new customer pays for a plan each interval. */
export type ShownPrice = {
  readonly interval: BillingInterval;
  /** Minor units of the currency. */
  readonly priceMinor: bigint;
  readonly currency: string;
  readonly trialDays: number;
  /** Against the same time of the shortest interval, minor units; 0 for none. */
  readonly savingMinor: bigint;
};

/** The order of intervals on a page. */
export const intervalOrder: readonly BillingInterval[] = [
  'weekly',
  'monthly',
  'quarterly',
  'yearly',
  'one_time',
];

/**
 * What a plan costs in a country, by its base prices that can be chosen (CAT-32), the shortest interval first: those of the named intervals, all
 * where none is named. What an interval saves is against the intervals shown.
 */
export function shownPrices(
  catalog: Catalog,
  planId: string,
  {
    intervals,
    country,
    now,
  }: { readonly intervals: readonly BillingInterval[]; readonly country: string | null; readonly now: Date },
): ShownPrice[] {
  const rows = (catalog.pricesOfPlan.get(planId) ?? []).filter(
    ({ archivedAt, inheritsFromPriceId, billingInterval }) =>
      archivedAt === null &&
      inheritsFromPriceId === null &&
      (intervals.length === 0 || intervals.includes(billingInterval)),
  );
  return withSavings(
    rows.flatMap((row) => {
      const found = priceAt(catalog, row, now, { country });
      if ('failure' in found) return [];
      const { amountMinor: priceMinor, currency, trialDays } = found;
      return [{ interval: row.billingInterval, priceMinor, currency, trialDays }];
    }),
  );
}
