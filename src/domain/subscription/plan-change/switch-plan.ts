// Effects that a plan change has when it's paid or due (SUB-45, SUB-49).

import { billedPools, correctedWindow } from '../../rows/change-rows.ts';
import type { PlanChangePurchase, SubscriptionRow } from '../../rows/rows.ts';
import { activeAddons } from '../../usage/terms.ts';
import { endOffers } from '../allowances/acceptance.ts';
import { endAddon } from '../allowances/addon-effects.ts';
import { addonsOf, openCounts, resetPools } from '../allowances/allowance.ts';
import { recordBilled } from '../allowances/arrears.ts';
import { settlePrices } from '../allowances/final-prices.ts';
import { reviewGrants } from '../allowances/plan-grant-effects.ts';
import type { Draft } from '../state/draft.ts';
import { addBilledCorrections } from './billed-corrections.ts';
import { carryUsage, drawCarried, withFinalUsage } from './carried-usage.ts';
import { continuingAddons } from './change-terms.ts';

/**
 * Ends benefits that the new plan doesn't continue (OFR-19, SUB-45). These are the accepted offer, add-ons that the new
 * plan disallows or already includes, and a plan grant that doesn't rank above the new plan. Takes the subscription's
 * changed row and returns the updated row. All plan changes must use this function.
 */
export function leavePlan(draft: Draft, changed: SubscriptionRow): SubscriptionRow {
  endOffers(draft, changed);
  const staying = continuingAddons(draft, changed);
  for (const activation of activeAddons(addonsOf(draft, changed))) {
    if (!staying.includes(activation)) endAddon(draft, changed, activation);
  }
  return reviewGrants(draft, changed);
}

/** Totals that an invoice billed, with the time and the number of the invoice. */
type BilledChange = Pick<PlanChangePurchase, 'billedCounts' | 'billedWindow'> & {
  readonly at: Date;
  readonly seq: bigint | null;
};

/**
 * Opens a new usage window and billing period for usage, counts, and balances (SUB-45). `billed` contains the totals
 * that were charged for the old window and period at `at`.
 */
export function restartAllowances(
  draft: Draft,
  before: SubscriptionRow,
  changed: SubscriptionRow,
  billed: BilledChange | null,
): void {
  const window = billed?.billedWindow ?? null;
  if (billed === null || window === null) {
    settlePrices(draft, before, new Map());
    openCounts(draft, changed, billed?.billedCounts);
    resetPools(draft, changed, 'changed');
    return;
  }
  const change = [before, changed] as const;
  const corrected = withFinalUsage(draft, change, correctedWindow(window));
  const recorded = recordBilled(draft, before, corrected, billed.at);
  settlePrices(draft, before, addBilledCorrections(draft, before, window, recorded), corrected.drawn);
  const except = (window.corrected ?? []).flatMap(({ replacement }) =>
    replacement === null ? [] : [BigInt(replacement)],
  );
  const carried = carryUsage(draft, change, { window: corrected, seq: billed.seq, except });
  openCounts(draft, changed, billed.billedCounts);
  resetPools(draft, changed, 'changed', { settled: billedPools(corrected), carried: carried.drawn });
  drawCarried(draft, changed, carried.due);
}
