import type { EventKind } from './events.ts';

/**
 * Event to store. Some values in `data` are `null` until the event is stored. These are `invoiceNumber` (resolved with
 * `invoiceId`), `creditNoteNumber` (resolved with `creditNoteId`), and the field named in `link`.
 */
export type EventDraft = {
  readonly kind: EventKind;
  readonly data: { readonly [field: string]: unknown };
  /** Internal ID of the customer. `data` contains the customer ID that event consumers receive (GLO-3). */
  readonly customerId: string;
  readonly subscriptionId: string | null;
  readonly occurredAt: Date;
  /** Deduplication key. At most one event is stored per key (BIL-4). */
  readonly cause?: string;
  readonly link?: EventLink;
};

/**
 * Signed page URL to store in `data[field]`. The `checkout` page belongs to a subscription, and the
 * `recover` page belongs to an invoice.
 */
type EventLink = {
  readonly field: 'checkoutUrl' | 'recoveryUrl';
  readonly page: 'checkout' | 'recover';
  readonly subjectId: string;
};
