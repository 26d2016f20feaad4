// What a change at once costs (SUB-39 to SUB-42), computed before the change.
import type { IssuedInvoice } from '../../invoicing/draft.ts';
import { divideRounded, maxOf } from '../../money.ts';
import { daysRemaining, type Period, totalDays } from '../../period.ts';
import { addonDetails } from '../allowances/addon-bases.ts';
import { accountOf } from '../allowances/allowance.ts';
import { type Arrears, noArrears, periodArrears } from '../allowances/arrears.ts';
import { baseDetails, issue } from '../invoicing/invoicing.ts';
import { planOf } from '../pricing/lookup.ts';
import type { Quoted } from '../pricing/offering.ts';
import { firstBase, type PricedBase } from '../pricing/priced-base.ts';
import { boundOf } from '../schedule/periods.ts';
import type { Draft } from '../state/draft.ts';
import type { FeatureAmounts, InvoiceRow, PlanChangePurchase, SubscriptionRow } from '../state/rows.ts';
import type { ChangeTarget } from './change-target.ts';
import { asChanged, changedCounts, stayingAddons, targetFields } from './change-terms.ts';

/**
 * The days left of the current period, the base paid for it, and the credit for the days left, minor units
 * (SUB-39, GLO-17).
 */
export type Unused = {
  readonly daysRemaining: number;
  readonly totalDays: number;
  readonly baseMinor: bigint;
  readonly creditMinor: bigint;
};

/**
 * The unused part of the current period's base. Nothing for a trial, a free plan and a one-time purchase
 * (SUB-39, OQ-14).
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

/** Whether a change bills the usage of the running window: not on a trial or a free plan (CON-3, CON-17). */
const billsWindow = (draft: Draft, subscription: SubscriptionRow): boolean =>
  subscription.status === 'active' && !planOf(draft, subscription).isFree;

const amounts = (entries: readonly (readonly [string, bigint])[]): FeatureAmounts =>
  Object.fromEntries(entries.map(([id, amount]) => [id, String(amount)]));

/** Up to where an invoice bills the running window. */
function billedWindow(draft: Draft, subscription: SubscriptionRow): PlanChangePurchase['billedWindow'] {
  if (!billsWindow(draft, subscription)) return null;
  const start = subscription.windowStart?.getTime();
  const counters = draft.counters
    .all()
    .filter((row) => row.subscriptionId === subscription.id && row.windowStart.getTime() === start);
  return {
    totals: amounts(counters.map(({ featureId, total }) => [featureId, total])),
    balanceRate: String(accountOf(draft, subscription).balanceRate),
  };
}

/** A change with the base its new period is charged at. Only paid plans are charged. */
type Priced = Pick<ChangeTarget, 'plan'> & { readonly price: NonNullable<ChangeTarget['price']> };

/** The arrears and the unused base of the period before a change. */
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
    addons: addonDetails(draft, next, arrears.addonUsage, true, stayingAddons(draft, next)),
    ...(creditMinor > 0n ? { proration } : {}),
  });
}

/**
 * Computes the invoice of a change that is paid at a checkout. It neither bills nor credits the period
 * before. Writes nothing.
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
 * The invoice of a change that is charged at once (SUB-39): new base less its offer, what the old terms leave
 * up to today, counts and add-ons of the new period, less what is left of the old base. Grants a balance that
 * was raised before it is billed.
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

/** What an invoice of a change buys. */
export function changePurchase(
  draft: Draft,
  subscription: SubscriptionRow,
  target: Priced,
  terms: Quoted | null,
  isCheckout: boolean,
): PlanChangePurchase {
  const { planId, ...fields } = targetFields(subscription, target);
  const counts = changedCounts(draft, asChanged(draft, subscription, target));
  const base = firstBase(target.price.amountMinor, terms);
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
    billedCounts: amounts(counts.map(({ feature, count }) => [feature.id, count])),
    billedWindow: isCheckout ? null : billedWindow(draft, subscription),
  };
}

/** What an invoice buys when it is one of a plan change; null for any other. */
export const changeOf = ({ purchase }: Pick<InvoiceRow, 'purchase'>): PlanChangePurchase | null =>
  purchase !== null && 'toPlanId' in purchase ? purchase : null;

/** Whether an invoice is of a change whose charge is under way. One that waits at a checkout is not. */
export const isChargedChange = ({ id, checkoutInvoiceId }: SubscriptionRow, invoice: InvoiceRow): boolean =>
  invoice.subscriptionId === id &&
  invoice.status === 'outstanding' &&
  invoice.id !== checkoutInvoiceId &&
  changeOf(invoice) !== null;

/**
 * The part of the old base the invoice does not use up, minor units. It becomes a customer credit (SUB-41).
 */
export const remainderOf = (
  { subtotal, discountAmount }: InvoiceRow,
  { creditMinor }: PlanChangePurchase,
): bigint => maxOf(0n, BigInt(creditMinor) - (subtotal - discountAmount));

/**
 * The amounts of an invoice of a change (SUB-42): the credit for the old base, the charge less the offer, and
 * the total.
 */
export const changeFigures = (
  { subtotal, discountAmount, total }: InvoiceRow,
  { creditMinor }: PlanChangePurchase,
) => ({
  creditMinor: BigInt(creditMinor),
  chargeMinor: subtotal - discountAmount,
  totalMinor: total,
});
