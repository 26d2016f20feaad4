import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../context.ts';
import { documentTypeOf } from '../../domain/document-type.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { lockCustomerRow } from '../../infra/locks.ts';
import { isUniqueViolation } from '../../infra/unique.ts';
import { inTransaction, recordEvents } from '../../transaction.ts';
import { type AddressValues, type CustomerRow, customerEvent, requireCustomer } from './service.ts';

/** Changes to a customer; what is undefined stays. */
export type CustomerChanges = {
  readonly id: string;
  readonly email?: string | null | undefined;
  readonly fullName?: string | null | undefined;
  readonly taxDocument?: string | null | undefined;
  readonly externalId?: string | null | undefined;
  readonly timezone?: string | null | undefined;
  readonly metadata?: Record<string, unknown> | null | undefined;
  readonly address?: AddressValues | null | undefined;
};

const editable = ['email', 'fullName', 'taxDocument', 'externalId', 'timezone', 'metadata', 'address', 'country', 'documentType'] as const;

/** The changed customer: what was given laid over what is stored, and what follows from it. */
function changed(customer: CustomerRow, input: CustomerChanges): CustomerRow {
  const next = {
    ...customer,
    email: input.email ?? customer.email,
    fullName: input.fullName ?? customer.fullName,
    taxDocument: input.taxDocument ?? customer.taxDocument,
    externalId: input.externalId ?? customer.externalId,
    timezone: input.timezone ?? customer.timezone,
    metadata: (input.metadata ?? customer.metadata) as CustomerRow['metadata'],
    address: input.address ? { ...input.address } : customer.address,
    country: input.address?.country ?? customer.country,
  };
  return { ...next, documentType: documentTypeOf(next.taxDocument, next.country) };
}

/** Changes the given fields and sends `customer.updated` when one of them differs (PLT-23). Throws `customer_not_found`, `duplicate`. */
export async function updateCustomer(context: Context, input: CustomerChanges): Promise<CustomerRow> {
  try {
    return await inTransaction(context, async (inner) => {
      const { id } = await requireCustomer(inner, input.id);
      await lockCustomerRow(inner.sql, id);
      const customer = await requireCustomer(inner, id);
      const next = { ...changed(customer, input), updatedAt: inner.clock.now() };
      const differing = editable.filter((field) => !isDeepStrictEqual(next[field], customer[field]));
      if (differing.length === 0) return customer;
      const values = Object.fromEntries(differing.map((field) => [field, next[field]]));
      await inner.db.customer.update({ where: { id }, data: { ...values, updatedAt: next.updatedAt } });
      await recordEvents(inner, [customerEvent('customer.updated', next, next.updatedAt)]);
      return next;
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new QuittanceError('duplicate', 'Another customer has this external id.', { param: 'externalId' });
    throw error;
  }
}
