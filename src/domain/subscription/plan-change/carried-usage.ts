// Usage that was recorded while a plan change awaited its payment (SUB-45).
import { amountOf } from '../../lots/account.ts';
import { consume } from '../../lots/movements.ts';
import { isAdditive, type MeterDocument, scaleOf, storesValues } from '../../meters/meter.ts';
import { stateAfter } from '../../meters/replay.ts';
import { measuredAgain, type WindowEvent } from '../../meters/total.ts';
import { divideRounded, maxOf, minOf } from '../../money/money.ts';
import type { FeatureRow } from '../../pricing/catalog.ts';
import type { Pool } from '../../pricing/pools.ts';
import { roundedTo } from '../../rates/exact.ts';
import type { BilledWindow } from '../../rows/change-rows.ts';
import { boundOf } from '../../rows/period-bound.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import type { UsageCounterRow } from '../../rows/usage-rows.ts';
import { counterIn } from '../../usage/counter.ts';
import { priceOfUsage } from '../../usage/window.ts';
import { accountOf, billedTerms, type CarriedDraws, moveAccount, termsOf } from '../allowances/allowance.ts';
import { cellsOf } from '../allowances/window-total.ts';
import type { Draft } from '../state/draft.ts';

const carriedReason = 'Used while the plan changed.';

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
    reason: carriedReason,
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

/** Subscription before and after a plan change. */
type Change = readonly [before: SubscriptionRow, after: SubscriptionRow];

/** Returns the counters of the usage window that a plan change ends. */
const openCounters = (draft: Draft, { id, windowStart }: SubscriptionRow): UsageCounterRow[] =>
  draft.counters
    .all()
    .filter(
      (counter) => counter.subscriptionId === id && counter.windowStart.getTime() === windowStart?.getTime(),
    );

/** Returns the pools from which a feature is deducted before and after a plan change. A pool is `null` if usage is invoiced. */
function poolsOfFeature(
  draft: Draft,
  [before, after]: Change,
  feature: FeatureRow | undefined,
): (Pool | null)[] {
  if (feature === undefined) return [null, null];
  const terms = [billedTerms(draft, before, feature)?.terms, termsOf(draft, after, feature)];
  return terms.map((one) => one?.pool?.pool ?? null);
}

/** Returns true if the usage of a counter was deducted from a pool that the new plan doesn't use. The deductions are final. */
function isFinal(draft: Draft, change: Change, { featureId }: UsageCounterRow): boolean {
  const [before, after] = poolsOfFeature(draft, change, draft.aggregate.catalog.features.get(featureId));
  return before !== null && before !== after;
}

/** Returns a billed window with the final deductions that were made after it was billed. */
export function withFinalUsage(draft: Draft, change: Change, window: BilledWindow): BilledWindow {
  const final = openCounters(draft, change[0]).filter((counter) => isFinal(draft, change, counter));
  if (final.length === 0) return window;
  const totals = final.flatMap((counter) => [
    [counter.featureId, String(counter.total)],
    ...(cellsOf(draft, counter) ?? []).map(({ id, total }) => [id, String(total)]),
  ]);
  return {
    ...window,
    totals: { ...window.totals, ...Object.fromEntries(totals) },
    drawn: {
      ...window.drawn,
      ...Object.fromEntries(final.map(({ featureId, consumed }) => [featureId, String(consumed)])),
    },
  };
}

/**
 * Totals that were billed, with the number of the invoice. `seq` is `null` if the invoice was issued by the same decision.
 * `except` contains the numbers of later events that belong to the billed window.
 */
type Billed = {
  readonly window: BilledWindow;
  readonly seq: bigint | null;
  readonly except: readonly bigint[];
};

/** Carries the usage of a counter. Returns the carried counter. `null` if the counter has no usage to carry. */
function carryCounter(
  draft: Draft,
  [before, after]: Change,
  counter: UsageCounterRow,
  { window, seq: billedSeq, except }: Billed,
): UsageCounterRow | null {
  const { totals, drawn } = window;
  const { customerId, subscriptionId, featureId, meter, windowStart: from } = counter;
  const windowStart = boundOf(after, after.windowStart);
  const events = draft.aggregate.measured.filter(
    (event) =>
      event.subscriptionId === subscriptionId &&
      event.featureId === featureId &&
      event.windowStart.getTime() === from.getTime() &&
      billedSeq !== null &&
      event.seq > billedSeq &&
      !except.includes(event.seq),
  );
  const counted = stateAfter(meter, events);
  const total = isAdditive(meter) ? counter.total - BigInt(totals[featureId] ?? 0) : counted.total;
  if (total <= 0n && events.length === 0) return null;
  for (const cell of cellsOf(draft, counter) ?? []) {
    const left = cell.total - BigInt(totals[cell.id] ?? 0);
    if (left > 0n) draft.cells.patch(cell.id, { windowStart, total: left });
  }
  const [pool] = poolsOfFeature(draft, [before, after], draft.aggregate.catalog.features.get(featureId));
  const since = counter.consumed - BigInt(drawn?.[featureId] ?? counter.consumed);
  const carried = {
    ...counterIn(null, counter, windowStart, meter),
    seq: counter.seq,
    level: counter.level,
    ...counted,
    total,
    consumed: pool === null ? 0n : maxOf(0n, since),
  };
  draft.counters.patch(counter.id, carried);
  adjustCarried(draft, carried, counted.total);
  if (events.length > 0 && billedSeq !== null) {
    const values = valuesOf(meter, events);
    const moved = { from, to: windowStart, afterSeq: billedSeq, except, values };
    draft.carried.push({ customerId, subscriptionId, featureId, ...moved });
  }
  return carried;
}

/**
 * Moves usage that was recorded after the old usage window was billed to the new usage window, together with its events. Without
 * such usage, the new usage window starts at 0. Usage that was deducted from a pool of both plans stays deducted, and final
 * deductions stay in the old window. Returns the carried counters whose usage isn't deducted yet, and the
 * deductions of the others.
 */
export function carryUsage(
  draft: Draft,
  change: Change,
  billed: Billed,
): { readonly due: readonly UsageCounterRow[]; readonly drawn: readonly CarriedDraws[] } {
  const due: UsageCounterRow[] = [];
  const amounts = new Map<Pool, bigint>();
  const from = boundOf(change[0], change[0].windowStart);
  for (const counter of openCounters(draft, change[0])) {
    if (isFinal(draft, change, counter)) continue;
    const [pool] = poolsOfFeature(draft, change, draft.aggregate.catalog.features.get(counter.featureId));
    const carried = carryCounter(draft, change, counter, billed);
    if (carried === null) continue;
    if (pool === null || pool === undefined) due.push(carried);
    else amounts.set(pool, (amounts.get(pool) ?? 0n) + carried.consumed);
  }
  return { due, drawn: [...amounts].map(([pool, amount]) => ({ pool, amount, from })) };
}

/**
 * Deducts carried usage from the pools of the new plan. The part that a pool doesn't cover is waived, unless the pool can be
 * overdrawn.
 */
export function drawCarried(
  draft: Draft,
  subscription: SubscriptionRow,
  carried: readonly UsageCounterRow[],
): void {
  for (const counter of carried) {
    const { id, featureId } = counter;
    const feature = draft.aggregate.catalog.features.get(featureId);
    const terms = feature === undefined ? null : termsOf(draft, subscription, feature);
    if (terms?.pool == null || terms.rates === null) continue;
    const { pool, scale, canOverdraw } = terms.pool;
    const due = roundedTo(
      priceOfUsage(terms, terms.rates, { ...counter, cells: cellsOf(draft, counter) }),
      scale,
    );
    const account = accountOf(draft, subscription);
    const usable = maxOf(0n, amountOf(account, pool, featureId));
    const consumed = canOverdraw ? due : minOf(due, usable);
    const details = { sourceId: null, description: carriedReason, featureId };
    if (consumed > 0n) moveAccount(draft, subscription, consume(account, pool, consumed, featureId), details);
    if (due > 0n) draft.counters.patch(id, { consumed, waived: due - consumed });
  }
}
