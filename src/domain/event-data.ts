// The common parts of event payloads. Each payload has exactly the documented fields: instants are ISO texts,
// amounts bare numbers in minor units; a field that may be absent is left out rather than null.
import { invoiceNumberText } from './invoicing/number.ts';
import type { EventDraft } from './subscription/state/changes.ts';
import type { CustomerRow, InvoiceRow, SubscriptionRow } from './subscription/state/rows.ts';

/** An event without the fields every event of a decision shares. */
export type EventBody = Omit<EventDraft, 'customerId' | 'occurredAt'>;

/** The identifier of a customer that receivers see: the caller's own one, else the platform's (GLO-3). */
export const shownCustomerId = (customer: Pick<CustomerRow, 'id' | 'externalId'>): string =>
  customer.externalId ?? customer.id;

// All subjects of a batch share one instant, and formatting it is slow.
const written = new WeakMap<Date, string>();

/** An instant as receivers see it. */
export function iso(instant: Date | null): string | null {
  if (instant === null) return null;
  const known = written.get(instant);
  if (known !== undefined) return known;
  const text = instant.toISOString();
  written.set(instant, text);
  return text;
}

/** The text of an invoice's number; null until it is stored, which fills it in. */
export const shownNumber = (invoice: InvoiceRow): string | null =>
  invoice.number === null ? null : invoiceNumberText(invoice.number);

/** The first fields of most events of a subscription. */
export const about = (customer: CustomerRow, subscription: SubscriptionRow) => ({
  subscriptionId: subscription.id,
  customerId: shownCustomerId(customer),
  status: subscription.status,
});
