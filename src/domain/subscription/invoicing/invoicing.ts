// Invoices of subscriptions: what is on them, and how they are issued and written.

import { usableCredits, usesOf } from '../../customer-credits.ts';
import type { InvoiceType } from '../../enums.ts';
import { type IssuedInvoice, issueInvoice } from '../../invoicing/draft.ts';
import type {
  AddonDetails,
  BaseDetails,
  CountDetails,
  DiscountDetails,
  ProrationDetails,
} from '../../invoicing/line.ts';
import { buyerOf } from '../../invoicing/parties.ts';
import { postIssued } from '../../ledger/documents.ts';
import { type Period, utcMidnight } from '../../period.ts';
import { localMinor } from '../../pricing/regional.ts';
import { exchangeRateAt, type ResolvedPrice } from '../../pricing/resolve.ts';
import { minimumChargeUsdMinor } from '../../provider.ts';
import { addonDetails } from '../allowances/addon-bases.ts';
import { heldCounts, initialCount } from '../allowances/allowance.ts';
import { type Arrears, noArrears } from '../allowances/arrears.ts';
import { planById } from '../pricing/lookup.ts';
import type { PricedBase } from '../pricing/priced-base.ts';
import type { Draft } from '../state/draft.ts';
import type { CreditUse, InvoiceLineRow, InvoiceRow, SubscriptionRow } from '../state/rows.ts';
import { takeCredits } from './credits.ts';
import { customerTax } from './taxing.ts';

/** The fields of a subscription an invoice is made from. */
export type Buyer = Pick<SubscriptionRow, 'id' | 'planId' | 'initialSeats'>;

/**
 * What an invoice of a subscription is for. `period` is null before the activation, which writes it (BIL-30).
 */
type SubscriptionInvoice = Omit<Arrears, 'addonUsage'> & {
  readonly type: InvoiceType;
  readonly period: Period | null;
  readonly currency: string;
  readonly base: BaseDetails | null;
  readonly discount: DiscountDetails | null;
  readonly counts: readonly CountDetails[];
  readonly addons: readonly AddonDetails[];
  readonly proration?: ProrationDetails;
};

/** Makes an invoice of a subscription, with its lines; not written. */
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
      lines: { currency, ...details, credits: usableCredits(draft.credits.all(), currency, draft.dueAt) },
      tax: customerTax(draft),
    },
    draft.now,
    draft.newId,
  );

/** The plan base that opens a period, and what an offer takes off it. */
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
 * The first invoice of a subscription, computed, not written: plan base, what an offer takes off it, seats
 * and quota in advance (BIL-13).
 */
export function firstInvoice(
  draft: Draft,
  buyer: Buyer,
  price: ResolvedPrice,
  base: PricedBase,
): IssuedInvoice {
  const { currency } = price;
  const held = heldCounts(draft, {
    id: buyer.id,
    planId: buyer.planId,
    seq: null,
    status: 'pending_payment',
    currency,
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

/** Issues the first invoice of a subscription. Writes the invoice, its lines and the ledger, no event. */
export function issueFirstInvoice(
  draft: Draft,
  buyer: Buyer,
  price: ResolvedPrice,
  base: PricedBase,
): InvoiceRow {
  const { invoice, lines } = firstInvoice(draft, buyer, price, base);
  return addInvoice(draft, invoice, lines);
}

/** Seats and quota in force, charged in advance for the period that opens (CON-37). */
const countDetails = (draft: Draft, subscription: SubscriptionRow): readonly CountDetails[] =>
  heldCounts(draft, subscription).map(({ feature, terms, count }) => ({
    feature,
    terms,
    count: count.count,
  }));

/**
 * Issues the invoice that opens a period: plan base, what the period before left to be billed, seats, quota
 * and add-ons in advance (BIL-6 step 7). The counts of the period are in force already. Writes the invoice,
 * its lines and the ledger, no event.
 */
export function issuePeriodInvoice(
  draft: Draft,
  subscription: SubscriptionRow,
  price: ResolvedPrice,
  base: PricedBase,
  { period, arrears }: { readonly period: Period; readonly arrears: Arrears },
): InvoiceRow {
  const addons = addonDetails(draft, subscription, arrears.addonUsage, true);
  const details = {
    ...baseDetails(draft, subscription, price, base),
    ...arrears,
    counts: countDetails(draft, subscription),
    addons,
  };
  const { invoice, lines } = issue(draft, subscription, {
    type: 'recurring',
    period,
    currency: price.currency,
    ...details,
  });
  return addInvoice(draft, invoice, lines);
}

/**
 * Issues the invoice a canceled subscription starts again by: plan base, what an offer takes off it, seats
 * and quota in advance (SUB-31). Its period is written when it is paid. Writes the invoice, its lines and the
 * ledger, no event.
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
  const { invoice, lines } = issue(draft, subscription, {
    type: 'reactivation',
    period: null,
    currency: price.currency,
    ...details,
  });
  return addInvoice(draft, invoice, lines);
}

/**
 * Issues the invoice of a window that ended, without a plan base (BIL-9, BIL-10); null and nothing written
 * when there is nothing to charge. `isPeriodEnd` where counts and add-ons are charged by the window, in
 * advance for the one that opens.
 */
export function issueWindowInvoice(
  draft: Draft,
  subscription: SubscriptionRow,
  {
    period,
    arrears,
    isPeriodEnd,
  }: { readonly period: Period; readonly arrears: Arrears; readonly isPeriodEnd: boolean },
): InvoiceRow | null {
  const counts = isPeriodEnd ? countDetails(draft, subscription) : [];
  const addons = addonDetails(draft, subscription, arrears.addonUsage, isPeriodEnd);
  const details = { base: null, discount: null, ...arrears, counts, addons };
  const days = { start: utcMidnight(period.start), end: period.end };
  const { invoice, lines } = issue(draft, subscription, {
    type: 'overage',
    period: days,
    currency: subscription.currency,
    ...details,
  });
  return lines.length === 0 ? null : addInvoice(draft, invoice, lines);
}

/** What an invoice takes from customer credits, minor units. */
export const takenBy = (uses: readonly CreditUse[], { id }: InvoiceRow): bigint =>
  uses.reduce((sum, { invoiceId, amountMinor }) => (invoiceId === id ? sum + amountMinor : sum), 0n);

/** Writes an issued invoice with its lines, and freezes its parties with it (DAT-1). */
export function storeInvoice(
  draft: Draft,
  invoice: InvoiceRow,
  lines: readonly InvoiceLineRow[],
): InvoiceRow {
  draft.lines.push(...lines);
  draft.freeze(invoice.id, { buyer: buyerOf(draft.customer), seller: draft.aggregate.environment.seller });
  return draft.invoices.add(invoice);
}

/**
 * Writes the period a paid invoice opens, and freezes its buyer again: what was typed in at the checkout
 * belongs to it (BIL-30, DAT-2).
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
 * Writes an issued invoice that is owed, with its lines, what they take from credits, and the ledger; no
 * event.
 */
export function addInvoice(draft: Draft, invoice: InvoiceRow, lines: readonly InvoiceLineRow[]): InvoiceRow {
  takeCredits(draft, lines);
  draft.ledger.push(...postIssued(invoice, takenBy(usesOf(lines), invoice), draft.newId, draft.now));
  return storeInvoice(draft, invoice, lines);
}

/**
 * Whether an invoice of a subscription asks for too little to be charged at all: nothing, or less than the
 * connection's minimum (BIL-34, BIL-35). In another currency than USD the plan's exchange rate tells what the
 * minimum is worth; without one only nothing is too little.
 */
export function isBelowMinimum(
  draft: Draft,
  subscription: Pick<SubscriptionRow, 'planId'>,
  { total, currency }: InvoiceRow,
): boolean {
  if (total <= 0n || currency === 'usd') return total < minimumChargeUsdMinor;
  const rateE8 = exchangeRateAt(draft.aggregate.catalog, subscription.planId, currency, draft.dueAt);
  return rateE8 !== null && total < localMinor(minimumChargeUsdMinor, rateE8, currency);
}
