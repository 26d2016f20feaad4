// Charges in arrears for an ending usage window or billing period, under the terms that applied at that time (BIL-6
// step 1, BIL-9).

import type { Rejection } from '../../errors/errors.ts';
import type { DeficitDetails, RiseDetails, UsageDetails } from '../../invoicing/line.ts';
import { endingBalanceOf } from '../../lots/account.ts';
import { boundOf } from '../../rows/period-bound.ts';
import type { AddonActivationRow, SubscriptionRow } from '../../rows/rows.ts';
import { earlier, type Period, totalDays, utcMidnight } from '../../time/period.ts';
import { trueUps } from '../../usage/counts.ts';
import { withMeterOf } from '../../usage/metered-terms.ts';
import { attributeDeficit, overageUnits } from '../../usage/window.ts';
import type { Draft } from '../state/draft.ts';
import { priceRejection } from '../state/rejections.ts';
import { type AddonUsage, addonRateRejection } from './addon-bases.ts';
import { applyRaise, billedTerms, heldCounts } from './allowance.ts';
import { countedSoFar } from './window-total.ts';

export type Arrears = {
  readonly usage: readonly UsageDetails[];
  /** Charges for the features that add-ons provide. */
  readonly addonUsage: readonly AddonUsage[];
  readonly deficits: readonly DeficitDetails[];
  readonly rises: readonly RiseDetails[];
};

export const noArrears: Arrears = { usage: [], addonUsage: [], deficits: [], rises: [] };

/**
 * Usage to charge for a feature. `activation` is `null` if the plan provides the feature, otherwise the
 * add-on that provides it.
 */
type Owed = { readonly usage: UsageDetails; readonly activation: AddonActivationRow | null };

/** Returns the elapsed part of the current usage window, from midnight UTC on its first day. */
const windowSoFar = (draft: Draft, subscription: SubscriptionRow): Period => ({
  start: utcMidnight(boundOf(subscription, subscription.windowStart)),
  end: earlier(boundOf(subscription, subscription.windowEnd), draft.dueAt),
});

/** Returns the usage of metered features in the current usage window, sorted by feature code. */
function owedUsage(draft: Draft, subscription: SubscriptionRow): Owed[] {
  const windowStart = subscription.windowStart?.getTime();
  return draft.counters
    .all()
    .flatMap((counter): Owed[] => {
      if (counter.subscriptionId !== subscription.id || counter.windowStart.getTime() !== windowStart)
        return [];
      const feature = draft.aggregate.catalog.features.get(counter.featureId);
      const billed = feature === undefined ? null : billedTerms(draft, subscription, feature);
      if (feature === undefined || billed === null || billed.terms.model !== 'metered') return [];
      const terms = withMeterOf(billed.terms, counter);
      const use = countedSoFar(draft, subscription, counter);
      const usage = { feature, terms, use, window: windowSoFar(draft, subscription) };
      return [{ usage, activation: billed.activation }];
    })
    .sort((a, b) => (a.usage.feature.code < b.usage.feature.code ? -1 : 1));
}

function deficitDetails(draft: Draft, subscription: SubscriptionRow): DeficitDetails[] {
  const endingBalance = endingBalanceOf(applyRaise(draft, subscription));
  if (endingBalance >= 0n) return [];
  const draws = draft.aggregate.draws.filter(({ subscriptionId }) => subscriptionId === subscription.id);
  return attributeDeficit(-endingBalance, draws, subscription.currency).map(({ featureId, ...share }) => ({
    ...share,
    window: windowSoFar(draft, subscription),
    featureName: featureId === null ? null : (draft.aggregate.catalog.features.get(featureId)?.name ?? null),
  }));
}

/**
 * Returns the reason why arrears or advance charges can't be billed. A possible reason is that, in the subscription's
 * currency, overage has no unit price or an add-on has no base price (CAT-28, CAT-44). `null` if all charges can be
 * billed. `ending` is the subscription in the ending usage window. `opened` is the subscription in the new usage
 * window, whose seats, quota, and add-ons are charged in advance. Changes nothing.
 */
export function rateRejection(
  draft: Draft,
  ending: SubscriptionRow,
  opened: SubscriptionRow,
): Rejection | null {
  const owed = owedRejection(draft, ending);
  if (owed !== null) return owed;
  const isPeriodOpened = ending.periodStart?.getTime() !== opened.periodStart?.getTime();
  return advanceRejection(draft, opened) ?? (isPeriodOpened ? addonRateRejection(draft, opened) : null);
}

/** Returns the reason why the usage of the ending usage window can't be billed, or `null` if billing is possible. */
export function owedRejection(draft: Draft, ending: SubscriptionRow): Rejection | null {
  const isOwed = owedUsage(draft, ending).some(
    ({ usage: { terms, use } }) => terms.isPriceMissing && overageUnits(terms, use) > 0n,
  );
  return isOwed ? priceRejection('missing_regional_price') : null;
}

/**
 * Returns the reason why seats and quota can't be billed in advance for the new usage window, or `null` if billing is
 * possible.
 */
export function advanceRejection(draft: Draft, opened: SubscriptionRow): Rejection | null {
  const isHeld = heldCounts(draft, opened).some(
    ({ terms, count }) =>
      terms.isPriceMissing && terms.allowsOverage && !terms.unlimited && count.count > terms.includedAmount,
  );
  return isHeld ? priceRejection('missing_regional_price') : null;
}

/**
 * Returns the charges for overage and a negative balance in a usage window. Empty if the subscription is in a trial
 * (CON-17, CON-28).
 */
export function windowArrears(draft: Draft, subscription: SubscriptionRow): Arrears {
  if (subscription.status === 'trialing') return noArrears;
  const owed = owedUsage(draft, subscription);
  return {
    usage: owed.flatMap(({ usage, activation }) => (activation === null ? [usage] : [])),
    addonUsage: owed.flatMap(({ usage, activation }) =>
      activation === null ? [] : [{ addonId: activation.addonId, usage }],
    ),
    deficits: deficitDetails(draft, subscription),
    rises: [],
  };
}

/**
 * Returns the charges for seats and quota that were added during the ending billing period (CON-38). The charges
 * cover the days until the end of the period, or until `until` if a plan change ends the period earlier. Empty if the
 * subscription is in a trial.
 */
export function riseArrears(draft: Draft, subscription: SubscriptionRow, until?: Date): Arrears {
  if (subscription.status === 'trialing') return noArrears;
  const period: Period = {
    start: boundOf(subscription, subscription.periodStart),
    end: boundOf(subscription, subscription.periodEnd),
  };
  const billed = heldCounts(draft, subscription, (...found) => billedTerms(...found)?.terms ?? null);
  const rises = billed.map(({ feature, terms, count }) => ({
    feature,
    terms,
    rises: trueUps(terms, count, period, until),
    totalDays: BigInt(totalDays(period)),
    until: until ?? period.end,
  }));
  return { ...noArrears, rises };
}

/** Returns the arrears of a billing period that ends together with its usage window, or at `until`. */
export const periodArrears = (draft: Draft, subscription: SubscriptionRow, until?: Date): Arrears => ({
  ...windowArrears(draft, subscription),
  rises: riseArrears(draft, subscription, until).rises,
});
