// Charges in arrears for an ending usage window or billing period, under the terms that applied at that time (BIL-6
// step 1, BIL-9).

import type { Rejection } from '../../errors/errors.ts';
import type { DeficitDetails, MinimumDetails, RiseDetails } from '../../invoicing/line.ts';
import { type Account, endingAmountOf } from '../../lots/account.ts';
import { holdsLevel } from '../../meters/meter.ts';
import { maxOf, minorPerUnit } from '../../money/money.ts';
import { assetOf, type PlanPool, type Pool, poolsOf } from '../../pricing/pools.ts';
import { type Exact, exactText, ratio, roundedTo } from '../../rates/exact.ts';
import { type BilledWindow, billedPools } from '../../rows/change-rows.ts';
import { boundOf } from '../../rows/period-bound.ts';
import type { AddonActivationRow, FeatureAmounts, SubscriptionRow } from '../../rows/rows.ts';
import { daysRemaining, earlier, type Period, totalDays, utcMidnight } from '../../time/period.ts';
import { counterIn } from '../../usage/counter.ts';
import { trueUps } from '../../usage/counts.ts';
import { withMeterOf } from '../../usage/metered-terms.ts';
import { priceBelowZero } from '../../usage/overdraft.ts';
import { attributeDeficit, type DeficitShare, overageUnits } from '../../usage/window.ts';
import { planOf } from '../pricing/lookup.ts';
import type { Draft } from '../state/draft.ts';
import { priceRejection } from '../state/rejections.ts';
import { type AddonUsage, addonRateRejection, type WindowUsage } from './addon-bases.ts';
import { applyRaise, billedTerms, heldCounts } from './allowance.ts';
import { type Overdraft, recordEnded } from './ended-usage.ts';
import { heldLevels } from './held-levels.ts';
import { cellsOf, countedSoFar } from './window-total.ts';

/** Part of a pool's overdraft. `price` is the price of one pool unit, as a decimal. `null` if the pool contains money. */
type BilledDeficit = DeficitDetails & { readonly pool: Pool; readonly price: string | null };

export type Arrears = {
  readonly usage: readonly WindowUsage[];
  /** Charges for the features that add-ons provide. */
  readonly addonUsage: readonly AddonUsage[];
  /** Usage that was deducted from credits or a balance. It isn't charged again. */
  readonly drawn: readonly WindowUsage[];
  readonly deficits: readonly BilledDeficit[];
  readonly rises: readonly RiseDetails[];
  readonly minimum: MinimumDetails | null;
};

export const noArrears: Arrears = {
  usage: [],
  addonUsage: [],
  drawn: [],
  deficits: [],
  rises: [],
  minimum: null,
};

/**
 * Usage to charge for a feature. `activation` is `null` if the plan provides the feature, otherwise the
 * add-on that provides it.
 */
type Owed = { readonly usage: WindowUsage; readonly activation: AddonActivationRow | null };

/** Returns the elapsed part of the current usage window, from midnight UTC on its first day. */
const windowSoFar = (draft: Draft, subscription: SubscriptionRow): Period => ({
  start: utcMidnight(boundOf(subscription, subscription.windowStart)),
  end: earlier(boundOf(subscription, subscription.windowEnd), draft.dueAt),
});

/**
 * Returns the usage of all features in the current usage window, sorted by feature code. `totals` contains the totals by
 * feature ID and by the ID of each combination of dimension values. By default, these are the current totals.
 */
function windowUsage(
  draft: Draft,
  subscription: SubscriptionRow,
  at = draft.dueAt,
  totals: FeatureAmounts | null = null,
): Owed[] {
  const start = boundOf(subscription, subscription.windowStart);
  const own = draft.counters.all().filter(({ subscriptionId }) => subscriptionId === subscription.id);
  return [...own, ...heldLevels(draft.aggregate, subscription, own, start)]
    .flatMap((stored): Owed[] => {
      const isOpen = stored.windowStart.getTime() === start.getTime();
      if (!(isOpen || (stored.level ?? 0n) > 0n)) return [];
      const feature = draft.aggregate.catalog.features.get(stored.featureId);
      const billed = feature === undefined ? null : billedTerms(draft, subscription, feature, at);
      if (feature === undefined || billed === null) return [];
      const meter = billed.terms.meter?.document ?? null;
      if (!isOpen && !holdsLevel(meter)) return [];
      const counter = counterIn(stored, stored, start, meter);
      const terms = withMeterOf(billed.terms, counter);
      const counted = countedSoFar(draft, subscription, counter);
      const cells = cellsOf(draft, counter);
      const totalOf = (id: string): bigint => BigInt(totals?.[id] ?? 0);
      const use =
        totals === null
          ? { ...counted, cells }
          : {
              ...counted,
              total: totalOf(counter.featureId),
              cells: cells?.map((cell) => ({ ...cell, total: totalOf(cell.id) })),
            };
      const { windowStart, waived } = counter;
      const usage = { feature, terms, use, windowStart, waived, window: windowSoFar(draft, subscription) };
      return [{ usage, activation: billed.activation }];
    })
    .sort((a, b) => (a.usage.feature.code < b.usage.feature.code ? -1 : 1));
}

const isInvoiced = ({ usage }: Owed): boolean => usage.terms.pool === null;

/** Charges the parts of a custom unit's overdraft with cumulative rounding, so that they add up to the rounded price (PRM-105). */
function pricedShares(shares: readonly DeficitShare[], price: Exact, currency: string) {
  const { numerator, denominator: scale } = price;
  const minor = (rate: bigint): bigint => roundedTo(ratio(rate, scale), minorPerUnit(currency));
  let before = 0n;
  return shares.map((share) => {
    const priced = { before, after: before + share.amount * numerator, scale };
    before = priced.after;
    return { ...share, priced, amountMinor: minor(priced.after) - minor(priced.before) };
  });
}

/** Returns the charges for the overdraft of a pool, by the features that caused it. */
function deficitsOf(
  draft: Draft,
  subscription: SubscriptionRow,
  account: Account,
  terms: PlanPool,
): BilledDeficit[] {
  const ending = endingAmountOf(account, terms.pool);
  if (ending >= 0n) return [];
  const { id, currency } = subscription;
  const asset = assetOf(terms.pool, currency);
  const draws = draft.aggregate.draws.filter((entry) => entry.subscriptionId === id && entry.asset === asset);
  const shares = attributeDeficit(-ending, draws, currency);
  const price = priceBelowZero(draft.aggregate.catalog, subscription, terms, draft.dueAt);
  return (price === null ? shares : pricedShares(shares, price, currency)).map(({ featureId, ...share }) => ({
    ...share,
    pool: terms.pool,
    price: price === null ? null : exactText(price),
    window: windowSoFar(draft, subscription),
    featureName: featureId === null ? null : (draft.aggregate.catalog.features.get(featureId)?.name ?? null),
  }));
}

function deficitDetails(draft: Draft, subscription: SubscriptionRow): BilledDeficit[] {
  const account = applyRaise(draft, subscription);
  return poolsOf(planOf(draft, subscription)).flatMap((terms) =>
    deficitsOf(draft, subscription, account, terms),
  );
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
  const isOwed = windowUsage(draft, ending).some(
    ({ usage: { terms, use } }) =>
      terms.pool === null && terms.isPriceMissing && overageUnits(terms, use) > 0n,
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
  const all = windowUsage(draft, subscription);
  const owed = all.filter(isInvoiced);
  return {
    usage: owed.flatMap(({ usage, activation }) => (activation === null ? [usage] : [])),
    addonUsage: owed.flatMap(({ usage, activation }) =>
      activation === null ? [] : [{ addonId: activation.addonId, usage }],
    ),
    drawn: all.flatMap((one) => (isInvoiced(one) ? [] : [one.usage])),
    deficits: deficitDetails(draft, subscription),
    rises: [],
    minimum: null,
  };
}

/** Stores the usage of the window that an invoice bills. */
export const recordArrears = (
  draft: Draft,
  subscription: Pick<SubscriptionRow, 'id'>,
  { usage, addonUsage, drawn, deficits }: Arrears,
): void =>
  recordEnded(draft, subscription, [...usage, ...addonUsage.map((one) => one.usage), ...drawn], deficits);

/** Usage and overdrafts of a window that an invoice billed before the window ended. */
export type RecordedWindow = {
  readonly usage: readonly WindowUsage[];
  readonly overdrafts: readonly Overdraft[];
};

/**
 * Stores the usage of a window that an invoice billed at `at`, before the window ended. `billed` contains the totals with all
 * corrections so far.
 */
export function recordBilled(
  draft: Draft,
  subscription: SubscriptionRow,
  billed: BilledWindow,
  at: Date,
): RecordedWindow {
  const usage = windowUsage(draft, subscription, at, billed.totals).map(({ usage: one }) => ({
    ...one,
    window: { ...one.window, end: at },
  }));
  const overdrafts = poolsOf(planOf(draft, subscription)).map((terms) => {
    const price = priceBelowZero(draft.aggregate.catalog, subscription, terms, at);
    return {
      pool: terms.pool,
      amount: maxOf(0n, -BigInt(billedPools(billed)[terms.pool] ?? 0)),
      price: price === null ? null : exactText(price),
    };
  });
  recordEnded(draft, subscription, usage, overdrafts);
  return { usage, overdrafts };
}

/**
 * Returns the charges for seats and quota that were added during the ending billing period (CON-38), and its minimum
 * spend (PRM-33). The charges cover the days until the end of the period, or until `until` if a plan change ends the
 * period earlier. Empty if the subscription is in a trial.
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
  return { ...noArrears, rises, minimum: endingMinimum(subscription, period, until) };
}

/**
 * Returns the minimum spend of the billing period that ends, or that a plan change ends early. `null` if the period has
 * no minimum (PRM-33).
 */
function endingMinimum(
  { minimumSpend }: SubscriptionRow,
  period: Period,
  until: Date = period.end,
): MinimumDetails | null {
  if (minimumSpend === null) return null;
  const all = totalDays(period);
  const days = until < period.end ? all - daysRemaining(period, until) : all;
  return {
    amountMinor: BigInt(minimumSpend.amount),
    days: BigInt(days),
    totalDays: BigInt(all),
    chargedMinor: BigInt(minimumSpend.charged),
    window: { start: utcMidnight(period.start), end: until },
  };
}

/** Returns the arrears of a billing period that ends together with its usage window, or at `until`. */
export function periodArrears(draft: Draft, subscription: SubscriptionRow, until?: Date): Arrears {
  const { rises, minimum } = riseArrears(draft, subscription, until);
  return { ...windowArrears(draft, subscription), rises, minimum };
}
