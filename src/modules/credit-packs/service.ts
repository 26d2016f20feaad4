import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { lockCreditPackRow } from '../../infra/locks.ts';
import type { Row } from '../../infra/rows.ts';
import { isUniqueViolation } from '../../infra/unique.ts';

export type CreditPackRow = Row<'CreditPack'>;

/**
 * Locks the credit pack until the transaction ends and answers it as it then is, so that a change and a deletion cannot overtake each other.
 * Throws `credit_pack_not_found` for an unknown and for a deleted one; an inactive one is found.
 */
export async function requireLockedCreditPack(context: Context, id: string): Promise<CreditPackRow> {
  await lockCreditPackRow(context.sql, id);
  const pack = await context.db.creditPack.findFirst({ where: { id, deletedAt: null } });
  if (pack === null) throw new QuittanceError('credit_pack_not_found', 'No such credit pack.', { param: 'id' });
  return pack;
}

/** The refusal for a name that another living credit pack has, active or not (CAT-46). */
export const nameTaken = (): QuittanceError => new QuittanceError('duplicate', 'Another credit pack has this name.', { param: 'name' });

/** Turns the database's word that the name was taken meanwhile into its refusal; other errors are answered as they are. */
export const asNameTaken = (error: unknown): unknown => (isUniqueViolation(error) ? nameTaken() : error);
