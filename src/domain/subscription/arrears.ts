// What a window or period that ends leaves to be billed, on the terms it was held at (BIL-6 step 1, BIL-9).
import { trueUps } from '../consumption/counts.ts';
import { attributeDeficit, overageUnits } from '../consumption/window.ts';
import type { Refusal } from '../errors.ts';
import type { DeficitFacts, RiseFacts, UsageFacts } from '../invoice/line.ts';
import { type Period, totalDays } from '../period.ts';
import { type AddonUsage, addonRateRefusal } from './addon-bases.ts';
import { applyRaise, billedTerms, heldCounts } from './allowance.ts';
import { boundOf } from './periods.ts';
import { priceRefusal } from './refusals.ts';
import type { AddonActivationRow, SubscriptionRow } from './rows.ts';
import type { Work } from './work.ts';

/** Facts of lines charged after the fact; empty lists where there is nothing. */
export type Arrears = {
  readonly usage: readonly UsageFacts[];
  /** What add-ons owe for their own features. */
  readonly addonUsage: readonly AddonUsage[];
  readonly deficits: readonly DeficitFacts[];
  readonly rises: readonly RiseFacts[];
};

/** Nothing to be billed. */
export const noArrears: Arrears = { usage: [], addonUsage: [], deficits: [], rises: [] };

/** What is owed for a feature, and the activation of the add-on it comes by; null for the plan. */
type Owed = { readonly usage: UsageFacts; readonly activation: AddonActivationRow | null };

/** Totals of the open window on metered terms, by feature code. */
function owedUsage(work: Work, subscription: SubscriptionRow): Owed[] {
  const windowStart = subscription.windowStart?.getTime();
  return work.counters
    .all()
    .flatMap((counter): Owed[] => {
      if (counter.subscriptionId !== subscription.id || counter.windowStart.getTime() !== windowStart) return [];
      const feature = work.aggregate.catalog.features.get(counter.featureId);
      const billed = feature === undefined ? null : billedTerms(work, subscription, feature);
      if (feature === undefined || billed === null || billed.terms.model !== 'metered') return [];
      return [{ usage: { feature, terms: billed.terms, use: counter }, activation: billed.activation }];
    })
    .sort((a, b) => (a.usage.feature.code < b.usage.feature.code ? -1 : 1));
}

function deficitFacts(work: Work, subscription: SubscriptionRow): DeficitFacts[] {
  const { balanceRate } = applyRaise(work, subscription);
  if (balanceRate >= 0n) return [];
  const draws = work.aggregate.draws.filter(({ subscriptionId }) => subscriptionId === subscription.id);
  return attributeDeficit(-balanceRate, draws, subscription.currency).map(({ featureId, ...share }) => ({
    ...share,
    featureName: featureId === null ? null : (work.aggregate.catalog.features.get(featureId)?.name ?? null),
  }));
}

/**
 * Why what is owed cannot be charged: units beyond the included ones are sold, but without a unit price in the currency of the subscription
 * (CAT-28); null when all can. `ending` is the subscription in the window that ends, `opened` in the one that opens, whose counts are charged
 * in advance. Changes nothing, so that a refusal leaves everything as it was.
 */
export function rateRefusal(work: Work, ending: SubscriptionRow, opened: SubscriptionRow): Refusal | null {
  const owed = owedRefusal(work, ending);
  if (owed !== null) return owed;
  const isPeriodOpened = ending.periodStart?.getTime() !== opened.periodStart?.getTime();
  return advanceRefusal(work, opened) ?? (isPeriodOpened ? addonRateRefusal(work, opened) : null);
}

/** The same of what the window that ends leaves to be billed. */
export function owedRefusal(work: Work, ending: SubscriptionRow): Refusal | null {
  const isOwed = owedUsage(work, ending).some(({ usage: { terms, use } }) => terms.isPriceMissing && overageUnits(terms, use) > 0n);
  return isOwed ? priceRefusal('missing_regional_price') : null;
}

/** The same of counts that are charged in advance for the window that opens. */
export function advanceRefusal(work: Work, opened: SubscriptionRow): Refusal | null {
  const isHeld = heldCounts(work, opened).some(
    ({ terms, count }) => terms.isPriceMissing && terms.allowsOverage && !terms.unlimited && count.count > terms.includedAmount,
  );
  return isHeld ? priceRefusal('missing_regional_price') : null;
}

/** Usage beyond what the window includes, and a balance below 0. Nothing of a trial (CON-17, CON-28). */
export function windowArrears(work: Work, subscription: SubscriptionRow): Arrears {
  if (subscription.status === 'trialing') return noArrears;
  const owed = owedUsage(work, subscription);
  return {
    usage: owed.flatMap(({ usage, activation }) => (activation === null ? [usage] : [])),
    addonUsage: owed.flatMap(({ usage, activation }) => (activation === null ? [] : [{ addonId: activation.addonId, usage }])),
    deficits: deficitFacts(work, subscription),
    rises: [],
  };
}

/**
 * The rises of seats and quota of the billing period that ends (CON-38), charged until its end, or until an earlier day on which a plan change
 * ends it. Nothing of a trial.
 */
export function riseArrears(work: Work, subscription: SubscriptionRow, until?: Date): Arrears {
  if (subscription.status === 'trialing') return noArrears;
  const period: Period = {
    start: boundOf(subscription, subscription.periodStart),
    end: boundOf(subscription, subscription.periodEnd),
  };
  const billed = heldCounts(work, subscription, (...found) => billedTerms(...found)?.terms ?? null);
  const rises = billed.map(({ feature, terms, count }) => ({
    feature,
    terms,
    rises: trueUps(terms, count, period, until),
    totalDays: BigInt(totalDays(period)),
  }));
  return { ...noArrears, rises };
}

/** What a billing period leaves that ends with its window, or on an earlier day. */
export const periodArrears = (work: Work, subscription: SubscriptionRow, until?: Date): Arrears => ({
  ...windowArrears(work, subscription),
  rises: riseArrears(work, subscription, until).rises,
});
