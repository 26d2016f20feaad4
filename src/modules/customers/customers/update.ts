import { isDeepStrictEqual } from 'node:util';
import { specificError } from '../../../domain/errors/errors.ts';
import { documentTypeOf } from '../../../domain/tax/document-type.ts';
import { customerKeys } from '../../../domain/text/folding.ts';
import { lockRow } from '../../../platform/db/locks.ts';
import { isUniqueViolation } from '../../../platform/db/unique.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction, recordEvents } from '../../../request/transaction.ts';
import { type AddressValues, type CustomerRow, customerEvent, requireCustomer } from './store.ts';

/** Changes to a customer. `undefined` keeps the current value. `null` removes the tax ID, the address, or the external ID. */
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
  'emailKey',
  'fullName',
  'searchText',
  'taxDocument',
  'externalId',
  'timezone',
  'metadata',
  'address',
  'country',
  'documentType',
] as const;

/** Returns the customer's address and country after an update. */
function placeOf(
  { address, country }: CustomerRow,
  provided: CustomerChanges['address'],
): Pick<CustomerRow, 'address' | 'country'> {
  if (provided === undefined) return { address, country };
  return provided === null
    ? { address: null, country: null }
    : { address: { ...provided }, country: provided.country };
}

/** Returns the customer with the changes applied and the derived columns updated. */
function changed(customer: CustomerRow, input: CustomerChanges): CustomerRow {
  const next = {
    ...customer,
    email: input.email ?? customer.email,
    fullName: input.fullName ?? customer.fullName,
    taxDocument: input.taxDocument === undefined ? customer.taxDocument : input.taxDocument,
    externalId: input.externalId === undefined ? customer.externalId : input.externalId,
    timezone: input.timezone ?? customer.timezone,
    metadata: (input.metadata ?? customer.metadata) as CustomerRow['metadata'],
    ...placeOf(customer, input.address),
  };
  return { ...next, ...customerKeys(next), documentType: documentTypeOf(next.taxDocument, next.country) };
}

/** Updates a customer and sends `customer.updated` if a value changes (PLT-23). Throws `customer_not_found` and `duplicate`. */
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
