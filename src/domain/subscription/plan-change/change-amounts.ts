// Amounts of an immediate plan change, computed before it takes effect (SUB-39 to SUB-42).

import type { IssuedInvoice } from '../../invoicing/draft.ts';
import { endingAmountOf } from '../../lots/account.ts';
import { divideRounded, maxOf } from '../../money/money.ts';
import { moneyPool, poolsOf } from '../../pricing/pools.ts';
import { boundOf } from '../../rows/period-bound.ts';
import type {
  BilledWindow,
  FeatureAmounts,
  InvoiceRow,
  PlanChangePurchase,
  SubscriptionRow,
} from '../../rows/rows.ts';
import { daysRemaining, type Period, totalDays } from '../../time/period.ts';
import { addonDetails } from '../allowances/addon-bases.ts';
import { accountOf } from '../allowances/allowance.ts';
import { type Arrears, noArrears, periodArrears, windowArrears } from '../allowances/arrears.ts';
import { billedUsage } from '../allowances/final-prices.ts';
import { cellsOf, countedSoFar } from '../allowances/window-total.ts';
import { baseDetails, issue } from '../invoicing/invoicing.ts';
import { openedMinimum } from '../invoicing/minimum-spend.ts';
import { planOf } from '../pricing/lookup.ts';
import type { Quoted } from '../pricing/offering.ts';
import { firstBase, type PricedBase } from '../pricing/priced-base.ts';
import type { Draft } from '../state/draft.ts';
import type { ChangeTarget } from './change-target.ts';
import { asChanged, changedCounts, continuingAddons, targetFields } from './change-terms.ts';

/**
 * Number of days left in the current billing period, the base price that was paid for the period, and the credit for
 * these days in minor units (SUB-39, GLO-17).
 */
export type Unused = {
  readonly daysRemaining: number;
  readonly totalDays: number;
  readonly baseMinor: bigint;
  readonly creditMinor: bigint;
};

/**
 * Returns the unused part of the plan's base price for the current period. 0 for trials, free plans, and one-time
 * purchases (SUB-39, OQ-14).
 */
export function unusedBase(subscription: SubscriptionRow, now: Date): Unused {
  const { status, billingInterval, effectiveBaseMinor } = subscription;
  const period = currentPeriod(subscription);
  const days = { daysRemaining: daysRemaining(period, now), totalDays: totalDays(period) };
  const isPaidFor = status !== 'trialing' && billingInterval !== null && billingInterval !== 'one_time';
  const baseMinor = isPaidFor ? effectiveBaseMinor : 0n;
  return {
    ...days,
    baseMinor,
    creditMinor: divideRounded(baseMinor * BigInt(days.daysRemaining), BigInt(days.totalDays)),
  };
}

const currentPeriod = (subscription: SubscriptionRow): Period => ({
  start: boundOf(subscription, subscription.periodStart),
  end: boundOf(subscription, subscription.periodEnd),
});

/**
 * Returns true if a plan change bills the usage of the current usage window. False for trials and free plans (CON-3,
 * CON-17).
 */
const billsWindow = (draft: Draft, subscription: SubscriptionRow): boolean =>
  subscription.status === 'active' && !planOf(draft, subscription).isFree;

const amounts = (entries: readonly (readonly [string, bigint])[]): FeatureAmounts =>
  Object.fromEntries(entries.map(([id, amount]) => [id, String(amount)]));

/** Returns the amounts of the pools that end with the current usage window. */
function endingAmounts(draft: Draft, subscription: SubscriptionRow): FeatureAmounts {
  const account = accountOf(draft, subscription);
  const pools = new Set([moneyPool, ...poolsOf(planOf(draft, subscription)).map(({ pool }) => pool)]);
  return amounts([...pools].map((pool) => [pool, endingAmountOf(account, pool)]));
}

/** Returns the usage totals of the current usage window that an invoice bills. `null` if the usage isn't billed. */
function billedWindow(draft: Draft, subscription: SubscriptionRow): BilledWindow | null {
  if (!billsWindow(draft, subscription)) return null;
  const start = subscription.windowStart?.getTime();
  const counters = draft.counters
    .all()
    .filter((row) => row.subscriptionId === subscription.id && row.windowStart.getTime() === start);
  const arrears = windowArrears(draft, subscription);
  // Levels of earlier windows are billed too, although their counters have no usage in the current window.
  const held = [...arrears.usage, ...arrears.addonUsage.map(({ usage }) => usage)];
  return {
    totals: amounts([
      ...held.map(({ feature, use }) => [feature.id, use.total] as const),
      ...counters.map(
        (counter) => [counter.featureId, countedSoFar(draft, subscription, counter).total] as const,
      ),
      ...counters
        .flatMap((counter) => cellsOf(draft, counter) ?? [])
        .map(({ id, total }) => [id, total] as const),
    ]),
    usage: amounts([...billedUsage(arrears)]),
    pools: endingAmounts(draft, subscription),
    drawn: amounts(counters.map(({ featureId, consumed }) => [featureId, consumed] as const)),
  };
}

/** Plan change with the base price of the new period. Only paid plans have a base price. */
type Priced = Pick<ChangeTarget, 'plan'> & { readonly price: NonNullable<ChangeTarget['price']> };

/** Arrears of the period that a plan change ends, and the unused part of its base price. */
type Left = { readonly arrears: Arrears; readonly unused: Unused };

function draftInvoice(
  draft: Draft,
  subscription: SubscriptionRow,
  target: Priced,
  base: PricedBase,
  { arrears, unused }: Left,
): IssuedInvoice {
  const { creditMinor } = unused;
  const next = asChanged(draft, subscription, target);
  const proration = { planName: planOf(draft, subscription).name, ...unused, amountMinor: creditMinor };
  return issue(draft, next, {
    type: 'plan_change',
    period: currentPeriod(next),
    currency: target.price.currency,
    ...baseDetails(draft, next, target.price, base),
    ...arrears,
    counts: changedCounts(draft, next),
    addons: addonDetails(draft, next, arrears.addonUsage, true, continuingAddons(draft, next)),
    ...(creditMinor > 0n ? { proration } : {}),
  });
}

/**
 * Computes the invoice of a plan change that is paid at a checkout. Excludes arrears and credit of the current
 * period. Writes nothing.
 */
export function checkoutDraft(
  draft: Draft,
  subscription: SubscriptionRow,
  target: Priced,
  terms: Quoted | null,
): IssuedInvoice {
  const base = firstBase(target.price.amountMinor, terms);
  return draftInvoice(draft, subscription, target, base, {
    arrears: noArrears,
    unused: { ...unusedBase(subscription, draft.now), creditMinor: 0n },
  });
}

/**
 * Computes the invoice of a plan change that is charged immediately (SUB-39). The invoice contains the new base price
 * after the offer discount, the arrears until today under the old terms, advance charges for seats, quota, and add-ons,
 * and the credit for the old base price. Before that, applies balance amounts that were added to the plan since the
 * usage window opened.
 */
export function changeDraft(
  draft: Draft,
  subscription: SubscriptionRow,
  target: Priced,
  terms: Quoted | null,
): IssuedInvoice {
  const base = firstBase(target.price.amountMinor, terms);
  const arrears = billsWindow(draft, subscription)
    ? periodArrears(draft, subscription, draft.now)
    : noArrears;
  return draftInvoice(draft, subscription, target, base, {
    arrears,
    unused: unusedBase(subscription, draft.now),
  });
}

/** Returns the plan change to store with its invoice. */
export function changePurchase(
  draft: Draft,
  subscription: SubscriptionRow,
  target: Priced,
  terms: Quoted | null,
  { lines }: IssuedInvoice,
  isCheckout: boolean,
): PlanChangePurchase {
  const { planId, ...fields } = targetFields(subscription, target);
  const counts = changedCounts(draft, asChanged(draft, subscription, target));
  const base = firstBase(target.price.amountMinor, terms);
  const minimumSpend = openedMinimum(target.price, lines);
  return {
    ...fields,
    fromPlanId: subscription.planId,
    toPlanId: planId,
    priceId: target.price.price.id,
    billingInterval: target.price.price.billingInterval,
    priceMinor: String(target.price.amountMinor),
    listBaseMinor: String(base.shownMinor),
    effectiveBaseMinor: String(base.effectiveMinor),
    creditMinor: String(isCheckout ? 0n : unusedBase(subscription, draft.now).creditMinor),
    ...(minimumSpend === null ? {} : { minimumSpend }),
    billedCounts: amounts(counts.map(({ feature, count }) => [feature.id, count])),
    billedWindow: isCheckout ? null : billedWindow(draft, subscription),
  };
}

/** Returns the plan change that an invoice bills. `null` if the invoice isn't for a plan change. */
export const changeOf = ({ purchase }: Pick<InvoiceRow, 'purchase'>): PlanChangePurchase | null =>
  purchase !== null && 'toPlanId' in purchase ? purchase : null;

/**
 * Returns true if the invoice is for a plan change that is charged immediately. False for changes paid at a
 * checkout.
 */
export const isChargedChange = ({ id, checkoutInvoiceId }: SubscriptionRow, invoice: InvoiceRow): boolean =>
  invoice.subscriptionId === id &&
  invoice.status === 'outstanding' &&
  invoice.id !== checkoutInvoiceId &&
  changeOf(invoice) !== null;

/**
 * Returns the part of the credit for the old base price that exceeds the invoice total, in minor units. This part
 * becomes customer credit (SUB-41).
 */
export const remainderOf = (
  { subtotal, discountAmount }: InvoiceRow,
  { creditMinor }: PlanChangePurchase,
): bigint => maxOf(0n, BigInt(creditMinor) - (subtotal - discountAmount));

/** Returns the amounts of a plan change (SUB-42): the credit for the old base price, the charge after the offer, and the total. */
export const changeFigures = (
  { subtotal, discountAmount, total }: InvoiceRow,
  { creditMinor }: PlanChangePurchase,
) => ({
  creditMinor: BigInt(creditMinor),
  chargeMinor: subtotal - discountAmount,
  totalMinor: total,
});
