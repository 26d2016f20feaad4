// Final prices of the usage in an ending usage window (PRM-119).
import { minorPerUnit, rateScale } from '../../money/money.ts';
import { isCustom } from '../../pricing/pools.ts';
import { ratio } from '../../rates/exact.ts';
import { boundOf } from '../../rows/period-bound.ts';
import type { FeatureAmounts, SubscriptionRow } from '../../rows/rows.ts';
import { earlier } from '../../time/period.ts';
import { hasFinalTotal, withMeterOf } from '../../usage/metered-terms.ts';
import { costOfUnits, differenceTo } from '../../usage/price-and-cost.ts';
import { priceChanges } from '../../usage/price-change.ts';
import { overageMinor } from '../../usage/window.ts';
import type { Draft } from '../state/draft.ts';
import { billedTerms } from './allowance.ts';
import type { Arrears } from './arrears.ts';
import { countedSoFar } from './window-total.ts';

/** Billed amounts by feature ID, in minor units. */
export type BilledUsage = ReadonlyMap<string, bigint>;

/** Returns the billed amount of each metered feature. */
export const billedUsage = ({ usage, addonUsage }: Pick<Arrears, 'usage' | 'addonUsage'>): BilledUsage =>
  new Map(
    [...usage, ...addonUsage.map((one) => one.usage)].map(({ feature, terms, use }) => [
      feature.id,
      overageMinor(terms, use),
    ]),
  );

/**
 * Records the differences between the recorded prices of the current usage window and the billed or deducted amounts,
 * once at the end of the window. Also records the cost of features whose total is known only at the end. `subscription`
 * must be the row before the next window opens. Custom units have no difference, because their price is known when they're
 * drawn. `drawn` contains the deductions by feature ID if the window was billed earlier.
 */
export function settlePrices(
  draft: Draft,
  subscription: SubscriptionRow,
  billed: BilledUsage,
  drawn: FeatureAmounts = {},
): void {
  const { windowStart } = subscription;
  if (windowStart === null) return;
  for (const counter of draft.counters.all()) {
    if (counter.subscriptionId !== subscription.id || counter.windowStart.getTime() !== windowStart.getTime())
      continue;
    const feature = draft.aggregate.catalog.features.get(counter.featureId);
    if (feature === undefined) continue;
    const held = billedTerms(draft, subscription, feature)?.terms;
    if (held === undefined) continue;
    const terms = withMeterOf(held, counter);
    const pool = terms.pool?.pool ?? null;
    if (isCustom(pool)) continue;
    const final =
      pool !== null
        ? ratio(BigInt(drawn[feature.id] ?? counter.consumed), rateScale)
        : ratio(billed.get(feature.id) ?? 0n, minorPerUnit(subscription.currency));
    const cost = hasFinalTotal(terms)
      ? costOfUnits(terms, countedSoFar(draft, subscription, counter).total)
      : null;
    const amounts = { price: differenceTo(final, counter.recorded), cost };
    const end = earlier(boundOf(subscription, subscription.windowEnd), draft.dueAt);
    const ts = new Date(Math.max(windowStart.getTime(), end.getTime() - 1));
    const change = { kind: 'window_end', model: null, ts, windowStart } as const;
    const { newId, now } = draft;
    draft.usagePriceChanges.push(
      ...priceChanges({ subscription, feature, terms, newId, now }, amounts, change),
    );
  }
}

/** Records the final prices of a usage window that isn't billed. */
export const settleUnbilled = (draft: Draft, subscription: SubscriptionRow): void =>
  settlePrices(draft, subscription, new Map());
