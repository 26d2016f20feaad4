// Payloads of customer events.

import type { CustomerRow } from '../rows/rows.ts';
import { type EventBody, iso } from './event-data.ts';

/** Returns the complete customer as it appears in the payloads of customer events (PLT-23). */
export const customerData = (customer: Omit<CustomerRow, 'seq'>) => ({
  id: customer.id,
  externalId: customer.externalId,
  fullName: customer.fullName,
  email: customer.email,
  taxDocument: customer.taxDocument,
  documentType: customer.documentType,
  timezone: customer.timezone,
  metadata: customer.metadata,
  createdAt: iso(customer.createdAt),
  updatedAt: iso(customer.updatedAt),
});

/**
 * Returns the event for a deleted customer. The payload contains the customer's data from before the
 * deletion (PLT-24).
 */
export const customerDeleted = (customer: CustomerRow): EventBody => ({
  kind: 'customer.deleted',
  subscriptionId: null,
  data: customerData(customer),
});
