import { invoiceEvent } from '../../events/payment-events.ts';
import { issueManualInvoice, type ManualInvoice, sumOfLines } from '../../invoicing/adjustment.ts';
import { scheduleOverdue } from '../schedule/notices.ts';
import type { Decision } from '../state/aggregate.ts';
import type { Draft } from '../state/draft.ts';
import { accessStatuses } from '../state/transitions.ts';
import { addInvoice, storeInvoice } from './open-invoice.ts';
import { customerTax } from './taxing.ts';

/** Currency of manual invoices for customers who have no active subscription. */
const defaultCurrency = 'usd';

/** Manual invoice without the values that come from the customer. If `currency` is `null`, the invoice uses the currency of the active subscription. */
export type RequestedInvoice = Omit<ManualInvoice, 'customerId' | 'tax' | 'currency'> & {
  readonly currency: string | null;
};

/**
 * Issues a manual invoice. An invoice with a positive sum is outstanding, isn't charged automatically, and becomes overdue after its due date
 * (BIL-4). An invoice with a negative sum is paid and makes no ledger transfers. Emits `invoice.created`.
 */
export function addManualInvoice(draft: Draft, { currency, ...requested }: RequestedInvoice): Decision {
  const live = draft.subscriptions.all().find(({ status }) => accessStatuses.includes(status));
  const { invoice, lines } = issueManualInvoice(
    {
      ...requested,
      customerId: draft.customer.id,
      currency: currency ?? live?.currency ?? defaultCurrency,
      tax: customerTax(draft),
    },
    draft.now,
    draft.newId,
  );
  if (sumOfLines(requested.lines) > 0n) {
    addInvoice(draft, invoice, lines);
    scheduleOverdue(draft, null, invoice);
  } else storeInvoice(draft, invoice, lines);
  draft.emit(invoiceEvent('invoice.created', draft.customer, invoice));
  return draft.done('done', null, invoice.id);
}
