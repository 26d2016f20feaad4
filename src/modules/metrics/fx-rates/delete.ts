import { QuittanceError } from '../../../domain/errors/errors.ts';
import type { Day } from '../../../domain/metrics/range.ts';
import type { DeletedShape } from '../../../graphql/reading/deleted.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { deleteRate } from './store.ts';

/** Deletes a manually set exchange rate. Throws `not_found` if no rate was set for the currency and day. */
export const deleteFxRate = (ctx: Context, currency: string, day: Day): Promise<DeletedShape> =>
  inTransaction(ctx, async (tx) => {
    const id = await deleteRate(tx.sql, currency, day);
    if (id === null) throw new QuittanceError('not_found');
    return { id, object: 'fx_rate' };
  });
