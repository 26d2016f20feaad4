// Effects that a plan change has when it's paid or due (SUB-45, SUB-49).

import { isAdditive, scaleOf } from '../../meters/meter.ts';
import { divideRounded } from '../../money/money.ts';
import { billedPools } from '../../rows/change-rows.ts';
import { boundOf } from '../../rows/period-bound.ts';
import type { PlanChangePurchase, SubscriptionRow } from '../../rows/rows.ts';
import { counterIn } from '../../usage/counter.ts';
import { activeAddons } from '../../usage/terms.ts';
import { endOffers } from '../allowances/acceptance.ts';
import { endAddon } from '../allowances/addon-effects.ts';
import { addonsOf, openCounts, resetPools } from '../allowances/allowance.ts';
import { recordBilled } from '../allowances/arrears.ts';
import { settlePrices } from '../allowances/final-prices.ts';
import { reviewGrants } from '../allowances/plan-grant-effects.ts';
import { cellsOf } from '../allowances/window-total.ts';
import type { Draft } from '../state/draft.ts';
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

type Billed = NonNullable<PlanChangePurchase['billedWindow']>;

/**
 * Moves usage that was recorded after the old usage window was billed to the new usage window. Without such usage, the
 * new usage window starts at 0.
 */
function carryUsage(
  draft: Draft,
  before: SubscriptionRow,
  changed: SubscriptionRow,
  { totals }: Billed,
): void {
  const windowStart = boundOf(changed, changed.windowStart);
  for (const counter of draft.counters.all()) {
    if (
      counter.subscriptionId !== changed.id ||
      counter.windowStart.getTime() !== before.windowStart?.getTime()
    )
      continue;
    const { customerId, subscriptionId, featureId } = counter;
    const total = counter.total - BigInt(totals[featureId] ?? 0);
    if (total <= 0n || !isAdditive(counter.meter)) continue;
    for (const cell of cellsOf(draft, counter) ?? []) {
      const left = cell.total - BigInt(totals[cell.id] ?? 0);
      if (left > 0n) draft.cells.patch(cell.id, { windowStart, total: left });
    }
    const { seq, meter } = counter;
    draft.counters.patch(counter.id, { ...counterIn(null, counter, windowStart, meter), seq, total });
    draft.usageAdjustments.push({
      id: draft.newId('uad'),
      seq: null,
      customerId,
      subscriptionId,
      featureId,
      previousValue: 0n,
      value: meter === null ? total : divideRounded(total, scaleOf(meter)),
      units: meter === null ? null : total,
      reason: 'Used while the plan changed.',
      windowStart,
      createdAt: draft.now,
    });
  }
}

/**
 * Opens a new usage window and billing period for usage, counts, and balances (SUB-45). `billed` contains the totals
 * that were charged for the old window and period at `at`.
 */
export function restartAllowances(
  draft: Draft,
  before: SubscriptionRow,
  changed: SubscriptionRow,
  billed: (Pick<PlanChangePurchase, 'billedCounts' | 'billedWindow'> & { readonly at: Date }) | null,
): void {
  const window = billed?.billedWindow ?? null;
  settlePrices(
    draft,
    before,
    new Map(Object.entries(window?.usage ?? {}).map(([id, minor]) => [id, BigInt(minor)])),
  );
  if (window !== null) {
    recordBilled(draft, before, window, billed?.at ?? draft.now);
    carryUsage(draft, before, changed, window);
  }
  openCounts(draft, changed, billed?.billedCounts);
  resetPools(draft, changed, 'changed', window === null ? {} : billedPools(window));
}
