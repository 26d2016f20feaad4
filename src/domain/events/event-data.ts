// Common fields of event payloads. Every field is documented. Times are in ISO 8601, amounts are numbers in
// minor units, and absent values are omitted rather than set to `null`.

import { invoiceNumberText } from '../rows/invoice-number.ts';
import type { CustomerRow, InvoiceRow, SubscriptionRow } from '../rows/rows.ts';
import type { EventDraft } from './event-draft.ts';

/** Event without the customer and the time, which are the same for all events of a decision. */
export type EventBody = Omit<EventDraft, 'customerId' | 'occurredAt'>;

/**
 * Returns the customer ID that events contain: the external ID, otherwise the ID assigned by Quittance
 * (GLO-3).
 */
export const shownCustomerId = (customer: Pick<CustomerRow, 'id' | 'externalId'>): string =>
  customer.externalId ?? customer.id;

// The formatted time is cached, because all events in a batch have the same time and formatting is slow.
const written = new WeakMap<Date, string>();

export function iso(instant: Date | null): string | null {
  if (instant === null) return null;
  const known = written.get(instant);
  if (known !== undefined) return known;
  const text = instant.toISOString();
  written.set(instant, text);
  return text;
}

/**
 * Returns the formatted number of an invoice. `null` if the invoice isn't stored yet, because the number is
 * assigned when the invoice is stored.
 */
export const shownNumber = (invoice: InvoiceRow): string | null =>
  invoice.number === null ? null : invoiceNumberText(invoice.number);

/** Returns the fields that most subscription events share. */
export const about = (customer: CustomerRow, subscription: SubscriptionRow) => ({
  subscriptionId: subscription.id,
  customerId: shownCustomerId(customer),
  status: subscription.status,
});
