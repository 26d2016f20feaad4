import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../context.ts';
import { documentTypeOf } from '../../domain/document-type.ts';
import { specificError } from '../../domain/errors.ts';
import { lockRow } from '../../platform/db/locks.ts';
import { isUniqueViolation } from '../../platform/db/unique.ts';
import { inTransaction, recordEvents } from '../../transaction.ts';
import { type AddressValues, type CustomerRow, customerEvent, requireCustomer } from './store.ts';

/** Changes to a customer; what is undefined stays. Null removes the tax number and the address, and leaves the rest as it is. */
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

const editable = [
  'email',
  'fullName',
  'taxDocument',
  'externalId',
  'timezone',
  'metadata',
  'address',
  'country',
  'documentType',
] as const;

/** The address a change leaves, and its country. */
function placeOf(
  { address, country }: CustomerRow,
  provided: CustomerChanges['address'],
): Pick<CustomerRow, 'address' | 'country'> {
  if (provided === undefined) return { address, country };
  return provided === null
    ? { address: null, country: null }
    : { address: { ...provided }, country: provided.country };
}

/** The changed customer: what was given laid over what is stored, and what follows from it. */
function changed(customer: CustomerRow, input: CustomerChanges): CustomerRow {
  const next = {
    ...customer,
    email: input.email ?? customer.email,
    fullName: input.fullName ?? customer.fullName,
    taxDocument: input.taxDocument === undefined ? customer.taxDocument : input.taxDocument,
    externalId: input.externalId ?? customer.externalId,
    timezone: input.timezone ?? customer.timezone,
    metadata: (input.metadata ?? customer.metadata) as CustomerRow['metadata'],
    ...placeOf(customer, input.address),
  };
  return { ...next, documentType: documentTypeOf(next.taxDocument, next.country) };
}

/** Changes the given fields and sends `customer.updated` when one of them differs (PLT-23). Throws `customer_not_found`, `duplicate`. */
export async function updateCustomer(ctx: Context, input: CustomerChanges): Promise<CustomerRow> {
  try {
    return await inTransaction(ctx, async (tx) => {
      const { id } = await requireCustomer(tx, input.id);
      await lockRow(tx.sql, 'Customer', id);
      const customer = await requireCustomer(tx, id);
      const next = { ...changed(customer, input), updatedAt: tx.clock.now() };
      const differing = editable.filter((field) => !isDeepStrictEqual(next[field], customer[field]));
      if (differing.length === 0) return customer;
      const values = Object.fromEntries(differing.map((field) => [field, next[field]]));
      await tx.db.customer.update({ where: { id }, data: { ...values, updatedAt: next.updatedAt } });
      await recordEvents(tx, [customerEvent('customer.updated', next, next.updatedAt)]);
      return next;
    });
  } catch (error) {
    if (isUniqueViolation(error))
      throw specificError('duplicate', 'customer_external_id', {
        param: 'externalId',
      });
    throw error;
  }
}
