// What changes with the plan of a subscription, once it is paid for or its time has come (SUB-45, SUB-49).

import { counterIn } from '../../usage/counter.ts';
import { activeAddons } from '../../usage/terms.ts';
import { endOffers } from '../allowances/acceptance.ts';
import { endAddon } from '../allowances/addon-effects.ts';
import { addonsOf, openCounts, resetPools } from '../allowances/allowance.ts';
import { reviewGrants } from '../allowances/plan-grant-effects.ts';
import { boundOf } from '../schedule/periods.ts';
import type { Draft } from '../state/draft.ts';
import type { PlanChangePurchase, SubscriptionRow } from '../state/rows.ts';
import { stayingAddons } from './change-terms.ts';

/**
 * Ends what belonged to the plan that is left: the offer accepted for it, add-ons the new one does not take
 * or contains itself, and a plan grant that is not above the new one (OFR-19, SUB-45). Takes the changed row
 * and returns the row as it stands. No other place decides what a plan change ends.
 */
export function leavePlan(draft: Draft, changed: SubscriptionRow): SubscriptionRow {
  endOffers(draft, changed);
  const staying = stayingAddons(draft, changed);
  for (const activation of activeAddons(addonsOf(draft, changed))) {
    if (!staying.includes(activation)) endAddon(draft, changed, activation);
  }
  return reviewGrants(draft, changed);
}

type Billed = NonNullable<PlanChangePurchase['billedWindow']>;

/**
 * What was used after the invoice had billed the old window counts in the one that opens, which otherwise
 * begins at 0.
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
    if (total <= 0n) continue;
    draft.counters.patch(counter.id, { ...counterIn(null, counter, windowStart), seq: counter.seq, total });
    draft.usageAdjustments.push({
      id: draft.newId('uad'),
      seq: null,
      customerId,
      subscriptionId,
      featureId,
      previousValue: 0n,
      value: total,
      reason: 'Used while the plan changed.',
      windowStart,
      createdAt: draft.now,
    });
  }
}

/**
 * Begins the allowances of a plan: usage, counts and pools open a window and period of their own (SUB-45).
 * `billed` is what was charged of both.
 */
export function restartAllowances(
  draft: Draft,
  before: SubscriptionRow,
  changed: SubscriptionRow,
  billed: Pick<PlanChangePurchase, 'billedCounts' | 'billedWindow'> | null,
): void {
  const window = billed?.billedWindow ?? null;
  if (window !== null) carryUsage(draft, before, changed, window);
  openCounts(draft, changed, billed?.billedCounts);
  resetPools(draft, changed, false, window === null ? undefined : BigInt(window.balanceRate));
}
