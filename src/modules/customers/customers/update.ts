import type { Context } from '../../../request/context.ts';
import type { Changes } from '../../../request/resource.ts';
import { recordEvents } from '../../../request/transaction.ts';
import { type AddressValues, type CustomerRow, customerEvent, customerRows } from './store.ts';

/** Changes to a customer. `undefined` keeps the current value. `null` removes the tax ID, the address, or the external ID. */
export type CustomerChanges = Pick<
  Changes<'Customer'>,
  'email' | 'fullName' | 'taxDocument' | 'externalId' | 'timezone' | 'requireBudget' | 'metadata'
> & { readonly id: string; readonly address?: AddressValues | null | undefined };

/** Updates a customer and sends `customer.updated` if a value changes (PLT-23). Throws `customer_not_found` and `duplicate`. */
export const updateCustomer = (
  ctx: Context,
  { id, address, ...input }: CustomerChanges,
): Promise<CustomerRow> =>
  customerRows.update(
    ctx,
    id,
    {
      ...input,
      address: address && { ...address },
      country: address === undefined ? undefined : (address?.country ?? null),
    },
    (tx, customer) => recordEvents(tx, [customerEvent('customer.updated', customer, customer.updatedAt)]),
  );
