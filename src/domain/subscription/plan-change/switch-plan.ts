// Effects that a plan change has when it's paid or due (SUB-45, SUB-49).

import { isAdditive, type MeterDocument, scaleOf, storesValues } from '../../meters/meter.ts';
import { stateAfter } from '../../meters/replay.ts';
import { measuredAgain, type WindowEvent } from '../../meters/total.ts';
import { divideRounded } from '../../money/money.ts';
import { billedPools } from '../../rows/change-rows.ts';
import { boundOf } from '../../rows/period-bound.ts';
import type { PlanChangePurchase, SubscriptionRow } from '../../rows/rows.ts';
import type { UsageCounterRow } from '../../rows/usage-rows.ts';
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

/** Totals that an invoice billed, with the time and the number of the invoice. */
type BilledChange = Pick<PlanChangePurchase, 'billedCounts' | 'billedWindow'> & {
  readonly at: Date;
  readonly seq: bigint | null;
};

/** Adjusts the total of a carried counter by the part without events, such as a set total. */
function adjustCarried(draft: Draft, { meter, ...counter }: UsageCounterRow, counted: bigint): void {
  const { customerId, subscriptionId, featureId, total, windowStart } = counter;
  if (total === counted) return;
  const shown = (units: bigint): bigint => (meter === null ? units : divideRounded(units, scaleOf(meter)));
  draft.usageAdjustments.push({
    id: draft.newId('uad'),
    seq: null,
    customerId,
    subscriptionId,
    featureId,
    previousValue: shown(counted),
    value: shown(total),
    units: meter === null ? null : total - counted,
    reason: 'Used while the plan changed.',
    windowStart,
    createdAt: draft.now,
  });
}

/** Returns the number of events by counted value. Empty if the meter doesn't store values. */
function valuesOf(meter: MeterDocument | null, events: readonly WindowEvent[]): ReadonlyMap<string, bigint> {
  const values = new Map<string, bigint>();
  if (meter === null || !storesValues(meter)) return values;
  for (const event of events) {
    const measured = measuredAgain(meter, event);
    if ('code' in measured || measured.key === null) continue;
    values.set(measured.key, (values.get(measured.key) ?? 0n) + 1n);
  }
  return values;
}

/**
 * Moves usage that was recorded after the old usage window was billed to the new usage window, together with its events. Without such
 * usage, the new usage window starts at 0. `billedSeq` is the number of the invoice, or `null` if it was issued by the same decision.
 */
function carryUsage(
  draft: Draft,
  before: SubscriptionRow,
  changed: SubscriptionRow,
  { totals }: Billed,
  billedSeq: bigint | null,
): void {
  const windowStart = boundOf(changed, changed.windowStart);
  for (const counter of draft.counters.all()) {
    const { customerId, subscriptionId, featureId, meter, windowStart: from } = counter;
    if (subscriptionId !== changed.id || from.getTime() !== before.windowStart?.getTime()) continue;
    const events = draft.aggregate.measured.filter(
      (event) =>
        event.subscriptionId === subscriptionId &&
        event.featureId === featureId &&
        event.windowStart.getTime() === from.getTime() &&
        billedSeq !== null &&
        event.seq > billedSeq,
    );
    const counted = stateAfter(meter, events);
    const total = isAdditive(meter) ? counter.total - BigInt(totals[featureId] ?? 0) : counted.total;
    if (total <= 0n && events.length === 0) continue;
    for (const cell of cellsOf(draft, counter) ?? []) {
      const left = cell.total - BigInt(totals[cell.id] ?? 0);
      if (left > 0n) draft.cells.patch(cell.id, { windowStart, total: left });
    }
    const carried = { ...counterIn(null, counter, windowStart, meter), seq: counter.seq, ...counted, total };
    draft.counters.patch(counter.id, carried);
    adjustCarried(draft, carried, counted.total);
    if (events.length === 0 || billedSeq === null) continue;
    const values = valuesOf(meter, events);
    draft.carried.push({
      customerId,
      subscriptionId,
      featureId,
      from,
      to: windowStart,
      afterSeq: billedSeq,
      values,
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
  billed: BilledChange | null,
): void {
  const window = billed?.billedWindow ?? null;
  settlePrices(
    draft,
    before,
    new Map(Object.entries(window?.usage ?? {}).map(([id, minor]) => [id, BigInt(minor)])),
  );
  if (window !== null) {
    recordBilled(draft, before, window, billed?.at ?? draft.now);
    carryUsage(draft, before, changed, window, billed?.seq ?? null);
  }
  openCounts(draft, changed, billed?.billedCounts);
  resetPools(draft, changed, 'changed', window === null ? {} : billedPools(window));
}
