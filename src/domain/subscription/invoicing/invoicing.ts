// Creates and stores invoices for subscriptions.

import { chargeOf } from '../../invoicing/credit-note.ts';
import { type IssuedInvoice, issueInvoice } from '../../invoicing/draft.ts';
import type {
  AddonDetails,
  BaseDetails,
  CountDetails,
  DiscountDetails,
  ProrationDetails,
} from '../../invoicing/line.ts';
import { buyerOf } from '../../invoicing/parties.ts';
import { lineCommitments, usableCredits } from '../../lots/credits.ts';
import { minimumChargeUsdMinor } from '../../payments/provider.ts';
import { localMinor } from '../../pricing/regional.ts';
import { exchangeRateAt, type ResolvedPrice } from '../../pricing/resolve.ts';
import type { InvoiceType } from '../../rows/enums.ts';
import type { CarriedCharge, InvoiceRow, PendingCorrection, SubscriptionRow } from '../../rows/rows.ts';
import type { LotRow } from '../../rows/usage-rows.ts';
import { type Period, utcMidnight } from '../../time/period.ts';
import { addonDetails } from '../allowances/addon-bases.ts';
import { heldCounts, initialCount } from '../allowances/allowance.ts';
import { type Arrears, noArrears, recordArrears } from '../allowances/arrears.ts';
import { planById } from '../pricing/lookup.ts';
import type { PricedBase } from '../pricing/priced-base.ts';
import type { Draft } from '../state/draft.ts';
import { takeCorrections } from './corrections.ts';
import { countArrears, openMinimum } from './minimum-spend.ts';
import { addInvoice, putOpenInvoice } from './open-invoice.ts';
import { customerTax } from './taxing.ts';

/** Subscription columns that are needed to create an invoice. */
export type Buyer = Pick<SubscriptionRow, 'id' | 'planId' | 'initialSeats'>;

/** Contents of a subscription invoice. `period` is `null` if the activation sets the period later (BIL-30). */
type SubscriptionInvoice = Omit<Arrears, 'addonUsage' | 'drawn'> & {
  readonly type: InvoiceType;
  readonly period: Period | null;
  readonly currency: string;
  readonly base: BaseDetails | null;
  readonly discount: DiscountDetails | null;
  readonly counts: readonly CountDetails[];
  readonly addons: readonly AddonDetails[];
  readonly proration?: ProrationDetails;
  readonly carried?: readonly CarriedCharge[];
  readonly corrections?: readonly PendingCorrection[];
};

/** Returns the usable customer credits in the order in which the organization's invoices use them. */
const creditsFor = (draft: Draft, currency: string): LotRow[] =>
  usableCredits(draft.lots.all(), currency, draft.dueAt, draft.aggregate.environment.creditOrder);

/** Creates a subscription invoice and its lines without writing them. */
export const issue = (
  draft: Draft,
  { id, planId }: Buyer,
  { type, period, currency, ...details }: SubscriptionInvoice,
): IssuedInvoice =>
  issueInvoice(
    {
      type,
      customerId: draft.customer.id,
      subscriptionId: id,
      planName: planById(draft, planId).name,
      period,
      lines: {
        currency,
        ...details,
        commitments: lineCommitments(draft.lots.all(), id, currency),
        credits: creditsFor(draft, currency),
      },
      tax: customerTax(draft),
    },
    draft.now,
    draft.newId,
  );

/** Returns the plan's base price for a new period, and the offer discount on the base price. */
export const baseDetails = (
  draft: Draft,
  { planId }: Buyer,
  { price, amountMinor }: ResolvedPrice,
  base: PricedBase,
) => ({
  base: {
    planName: planById(draft, planId).name,
    billingInterval: base.cadence ?? price.billingInterval,
    amountMinor: base.shownMinor,
    isFixedPrice: base.shownMinor !== amountMinor,
  },
  discount: base.discount,
});

/**
 * Computes the first invoice of a subscription without writing it. The invoice contains the plan's base price, the
 * offer discount, and advance charges for seats and quota (BIL-13).
 */
export function firstInvoice(
  draft: Draft,
  buyer: Buyer,
  price: ResolvedPrice,
  base: PricedBase,
): IssuedInvoice {
  const { currency, market } = price;
  const held = heldCounts(draft, {
    id: buyer.id,
    planId: buyer.planId,
    seq: null,
    status: 'pending_payment',
    currency,
    marketId: market,
    termsFrom: null,
    grantedPlanId: null,
    grantedReleaseSeq: null,
  });
  const counts = held.map((one) => ({
    feature: one.feature,
    terms: one.terms,
    count: initialCount(buyer, one),
  }));
  return issue(draft, buyer, {
    type: 'recurring',
    period: null,
    currency,
    ...baseDetails(draft, buyer, price, base),
    ...noArrears,
    counts,
    addons: [],
  });
}

/**
 * Writes the first invoice of a subscription, or replaces `revised`. The payment finalizes the invoice
 * (BIL-30). Emits no event.
 */
export function issueFirstInvoice(
  draft: Draft,
  buyer: Buyer,
  price: ResolvedPrice,
  base: PricedBase,
  revised: InvoiceRow | null,
): InvoiceRow {
  const invoice = putOpenInvoice(draft, revised, () => firstInvoice(draft, buyer, price, base));
  openMinimum(draft, buyer, price, invoice);
  return invoice;
}

const addFinal = (draft: Draft, { invoice, lines }: IssuedInvoice): InvoiceRow =>
  addInvoice(draft, invoice, lines);

/**
 * Clears the charges that were carried over from earlier invoices of the subscription, and returns them for
 * the next invoice (BIL-35).
 */
function removeCarriedCharges(draft: Draft, { id }: Pick<SubscriptionRow, 'id'>): readonly CarriedCharge[] {
  const { carried } = draft.subscriptions.get(id);
  if (carried.length > 0) draft.subscriptions.patch(id, { carried: [] });
  return carried;
}

/** Returns the current seats and quota to charge in advance for the new period (CON-37). */
const countDetails = (draft: Draft, subscription: SubscriptionRow): readonly CountDetails[] =>
  heldCounts(draft, subscription).map(({ feature, terms, count }) => ({
    feature,
    terms,
    count: count.count,
  }));

/**
 * Issues the invoice at the start of a billing period. The invoice contains the plan's base price, arrears of the
 * previous period, and advance charges for seats, quota, and add-ons (BIL-6 step 7). The seats and quota counts of the
 * new period must be set before the call. Writes the invoice, its lines, and its ledger transfers. Emits no event. With
 * `isFirst` (after a trial), the invoice isn't outstanding before its charge has a result (BIL-30).
 */
export function issuePeriodInvoice(
  draft: Draft,
  subscription: SubscriptionRow,
  price: ResolvedPrice,
  base: PricedBase,
  {
    period,
    arrears,
    isFirst,
  }: { readonly period: Period; readonly arrears: Arrears; readonly isFirst: boolean },
): InvoiceRow {
  const addons = addonDetails(draft, subscription, arrears.addonUsage, true);
  const details = {
    ...baseDetails(draft, subscription, price, base),
    ...arrears,
    counts: countDetails(draft, subscription),
    addons,
    carried: removeCarriedCharges(draft, subscription),
  };
  const about = { type: 'recurring', period, currency: price.currency } as const;
  if (isFirst) {
    const first = putOpenInvoice(draft, null, () => issue(draft, subscription, { ...about, ...details }));
    openMinimum(draft, subscription, price, first);
    return first;
  }
  const { corrections } = draft.subscriptions.get(subscription.id);
  const issued = issue(draft, subscription, { ...about, ...details, corrections });
  takeCorrections(draft, subscription, issued.lines);
  recordArrears(draft, subscription, arrears);
  const invoice = addFinal(draft, issued);
  openMinimum(draft, subscription, price, invoice);
  return invoice;
}

/**
 * Issues the invoice that reactivates a canceled subscription. The invoice contains the plan's base price, the offer
 * discount, and advance charges for seats and quota (SUB-31). The payment finalizes the invoice and sets its period
 * (BIL-30). Emits no event.
 */
export function issueReactivation(
  draft: Draft,
  subscription: SubscriptionRow,
  price: ResolvedPrice,
  base: PricedBase,
): InvoiceRow {
  const details = {
    ...baseDetails(draft, subscription, price, base),
    ...noArrears,
    counts: countDetails(draft, subscription),
    addons: [],
  };
  const about = { type: 'reactivation', period: null, currency: price.currency } as const;
  const invoice = putOpenInvoice(draft, null, () => issue(draft, subscription, { ...about, ...details }));
  openMinimum(draft, subscription, price, invoice);
  return invoice;
}

/**
 * Issues the invoice for an ended usage window, without the plan's base price (BIL-9, BIL-10). Returns `null` and
 * writes nothing if there is nothing to charge. With `isPeriodEnd`, charges seats, quota, and add-ons in advance for the
 * new window. If the only charges are carried over, issues no invoice unless `isLast` is true (BIL-35).
 */
export function issueWindowInvoice(
  draft: Draft,
  subscription: SubscriptionRow,
  {
    period,
    arrears,
    isPeriodEnd,
    isLast = false,
  }: {
    readonly period: Period;
    readonly arrears: Arrears;
    readonly isPeriodEnd: boolean;
    readonly isLast?: boolean;
  },
): InvoiceRow | null {
  const counts = isPeriodEnd ? countDetails(draft, subscription) : [];
  const addons = addonDetails(draft, subscription, arrears.addonUsage, isPeriodEnd);
  const { corrections } = draft.subscriptions.get(subscription.id);
  const details = { base: null, discount: null, ...arrears, counts, addons, corrections };
  recordArrears(draft, subscription, arrears);
  const days = { start: utcMidnight(period.start), end: period.end };
  const about = { type: 'overage', period: days, currency: subscription.currency } as const;
  const own = issue(draft, subscription, { ...about, ...details });
  if (own.lines.length === 0 && !isLast) return null;
  const carried = removeCarriedCharges(draft, subscription);
  const issued = carried.length === 0 ? own : issue(draft, subscription, { ...about, ...details, carried });
  takeCorrections(draft, subscription, issued.lines);
  countArrears(draft, subscription, issued.lines);
  return issued.lines.length === 0 ? null : addFinal(draft, issued);
}

/**
 * Sets the period of a paid invoice and updates its buyer details, because they include what the payer
 * entered at the checkout (BIL-30, DAT-2).
 */
export function putPaidPeriod(
  draft: Draft,
  invoice: InvoiceRow,
  { periodStart, periodEnd }: SubscriptionRow,
): InvoiceRow {
  draft.freeze(invoice.id, { buyer: buyerOf(draft.customer), seller: null });
  return draft.invoices.patch(invoice.id, {
    periodStart: periodStart ?? invoice.periodStart,
    periodEnd: periodEnd ?? invoice.periodEnd,
  });
}

/**
 * Returns the smallest total that can be charged, in minor units of a currency (BIL-35). The minimum is in USD and converted
 * at the plan's exchange rate. 1 if the plan has no rate.
 */
export function minimumCharge(
  draft: Draft,
  { planId }: Pick<SubscriptionRow, 'planId'>,
  currency: string,
): bigint {
  if (currency === 'usd') return minimumChargeUsdMinor;
  const rateE8 = exchangeRateAt(draft.aggregate.catalog, planId, currency, draft.dueAt);
  return rateE8 === null ? 1n : localMinor(minimumChargeUsdMinor, rateE8, currency);
}

/** Returns true if the total of a subscription invoice is 0 or below the minimum charge (BIL-34, BIL-35). */
export function isBelowMinimum(
  draft: Draft,
  subscription: Pick<SubscriptionRow, 'planId'>,
  invoice: InvoiceRow,
): boolean {
  const { total } = chargeOf(invoice);
  return total <= 0n || total < minimumCharge(draft, subscription, invoice.currency);
}
