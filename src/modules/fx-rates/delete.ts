import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import type { Day } from '../../domain/metrics/range.ts';
import type { DeletedShape } from '../../graphql/deleted.ts';
import { inTransaction } from '../../transaction.ts';
import { deleteRate } from './store.ts';

/** Deletes the rate that was set for a currency and a day. Throws `not_found` when none was set. */
export const deleteFxRate = (ctx: Context, currency: string, day: Day): Promise<DeletedShape> =>
  inTransaction(ctx, async (tx) => {
    const id = await deleteRate(tx.sql, currency, day);
    if (id === null) throw new QuittanceError('not_found');
    return { id, object: 'fx_rate' };
  });
