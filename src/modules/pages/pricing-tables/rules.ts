import type { Catalog } from '../../../domain/pricing/catalog.ts';
import { withSavings } from '../../../domain/pricing/interval-savings.ts';
import { priceAt } from '../../../domain/pricing/resolve.ts';
import type { BillingInterval } from '../../../domain/rows/enums.ts';

/** Price of a plan for a new customer, at one interval. */
export type ShownPrice = {
  readonly interval: BillingInterval;
  /** Price per interval, in minor units of the currency. */
  readonly priceMinor: bigint;
  readonly currency: string;
  /** ID of the market whose prices apply. `null` if there is no market. */
  readonly marketId: string | null;
  readonly trialDays: number;
  /** Credits included per interval. `null` if the plan includes no credits. */
  readonly includedCredits: bigint | null;
  /** Prepaid balance included per interval, at rate scale (10,000 = 1.00). `null` if the plan includes no balance. */
  readonly includedBalanceRate: bigint | null;
  /** Minimum spend per interval, in minor units of the currency. `null` if the price has no minimum. */
  readonly minimumMinor: bigint | null;
  /** Savings compared with paying the shortest interval's price for the same time, in minor units. 0 if the price isn't lower. */
  readonly savingMinor: bigint;
};

/** Order of the billing intervals on a pricing page. */
export const intervalOrder: readonly BillingInterval[] = [
  'weekly',
  'monthly',
  'quarterly',
  'yearly',
  'one_time',
];

/**
 * Returns the prices of a plan in a country, based on its selectable base prices (CAT-32), shortest interval first. Includes only the given
 * intervals, or all intervals if the parameter is omitted. Savings are calculated only from the returned prices.
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
      const {
        amountMinor: priceMinor,
        currency,
        market: marketId,
        trialDays,
        includedCredits,
        includedBalanceRate,
        minimumMinor,
      } = found;
      const included = { includedCredits, includedBalanceRate, minimumMinor };
      return [{ interval: row.billingInterval, priceMinor, currency, marketId, trialDays, ...included }];
    }),
  );
}
