// What changes with the plan of a subscription, once it is paid for or its time has come (SUB-45, SUB-49).

import { counterIn } from '../consumption/counter.ts';
import { activeAddons } from '../consumption/terms.ts';
import { maxOf } from '../money.ts';
import { endOffers } from './acceptance.ts';
import { endAddon } from './addon-effects.ts';
import { addonsOf, openCounts, resetPools } from './allowance.ts';
import { stayingAddons } from './change-terms.ts';
import { reviewGrants } from './plan-grant-effects.ts';
import type { PlanChangePurchase, SubscriptionRow } from './rows.ts';
import type { Work } from './work.ts';

/**
 * Ends what belonged to the plan that is left: the offer accepted for it, add-ons the new one does not take or contains itself, and a plan
 * grant that is not above the new one (OFR-19, SUB-45). The row is the changed one, and is answered as it then is. This is the one place that
 * asks what a plan change ends.
 */
export function leavePlan(work: Work, changed: SubscriptionRow): SubscriptionRow {
  endOffers(work, changed);
  const staying = stayingAddons(work, changed);
  for (const activation of activeAddons(addonsOf(work, changed))) {
    if (!staying.includes(activation)) endAddon(work, changed, activation);
  }
  return reviewGrants(work, changed);
}

/** Usage counts from 0 in the window that opens, but for what came after the invoice had billed the old one. */
function restartUsage(work: Work, before: SubscriptionRow, changed: SubscriptionRow, billed: PlanChangePurchase['billedWindow']): void {
  const { windowStart } = changed;
  if (windowStart === null) throw new Error(`The subscription ${changed.id} has no window.`);
  for (const counter of work.counters.all()) {
    if (counter.subscriptionId !== changed.id || counter.windowStart.getTime() !== before.windowStart?.getTime()) continue;
    const later = billed === null ? 0n : maxOf(0n, counter.total - BigInt(billed.totals[counter.featureId] ?? 0));
    if (later === 0n && counter.windowStart.getTime() !== windowStart.getTime()) continue;
    work.counters.put({ ...counterIn(null, counter, windowStart), seq: counter.seq, total: later });
  }
}

/** Begins the allowances of a plan: usage, counts and pools open a window and period of their own (SUB-45). `billed` is what was charged of both. */
export function restartAllowances(
  work: Work,
  before: SubscriptionRow,
  changed: SubscriptionRow,
  billed: Pick<PlanChangePurchase, 'billedCounts' | 'billedWindow'> | null,
): void {
  restartUsage(work, before, changed, billed?.billedWindow ?? null);
  openCounts(work, changed, billed?.billedCounts);
  const settled = billed?.billedWindow?.balanceRate;
  resetPools(work, changed, false, settled === undefined ? undefined : BigInt(settled));
}
