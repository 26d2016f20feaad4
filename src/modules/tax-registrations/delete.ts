import type { Context } from '../../context.ts';
import { specificError } from '../../domain/errors.ts';
import type { DeletedShape } from '../../graphql/deleted.ts';
import { inTransaction } from '../../transaction.ts';

/** Ends a tax registration; invoices issued before keep their tax. Throws `not_found`. */
export const deleteTaxRegistration = (ctx: Context, id: string): Promise<DeletedShape> =>
  inTransaction(ctx, async (tx) => {
    const { count } = await tx.db.taxRegistration.deleteMany({ where: { id } });
    if (count === 0) throw specificError('not_found', 'tax_registration', { param: 'id' });
    return { id, object: 'tax_registration' };
  });
