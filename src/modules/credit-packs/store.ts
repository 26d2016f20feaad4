import type { Context } from '../../context.ts';
import { QuittanceError, specificError } from '../../domain/errors.ts';
import { lockRow } from '../../platform/db/locks.ts';
import type { Row } from '../../platform/db/rows.ts';
import { isUniqueViolation } from '../../platform/db/unique.ts';

export type CreditPackRow = Row<'CreditPack'>;

/**
 * Locks the credit pack until the transaction ends and answers it as it is at that time, so that a change and a deletion cannot overtake each other.
 * Throws `credit_pack_not_found` for an unknown and for a deleted one; an inactive one is found.
 */
export async function requireLockedCreditPack(ctx: Context, id: string): Promise<CreditPackRow> {
  await lockRow(ctx.sql, 'CreditPack', id);
  const pack = await ctx.db.creditPack.findFirst({ where: { id, deletedAt: null } });
  if (pack === null) throw new QuittanceError('credit_pack_not_found', { param: 'id' });
  return pack;
}

/** The rejection for a name that another living credit pack has, active or not (CAT-46). */
export const nameTaken = (): QuittanceError =>
  specificError('duplicate', 'credit_pack_name', { param: 'name' });

/** Turns the database's word that the name was taken meanwhile into its rejection; other errors are answered as they are. */
export const asNameTaken = (error: unknown): unknown => (isUniqueViolation(error) ? nameTaken() : error);

/** Throws `duplicate` when another living credit pack has the name. */
export async function rejectTaken(ctx: Context, name: string, ownId: string | null): Promise<void> {
  const others = await ctx.db.creditPack.findMany({ where: { name, deletedAt: null } });
  if (others.some((pack) => pack.id !== ownId)) throw nameTaken();
}
