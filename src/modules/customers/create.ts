import type { Context } from '../../context.ts';
import { validationError } from '../../domain/errors.ts';
import { isUniqueViolation } from '../../platform/db/unique.ts';
import { newId } from '../../platform/ids.ts';
import { inTransaction, nextSeq, recordEvents } from '../../transaction.ts';
import {
  type AddressValues,
  type CustomerRow,
  customerEvent,
  findLivingCustomer,
  newCustomer,
} from './store.ts';

/** What a creating call says of a customer. */
export type NewCustomerInput = {
  readonly email: string;
  readonly id?: string | null | undefined;
  readonly externalId?: string | null | undefined;
  readonly fullName?: string | null | undefined;
  readonly taxDocument?: string | null | undefined;
  readonly address?: AddressValues | null | undefined;
  readonly addressId?: string | null | undefined;
  readonly timezone?: string | null | undefined;
  readonly metadata?: Record<string, unknown> | null | undefined;
};

/** The caller's identifier under either of its names; null when none was given. Throws `validation_error` when both are given and differ. */
export function identifierOf(input: Pick<NewCustomerInput, 'id' | 'externalId'>): string | null {
  const { id, externalId } = input;
  if (id && externalId && id !== externalId) {
    throw validationError([
      { field: 'externalId', message: 'id and externalId mean the same and must not differ.' },
    ]);
  }
  return id ?? externalId ?? null;
}

/**
 * Creates a customer, or answers the existing one with the identifier unchanged (PLT-21); `isNew` tells which.
 * Writes the row and `customer.created` together. Throws `validation_error`.
 */
export async function createCustomer(
  ctx: Context,
  input: NewCustomerInput,
): Promise<CustomerRow & { isNew: boolean }> {
  const identifier = identifierOf(input);
  if (input.addressId)
    throw validationError([{ field: 'addressId', message: 'No address with this id exists.' }]);
  try {
    return await inTransaction(ctx, (tx) => createOrFind(tx, input, identifier));
  } catch (error) {
    // Someone else created the same identifier at the same moment: theirs is the customer.
    const winner =
      identifier !== null && isUniqueViolation(error) ? await findLivingCustomer(ctx, identifier) : null;
    if (winner === null) throw error;
    return { ...winner, isNew: false };
  }
}

async function createOrFind(
  ctx: Context,
  input: NewCustomerInput,
  identifier: string | null,
): Promise<CustomerRow & { isNew: boolean }> {
  const existing = identifier === null ? null : await findLivingCustomer(ctx, identifier);
  if (existing !== null) return { ...existing, isNew: false };
  const now = ctx.clock.now();
  const seq = await nextSeq(ctx);
  const customer = await ctx.db.customer.create({
    data: { id: newId('cus'), seq, ...newCustomer(input, identifier, now) },
  });
  await recordEvents(ctx, [customerEvent('customer.created', customer, now)]);
  return { ...customer, isNew: true };
}
