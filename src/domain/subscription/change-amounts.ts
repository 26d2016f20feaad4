// What a change at once costs (SUB-39 to SUB-42): worked out before anything is switched.
import type { IssuedInvoice } from '../invoice/draft.ts';
import { divideRounded, maxOf } from '../money.ts';
import { daysRemaining, type Period, totalDays } from '../period.ts';
import { addonFacts } from './addon-bases.ts';
import { accountOf } from './allowance.ts';
import { type Arrears, noArrears, periodArrears } from './arrears.ts';
import type { ChangeTarget } from './change-target.ts';
import { asChanged, changedCounts, stayingAddons, targetFields } from './change-terms.ts';
import { baseFacts, issue } from './invoicing.ts';
import { planOf } from './lookup.ts';
import type { Quoted } from './offering.ts';
import { boundOf } from './periods.ts';
import { firstBase, type PricedBase } from './priced-base.ts';
import type { FeatureAmounts, InvoiceRow, PlanChangePurchase, SubscriptionRow } from './rows.ts';
import type { Work } from './work.ts';

/** The share of the current period that is left, what was paid for all of it, and what of that it is worth, minor units (SUB-39, GLO-17). */
export type Unused = {
  readonly daysRemaining: number;
  readonly totalDays: number;
  readonly baseMinor: bigint;
  readonly creditMinor: bigint;
};

/** What of the current period's base is not used up: nothing of a trial, of a free plan, or of what was bought once (SUB-39, OQ-14). */
export function unusedBase(subscription: SubscriptionRow, now: Date): Unused {
  const { status, billingInterval, effectiveBaseMinor } = subscription;
  const period = currentPeriod(subscription);
  const days = { daysRemaining: daysRemaining(period, now), totalDays: totalDays(period) };
  const isPaidFor = status !== 'trialing' && billingInterval !== null && billingInterval !== 'one_time';
  const baseMinor = isPaidFor ? effectiveBaseMinor : 0n;
  return { ...days, baseMinor, creditMinor: divideRounded(baseMinor * BigInt(days.daysRemaining), BigInt(days.totalDays)) };
}

const currentPeriod = (subscription: SubscriptionRow): Period => ({
  start: boundOf(subscription, subscription.periodStart),
  end: boundOf(subscription, subscription.periodEnd),
});

/** Whether what the running window leaves is billed with a change: not of a trial or a free plan (CON-3, CON-17). */
const billsWindow = (work: Work, subscription: SubscriptionRow): boolean =>
  subscription.status === 'active' && !planOf(work, subscription).isFree;

const amounts = (entries: readonly (readonly [string, bigint])[]): FeatureAmounts =>
  Object.fromEntries(entries.map(([id, amount]) => [id, String(amount)]));

/** Up to where an invoice bills the running window. */
function billedWindow(work: Work, subscription: SubscriptionRow): PlanChangePurchase['billedWindow'] {
  if (!billsWindow(work, subscription)) return null;
  const start = subscription.windowStart?.getTime();
  const counters = work.counters.all().filter((row) => row.subscriptionId === subscription.id && row.windowStart.getTime() === start);
  return {
    totals: amounts(counters.map(({ featureId, total }) => [featureId, total])),
    balanceRate: String(accountOf(work, subscription).balanceRate),
  };
}

/** A change with the base its new period is charged at. Only paid plans are charged. */
type Priced = Pick<ChangeTarget, 'plan'> & { readonly price: NonNullable<ChangeTarget['price']> };

/** What an invoice of a change needs of its period before: what it leaves, and what is given back of it. */
type Left = { readonly arrears: Arrears; readonly unused: Unused };

function draft(work: Work, subscription: SubscriptionRow, target: Priced, base: PricedBase, { arrears, unused }: Left): IssuedInvoice {
  const { creditMinor } = unused;
  const next = asChanged(work, subscription, target);
  const proration = { planName: planOf(work, subscription).name, ...unused, amountMinor: creditMinor };
  return issue(work, next, {
    type: 'plan_change',
    period: currentPeriod(next),
    currency: target.price.currency,
    ...baseFacts(work, next, target.price, base),
    ...arrears,
    counts: changedCounts(work, next),
    addons: addonFacts(work, next, arrears.addonUsage, true, stayingAddons(work, next)),
    ...(creditMinor > 0n ? { proration } : {}),
  });
}

/** The invoice of a change that is paid at a checkout, under terms or without, worked out and not written: nothing before is billed or given back. */
export function checkoutDraft(work: Work, subscription: SubscriptionRow, target: Priced, terms: Quoted | null): IssuedInvoice {
  const base = firstBase(target.price.amountMinor, terms);
  return draft(work, subscription, target, base, {
    arrears: noArrears,
    unused: { ...unusedBase(subscription, work.now), creditMinor: 0n },
  });
}

/**
 * The invoice of a change that is charged at once (SUB-39): new base less its offer, what the old terms leave up to today, counts and add-ons of
 * the new period, less what is left of the old base. Grants a balance that was raised before it is billed.
 */
export function changeDraft(work: Work, subscription: SubscriptionRow, target: Priced, terms: Quoted | null): IssuedInvoice {
  const base = firstBase(target.price.amountMinor, terms);
  const arrears = billsWindow(work, subscription) ? periodArrears(work, subscription, work.now) : noArrears;
  return draft(work, subscription, target, base, { arrears, unused: unusedBase(subscription, work.now) });
}

/** What an invoice of a change buys. */
export function changePurchase(
  work: Work,
  subscription: SubscriptionRow,
  target: Priced,
  terms: Quoted | null,
  isCheckout: boolean,
): PlanChangePurchase {
  const { planId, ...fields } = targetFields(subscription, target);
  const counts = changedCounts(work, asChanged(work, subscription, target));
  return {
    ...fields,
    fromPlanId: subscription.planId,
    toPlanId: planId,
    priceId: target.price.price.id,
    billingInterval: target.price.price.billingInterval,
    priceMinor: String(target.price.amountMinor),
    effectiveBaseMinor: String(firstBase(target.price.amountMinor, terms).effectiveMinor),
    creditMinor: String(isCheckout ? 0n : unusedBase(subscription, work.now).creditMinor),
    billedCounts: amounts(counts.map(({ feature, count }) => [feature.id, count])),
    billedWindow: isCheckout ? null : billedWindow(work, subscription),
  };
}

/** What an invoice buys when it is one of a plan change; null for any other. */
export const changeOf = ({ purchase }: Pick<InvoiceRow, 'purchase'>): PlanChangePurchase | null =>
  purchase !== null && 'toPlanId' in purchase ? purchase : null;

/** Whether an invoice is of a change that is charged right now, not one that waits at a checkout. */
export const isChargedChange = ({ id, checkoutInvoiceId }: SubscriptionRow, invoice: InvoiceRow): boolean =>
  invoice.subscriptionId === id && invoice.status === 'outstanding' && invoice.id !== checkoutInvoiceId && changeOf(invoice) !== null;

/** What of the old base is left when the invoice asks for nothing more, minor units: it becomes a customer credit (SUB-41). */
export const remainderOf = ({ subtotal, discountAmount }: InvoiceRow, { creditMinor }: PlanChangePurchase): bigint =>
  maxOf(0n, BigInt(creditMinor) - (subtotal - discountAmount));

/** What an invoice of a change comes to (SUB-42): what it asks for less the offer, what is given back of the old base, and the total charged. */
export const changeFigures = ({ subtotal, discountAmount, total }: InvoiceRow, { creditMinor }: PlanChangePurchase) => ({
  creditMinor: BigInt(creditMinor),
  chargeMinor: subtotal - discountAmount,
  totalMinor: total,
});
