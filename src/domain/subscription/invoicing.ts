// Invoices of subscriptions: issued, paid, voided, given up; each with its ledger transfers.
import { usableCredits, usesOf } from '../customer-credits.ts';
import { minimumChargeUsdMinor } from '../gateway.ts';
import { type IssuedInvoice, issueInvoice } from '../invoice/draft.ts';
import type { AddonFacts, BaseFacts, CountFacts, DiscountFacts, ProrationFacts } from '../invoice/line.ts';
import { moveInvoice } from '../invoice/state.ts';
import { postIssued, postSettled, postSettledOutside, postVoided, postWrittenOff } from '../ledger.ts';
import { invoiceEvent } from '../payment-events.ts';
import { type Period, utcMidnight } from '../period.ts';
import { localMinor } from '../pricing/regional.ts';
import { exchangeRateAt, type ResolvedPrice } from '../pricing/resolve.ts';
import type { InvoiceType } from '../words.ts';
import { addonFacts } from './addon-bases.ts';
import { heldCounts, initialCount } from './allowance.ts';
import { type Arrears, noArrears } from './arrears.ts';
import { returnCredits, takeCredits } from './credits.ts';
import { planById } from './lookup.ts';
import { dropOverdue } from './notices.ts';
import type { PricedBase } from './priced-base.ts';
import type { CreditUse, InvoiceLineRow, InvoiceRow, SubscriptionRow, TransactionRow } from './rows.ts';
import { customerTax } from './taxing.ts';
import type { Work } from './work.ts';

/** What an invoice of a subscription needs to know of it, before it exists too. */
export type Buyer = Pick<SubscriptionRow, 'id' | 'planId' | 'initialSeats'>;

/** What an invoice of a subscription is for. `period` is null before the activation, which writes it (BIL-30). */
type SubscriptionInvoice = Omit<Arrears, 'addonUsage'> & {
  readonly type: InvoiceType;
  readonly period: Period | null;
  readonly currency: string;
  readonly base: BaseFacts | null;
  readonly discount: DiscountFacts | null;
  readonly counts: readonly CountFacts[];
  readonly addons: readonly AddonFacts[];
  readonly proration?: ProrationFacts;
};

/** Makes an invoice of a subscription, with its lines; not written. */
export const issue = (work: Work, { id, planId }: Buyer, { type, period, currency, ...facts }: SubscriptionInvoice): IssuedInvoice =>
  issueInvoice(
    {
      type,
      customerId: work.customer.id,
      subscriptionId: id,
      planName: planById(work, planId).name,
      period,
      lines: { currency, ...facts, credits: usableCredits(work.credits.all(), currency, work.dueAt) },
      tax: customerTax(work),
    },
    work.now,
    work.newId,
  );

/** The plan base that opens a period, and what an offer takes off it. */
export const baseFacts = (work: Work, { planId }: Buyer, { price, amountMinor }: ResolvedPrice, base: PricedBase) => ({
  base: {
    planName: planById(work, planId).name,
    billingInterval: base.cadence ?? price.billingInterval,
    amountMinor: base.shownMinor,
    isFixedPrice: base.shownMinor !== amountMinor,
  },
  discount: base.discount,
});

/** The first invoice of a subscription, worked out and not written: plan base, what an offer takes off it, seats and quota in advance (BIL-13). */
export function firstInvoice(work: Work, buyer: Buyer, price: ResolvedPrice, base: PricedBase): IssuedInvoice {
  const { currency } = price;
  const held = heldCounts(work, {
    id: buyer.id,
    planId: buyer.planId,
    seq: null,
    status: 'pending_payment',
    currency,
    termsFrom: null,
    grantedPlanId: null,
    grantedReleaseSeq: null,
  });
  const counts = held.map((one) => ({ feature: one.feature, terms: one.terms, count: initialCount(buyer, one) }));
  return issue(work, buyer, {
    type: 'recurring',
    period: null,
    currency,
    ...baseFacts(work, buyer, price, base),
    ...noArrears,
    counts,
    addons: [],
  });
}

/** Issues the first invoice of a subscription. Writes the invoice, its lines and the ledger, no event. */
export function issueFirstInvoice(work: Work, buyer: Buyer, price: ResolvedPrice, base: PricedBase): InvoiceRow {
  const { invoice, lines } = firstInvoice(work, buyer, price, base);
  return addInvoice(work, invoice, lines);
}

/** Seats and quota in force, charged in advance for the period that opens (CON-37). */
const countFacts = (work: Work, subscription: SubscriptionRow): readonly CountFacts[] =>
  heldCounts(work, subscription).map(({ feature, terms, count }) => ({ feature, terms, count: count.count }));

/**
 * Issues the invoice that opens a period: plan base, what the period before left to be billed, seats, quota and add-ons in advance (BIL-6 step 7).
 * The counts of the period are in force already. Writes the invoice, its lines and the ledger, no event.
 */
export function issuePeriodInvoice(
  work: Work,
  subscription: SubscriptionRow,
  price: ResolvedPrice,
  base: PricedBase,
  { period, arrears }: { readonly period: Period; readonly arrears: Arrears },
): InvoiceRow {
  const addons = addonFacts(work, subscription, arrears.addonUsage, true);
  const facts = { ...baseFacts(work, subscription, price, base), ...arrears, counts: countFacts(work, subscription), addons };
  const { invoice, lines } = issue(work, subscription, { type: 'recurring', period, currency: price.currency, ...facts });
  return addInvoice(work, invoice, lines);
}

/**
 * Issues the invoice a canceled subscription starts anew by: plan base, what an offer takes off it, seats and quota in advance (SUB-31). Its
 * period is written when it is paid. Writes the invoice, its lines and the ledger, no event.
 */
export function issueReactivation(work: Work, subscription: SubscriptionRow, price: ResolvedPrice, base: PricedBase): InvoiceRow {
  const facts = { ...baseFacts(work, subscription, price, base), ...noArrears, counts: countFacts(work, subscription), addons: [] };
  const { invoice, lines } = issue(work, subscription, { type: 'reactivation', period: null, currency: price.currency, ...facts });
  return addInvoice(work, invoice, lines);
}

/**
 * Issues the invoice of a window that ended, without a plan base (BIL-9, BIL-10); null and nothing written when there is nothing to charge.
 * `isPeriodEnd` where counts and add-ons are charged by the window, in advance for the one that opens.
 */
export function issueWindowInvoice(
  work: Work,
  subscription: SubscriptionRow,
  { period, arrears, isPeriodEnd }: { readonly period: Period; readonly arrears: Arrears; readonly isPeriodEnd: boolean },
): InvoiceRow | null {
  const counts = isPeriodEnd ? countFacts(work, subscription) : [];
  const addons = addonFacts(work, subscription, arrears.addonUsage, isPeriodEnd);
  const facts = { base: null, discount: null, ...arrears, counts, addons };
  const days = { start: utcMidnight(period.start), end: period.end };
  const { invoice, lines } = issue(work, subscription, { type: 'overage', period: days, currency: subscription.currency, ...facts });
  return lines.length === 0 ? null : addInvoice(work, invoice, lines);
}

/** What an invoice takes from customer credits, minor units. */
const takenBy = (uses: readonly CreditUse[], { id }: InvoiceRow): bigint =>
  uses.reduce((sum, { invoiceId, amountMinor }) => (invoiceId === id ? sum + amountMinor : sum), 0n);

/** Writes an issued invoice that is owed, with its lines, what they take from credits, and the ledger; no event. */
export function addInvoice(work: Work, invoice: InvoiceRow, lines: readonly InvoiceLineRow[]): InvoiceRow {
  takeCredits(work, lines);
  work.lines.push(...lines);
  work.ledger.push(...postIssued(invoice, takenBy(usesOf(lines), invoice), work.newId, work.now));
  return work.invoices.add(invoice);
}

/**
 * Whether an invoice of a subscription asks for too little to be charged at all: nothing, or less than the connection's minimum (BIL-34,
 * BIL-35). In another currency than USD the plan's exchange rate tells what the minimum is worth; without one only nothing is too little.
 */
export function isBelowMinimum(work: Work, subscription: Pick<SubscriptionRow, 'planId'>, { total, currency }: InvoiceRow): boolean {
  if (total <= 0n || currency === 'usd') return total < minimumChargeUsdMinor;
  const rateE8 = exchangeRateAt(work.aggregate.catalog, subscription.planId, currency, work.dueAt);
  return rateE8 !== null && total < localMinor(minimumChargeUsdMinor, rateE8, currency);
}

/** Settles an invoice by a transaction, or without one when there is nothing to charge: a total above 0 is then written off (BIL-35). */
export function payInvoice(work: Work, invoice: InvoiceRow, transaction: TransactionRow | null): InvoiceRow {
  const entries =
    transaction === null
      ? postWrittenOff(invoice, 'invoice.below_minimum', work.newId, work.now)
      : postSettled(invoice, transaction, work.newId, work.now);
  work.ledger.push(...entries);
  dropOverdue(work, invoice);
  return work.invoices.put(moveInvoice(invoice, 'paid', work.now));
}

/** Settles an outstanding invoice by money that came in outside the platform: no transaction tells of it (BIL-25). */
export function payOutside(work: Work, invoice: InvoiceRow): InvoiceRow {
  work.ledger.push(...postSettledOutside(invoice, work.newId, work.now));
  dropOverdue(work, invoice);
  return work.invoices.put(moveInvoice(invoice, 'paid', work.now));
}

/** What settles an invoice: a charge; nothing, its total being too small to charge; money that came in outside the platform. */
export type SettledBy = TransactionRow | 'nothing' | 'outside';

/** Settles an invoice by whatever settles it. */
export const settleBy = (work: Work, invoice: InvoiceRow, by: SettledBy): InvoiceRow =>
  by === 'outside' ? payOutside(work, invoice) : payInvoice(work, invoice, by === 'nothing' ? null : by);

/** Voids an outstanding invoice, gives back the credits it took, and says so. */
export function voidInvoice(work: Work, invoice: InvoiceRow): InvoiceRow {
  work.ledger.push(...postVoided(invoice, takenBy(work.creditUses, invoice), work.newId, work.now));
  returnCredits(work, invoice.id);
  dropOverdue(work, invoice);
  const voided = work.invoices.put(moveInvoice(invoice, 'void', work.now));
  work.emit(invoiceEvent('invoice.voided', work.customer, voided));
  return voided;
}

/** Gives up an outstanding invoice; no event tells of it but those of what caused it. */
export function giveUpInvoice(work: Work, invoice: InvoiceRow): InvoiceRow {
  work.ledger.push(...postWrittenOff(invoice, 'invoice.uncollectible', work.newId, work.now));
  dropOverdue(work, invoice);
  return work.invoices.put(moveInvoice(invoice, 'uncollectible', work.now));
}
