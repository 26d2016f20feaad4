// Invoices of subscriptions: issued, paid, voided, given up; each with its ledger transfers.
import { usableCredits } from '../customer-credits.ts';
import { invoiceEvent } from '../event-data.ts';
import { minimumChargeUsdMinor } from '../gateway.ts';
import { type IssuedInvoice, issueInvoice } from '../invoice/draft.ts';
import { moveInvoice } from '../invoice/state.ts';
import { postIssued, postSettled, postSettledOutside, postVoided, postWrittenOff } from '../ledger.ts';
import type { Period } from '../period.ts';
import { localMinor } from '../pricing/regional.ts';
import { exchangeRateAt, type ResolvedPrice } from '../pricing/resolve.ts';
import { type TaxRate, taxRateFor } from '../tax.ts';
import { returnCredits, takeCredits } from './credits.ts';
import { planOf } from './lookup.ts';
import { dropOverdue } from './notices.ts';
import type { PricedBase } from './offering.ts';
import type { InvoiceLineRow, InvoiceRow, SubscriptionRow, TransactionRow } from './rows.ts';
import { seatFacts } from './seats.ts';
import type { Work } from './work.ts';

/** An invoice that opens a period, worked out and not written: plan base, what an offer takes off it, seats in advance, customer credits (BIL-13). */
export function periodInvoice(
  work: Work,
  subscription: Pick<SubscriptionRow, 'id' | 'planId' | 'initialSeats'>,
  price: ResolvedPrice,
  { shownMinor, discount }: PricedBase,
  period: Period | null,
): IssuedInvoice {
  const plan = planOf(work, subscription);
  const base = { planName: plan.name, billingInterval: price.price.billingInterval, amountMinor: shownMinor };
  const seats = seatFacts(work.aggregate.catalog, plan.id, subscription.initialSeats, price.currency, work.dueAt);
  const credits = usableCredits(work.credits.all(), price.currency, work.dueAt);
  return issueInvoice(
    {
      type: 'recurring',
      customerId: work.customer.id,
      subscriptionId: subscription.id,
      planName: plan.name,
      period,
      lines: { currency: price.currency, base, discount, seats, credits },
      taxRate: customerTaxRate(work),
    },
    work.now,
    work.newId,
  );
}

/**
 * Issues the invoice that opens a period (BIL-6 step 7). Writes the invoice, its lines and the ledger, no event. `period` is null before the
 * activation, which writes it (BIL-30).
 */
export function issuePeriodInvoice(
  work: Work,
  subscription: SubscriptionRow,
  price: ResolvedPrice,
  base: PricedBase,
  period: Period | null,
): InvoiceRow {
  const { invoice, lines } = periodInvoice(work, subscription, price, base, period);
  return addInvoice(work, invoice, lines);
}

/** The rate the customer is taxed at by its address and the organization's registrations (BIL-20). */
export const customerTaxRate = ({ customer, aggregate }: Work): TaxRate =>
  taxRateFor({
    country: customer.country,
    region: customer.address?.region ?? customer.address?.state ?? null,
    taxDocument: customer.taxDocument,
    registrations: aggregate.taxRegistrations,
  });

/** Writes an issued invoice that is owed, with its lines, what they take from credits, and the ledger; no event. */
export function addInvoice(work: Work, invoice: InvoiceRow, lines: readonly InvoiceLineRow[]): InvoiceRow {
  takeCredits(work, lines);
  work.lines.push(...lines);
  work.ledger.push(...postIssued(invoice, work.newId, work.now));
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

/** Voids an outstanding invoice, gives back the credits it took, and says so. */
export function voidInvoice(work: Work, invoice: InvoiceRow): InvoiceRow {
  work.ledger.push(...postVoided(invoice, work.newId, work.now));
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
