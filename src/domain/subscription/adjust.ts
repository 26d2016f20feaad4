import { issueAdjustment } from '../invoice/adjustment.ts';
import { invoiceEvent } from '../payment-events.ts';
import type { AdjustCommand, Decision } from './aggregate.ts';
import { addInvoice } from './invoicing.ts';
import { scheduleOverdue } from './notices.ts';
import { accessStatuses } from './state.ts';
import { customerTax } from './taxing.ts';
import type { Work } from './work.ts';

/** The currency of a customer whose subscription does not tell another one. */
const defaultCurrency = 'usd';

/**
 * Issues an adjustment by hand, in the currency of the subscription in force (BIL-23). A positive one is owed and not charged; a negative
 * one documents a credit and moves no value, so the ledger does not know it. Sends `invoice.created`; `invoice.overdue` follows if it is not
 * settled in time (BIL-4).
 */
export function adjust(work: Work, { amountMinor, description, metadata }: AdjustCommand): Decision {
  const live = work.subscriptions.all().find(({ status }) => accessStatuses.includes(status));
  const facts = {
    customerId: work.customer.id,
    currency: live?.currency ?? defaultCurrency,
    amountMinor,
    description,
    metadata,
    tax: customerTax(work),
  };
  const { invoice, lines } = issueAdjustment(facts, work.now, work.newId);
  if (amountMinor > 0n) {
    addInvoice(work, invoice, lines);
    scheduleOverdue(work, null, invoice);
  } else {
    work.lines.push(...lines);
    work.invoices.add(invoice);
  }
  work.emit(invoiceEvent('invoice.created', work.customer, invoice));
  return work.done('done', null, invoice.id);
}
