// The payload of events about a customer itself.
import { type EventBody, iso } from './event-data.ts';
import type { CustomerRow } from './subscription/state/rows.ts';

/** The whole customer, as events about it carry it (PLT-23). */
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

/** A customer was deleted; the payload is the customer as it was before (PLT-24). */
export const customerDeleted = (customer: CustomerRow): EventBody => ({
  kind: 'customer.deleted',
  subscriptionId: null,
  data: customerData(customer),
});
