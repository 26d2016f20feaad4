import { QuittanceError, specificError } from '../../../domain/errors/errors.ts';
import { lockRow } from '../../../platform/db/locks.ts';
import type { Row } from '../../../platform/db/rows.ts';
import { isUniqueViolation } from '../../../platform/db/unique.ts';
import type { Context } from '../../../request/context.ts';

export type CreditPackRow = Row<'CreditPack'>;

/**
 * Locks the credit pack until the transaction ends and returns its current state, active or inactive. The lock serializes changes and
 * deletions. Throws `credit_pack_not_found` if the pack doesn't exist or was deleted.
 */
export async function requireLockedCreditPack(ctx: Context, id: string): Promise<CreditPackRow> {
  await lockRow(ctx.sql, 'CreditPack', id);
  const pack = await ctx.db.creditPack.findFirst({ where: { id, deletedAt: null } });
  if (pack === null) throw new QuittanceError('credit_pack_not_found', { param: 'id' });
  return pack;
}

/** Error for a name that another credit pack, active or inactive, already has (CAT-46). */
const nameTaken = (): QuittanceError => specificError('duplicate', 'credit_pack_name', { param: 'name' });

/** Converts a unique violation on the name to `duplicate`. Returns other errors unchanged. */
export const asNameTaken = (error: unknown): unknown => (isUniqueViolation(error) ? nameTaken() : error);

/** Throws `duplicate` if another credit pack has the name. */
export async function rejectTaken(ctx: Context, name: string, ownId: string | null): Promise<void> {
  const others = await ctx.db.creditPack.findMany({ where: { name, deletedAt: null } });
  if (others.some((pack) => pack.id !== ownId)) throw nameTaken();
}
