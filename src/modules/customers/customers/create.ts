import { validationError } from '../../../domain/errors/errors.ts';
import { requireRowQuota } from '../../../engine/quotas.ts';
import { isUniqueViolation } from '../../../platform/db/unique.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction, nextSeqAndPosition, recordEvents } from '../../../request/transaction.ts';
import { type AddressValues, type CustomerRow, customerEvent, customerRows, newCustomer } from './store.ts';

export type NewCustomerInput = {
  readonly email: string;
  readonly id?: string | null | undefined;
  readonly externalId?: string | null | undefined;
  readonly fullName?: string | null | undefined;
  readonly taxDocument?: string | null | undefined;
  readonly address?: AddressValues | null | undefined;
  readonly addressId?: string | null | undefined;
  readonly timezone?: string | null | undefined;
  readonly requireBudget?: boolean | null | undefined;
  readonly metadata?: Record<string, unknown> | null | undefined;
};

/** Returns the identifier from `id` or `externalId`, or `null` if both are missing. Throws `validation_error` if they differ. */
function identifierOf(input: Pick<NewCustomerInput, 'id' | 'externalId'>): string | null {
  const { id, externalId } = input;
  if (id && externalId && id !== externalId) {
    throw validationError([{ field: 'externalId', message: 'must match `id`' }]);
  }
  return id ?? externalId ?? null;
}

/**
 * Creates a customer and the event `customer.created` in one transaction. If a customer with the identifier exists, returns this customer
 * unchanged (PLT-21). `isNew` is `true` if the customer was created. Throws `validation_error`.
 */
export async function createCustomer(
  ctx: Context,
  input: NewCustomerInput,
): Promise<CustomerRow & { isNew: boolean }> {
  const identifier = identifierOf(input);
  await requireRowQuota(ctx);
  if (input.addressId)
    throw validationError([
      { field: 'addressId', message: 'must not be set, because addresses have no IDs' },
    ]);
  try {
    return await inTransaction(ctx, (tx) => createOrFind(tx, input, identifier));
  } catch (error) {
    // A concurrent request created a customer with the same identifier. Return that customer.
    const winner =
      identifier !== null && isUniqueViolation(error) ? await customerRows.find(ctx, identifier) : null;
    if (winner === null) throw error;
    return { ...winner, isNew: false };
  }
}

async function createOrFind(
  ctx: Context,
  input: NewCustomerInput,
  identifier: string | null,
): Promise<CustomerRow & { isNew: boolean }> {
  const existing = identifier === null ? null : await customerRows.find(ctx, identifier);
  if (existing !== null) return { ...existing, isNew: false };
  const now = ctx.clock.now();
  const { seq, position } = await nextSeqAndPosition(ctx);
  const customer = await ctx.db.customer.create({
    data: { id: newId('cus'), seq, ...newCustomer(input, identifier, now) },
  });
  await recordEvents(ctx, [customerEvent('customer.created', customer, now)], position);
  return { ...customer, isNew: true };
}
