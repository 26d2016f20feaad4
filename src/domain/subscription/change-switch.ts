// What changes with the plan of a subscription, once it is paid for or its time has come (SUB-45, SUB-49).

import { counterIn } from '../consumption/counter.ts';
import { activeAddons } from '../consumption/terms.ts';
import { endOffers } from './acceptance.ts';
import { endAddon } from './addon-effects.ts';
import { addonsOf, openCounts, resetPools } from './allowance.ts';
import { stayingAddons } from './change-terms.ts';
import { boundOf } from './periods.ts';
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

type Billed = NonNullable<PlanChangePurchase['billedWindow']>;

/** What was used after the invoice had billed the old window counts in the one that opens, which otherwise begins at 0. */
function carryUsage(work: Work, before: SubscriptionRow, changed: SubscriptionRow, { totals }: Billed): void {
  const windowStart = boundOf(changed, changed.windowStart);
  for (const counter of work.counters.all()) {
    if (counter.subscriptionId !== changed.id || counter.windowStart.getTime() !== before.windowStart?.getTime()) continue;
    const { customerId, subscriptionId, featureId } = counter;
    const total = counter.total - BigInt(totals[featureId] ?? 0);
    if (total <= 0n) continue;
    work.counters.put({ ...counterIn(null, counter, windowStart), seq: counter.seq, total });
    work.usageAdjustments.push({
      id: work.newId('uad'),
      seq: null,
      customerId,
      subscriptionId,
      featureId,
      previousValue: 0n,
      value: total,
      reason: 'Used while the plan changed.',
      windowStart,
      createdAt: work.now,
    });
  }
}

/** Begins the allowances of a plan: usage, counts and pools open a window and period of their own (SUB-45). `billed` is what was charged of both. */
export function restartAllowances(
  work: Work,
  before: SubscriptionRow,
  changed: SubscriptionRow,
  billed: Pick<PlanChangePurchase, 'billedCounts' | 'billedWindow'> | null,
): void {
  const window = billed?.billedWindow ?? null;
  if (window !== null) carryUsage(work, before, changed, window);
  openCounts(work, changed, billed?.billedCounts);
  resetPools(work, changed, false, window === null ? undefined : BigInt(window.balanceRate));
}
