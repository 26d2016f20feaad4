// What a window or period that ends leaves to be billed, on the terms it was held at (BIL-6 step 1, BIL-9).

import type { Rejection } from '../../errors.ts';
import type { DeficitDetails, RiseDetails, UsageDetails } from '../../invoicing/line.ts';
import { earlier, type Period, totalDays, utcMidnight } from '../../period.ts';
import { trueUps } from '../../usage/counts.ts';
import { attributeDeficit, overageUnits } from '../../usage/window.ts';
import { boundOf } from '../schedule/periods.ts';
import type { Draft } from '../state/draft.ts';
import { priceRejection } from '../state/rejections.ts';
import type { AddonActivationRow, SubscriptionRow } from '../state/rows.ts';
import { type AddonUsage, addonRateRejection } from './addon-bases.ts';
import { applyRaise, billedTerms, heldCounts } from './allowance.ts';

/** Lines charged in arrears; empty lists where there are none. */
export type Arrears = {
  readonly usage: readonly UsageDetails[];
  /** What add-ons owe for their own features. */
  readonly addonUsage: readonly AddonUsage[];
  readonly deficits: readonly DeficitDetails[];
  readonly rises: readonly RiseDetails[];
};

/** Nothing to be billed. */
export const noArrears: Arrears = { usage: [], addonUsage: [], deficits: [], rises: [] };

/** What is owed for a feature, and the activation of the add-on it comes by; null for the plan. */
type Owed = { readonly usage: UsageDetails; readonly activation: AddonActivationRow | null };

/** The open window from the day it began on, as far as it has come. */
const windowSoFar = (draft: Draft, subscription: SubscriptionRow): Period => ({
  start: utcMidnight(boundOf(subscription, subscription.windowStart)),
  end: earlier(boundOf(subscription, subscription.windowEnd), draft.dueAt),
});

/** Totals of the open window on metered terms, by feature code. */
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
      const usage = { feature, terms: billed.terms, use: counter, window: windowSoFar(draft, subscription) };
      return [{ usage, activation: billed.activation }];
    })
    .sort((a, b) => (a.usage.feature.code < b.usage.feature.code ? -1 : 1));
}

function deficitDetails(draft: Draft, subscription: SubscriptionRow): DeficitDetails[] {
  const { balanceRate } = applyRaise(draft, subscription);
  if (balanceRate >= 0n) return [];
  const draws = draft.aggregate.draws.filter(({ subscriptionId }) => subscriptionId === subscription.id);
  return attributeDeficit(-balanceRate, draws, subscription.currency).map(({ featureId, ...share }) => ({
    ...share,
    window: windowSoFar(draft, subscription),
    featureName: featureId === null ? null : (draft.aggregate.catalog.features.get(featureId)?.name ?? null),
  }));
}

/**
 * Why what is owed cannot be charged: units beyond the included ones are sold, but without a unit price in
 * the currency of the subscription (CAT-28); null when all can. `ending` is the subscription in the window
 * that ends, `opened` in the one that opens, whose counts are charged in advance. Changes nothing, so that a
 * rejection leaves everything as it was.
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

/** Why the arrears of the window that ends cannot be charged; null when they can. */
export function owedRejection(draft: Draft, ending: SubscriptionRow): Rejection | null {
  const isOwed = owedUsage(draft, ending).some(
    ({ usage: { terms, use } }) => terms.isPriceMissing && overageUnits(terms, use) > 0n,
  );
  return isOwed ? priceRejection('missing_regional_price') : null;
}

/** Why the counts charged in advance for the window that opens cannot be charged; null when they can. */
export function advanceRejection(draft: Draft, opened: SubscriptionRow): Rejection | null {
  const isHeld = heldCounts(draft, opened).some(
    ({ terms, count }) =>
      terms.isPriceMissing && terms.allowsOverage && !terms.unlimited && count.count > terms.includedAmount,
  );
  return isHeld ? priceRejection('missing_regional_price') : null;
}

/** Usage beyond what the window includes, and a balance below 0. Nothing of a trial (CON-17, CON-28). */
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
 * The rises of seats and quota of the billing period that ends (CON-38), charged until its end, or until an
 * earlier day on which a plan change ends it. Nothing of a trial.
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

/** What a billing period leaves that ends with its window, or on an earlier day. */
export const periodArrears = (draft: Draft, subscription: SubscriptionRow, until?: Date): Arrears => ({
  ...windowArrears(draft, subscription),
  rises: riseArrears(draft, subscription, until).rises,
});
