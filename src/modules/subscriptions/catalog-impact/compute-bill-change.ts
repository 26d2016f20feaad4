import { type ChangedTerms, repricedWindow } from '../../../domain/usage/repriced-window.ts';
import type { Query } from '../../../platform/db/pool.ts';
import { type PricedFeatures, readLastWindows } from './store.ts';

/** Usage charges in one currency, as they were billed and under changed prices, in minor units. `windows` is their number of windows. */
export type BillChange = {
  readonly currency: string;
  readonly beforeMinor: bigint;
  readonly afterMinor: bigint;
  readonly windows: number;
};

/** Change of the last usage charges. `unknown` is the number of windows whose price under the changed terms isn't known. */
export type BillChanges = { readonly lastBills: readonly BillChange[]; readonly unknown: number };

/** Change that doesn't affect usage charges. */
export const noBillChanges: BillChanges = { lastBills: [], unknown: 0 };

/**
 * Prices the last ended usage windows of features again under changed terms (PRM-6). Returns the sums by currency, sorted by
 * currency. Doesn't include windows without a charge before and after the change.
 */
export async function billChanges(
  sql: Query,
  features: PricedFeatures,
  isStaying: boolean,
  terms: ChangedTerms,
): Promise<BillChanges> {
  const sums = new Map<string, BillChange>();
  let unknown = 0;
  for await (const windows of readLastWindows(sql, features, isStaying)) {
    for (const { currency, marketId, ...row } of windows) {
      const repriced = repricedWindow(row, { currency, marketId }, terms);
      if (repriced === null) unknown += 1;
      else if (repriced.before + repriced.after > 0n) {
        const { beforeMinor = 0n, afterMinor = 0n, windows: count = 0 } = sums.get(currency) ?? {};
        sums.set(currency, {
          currency,
          beforeMinor: beforeMinor + repriced.before,
          afterMinor: afterMinor + repriced.after,
          windows: count + 1,
        });
      }
    }
  }
  const lastBills = sums
    .values()
    .toArray()
    .toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
  return { lastBills, unknown };
}
