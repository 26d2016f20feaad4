import type { Context } from '../../context.ts';
import { ended } from '../../domain/provider-request.ts';
import { inTransaction } from '../../transaction.ts';
import { takeBackAtPlatformProcessor } from '../provider-requests/request.ts';
import { lockRequest, updateRequests } from '../provider-requests/store.ts';
import { lockMovable, moveLocked } from './move.ts';
import type { PayoutRow } from './store.ts';

/**
 * Withdraws a payout before it is on its way (PAY-37). One the provider was never asked for is canceled at once, and the provider never will be; else
 * the provider is asked to take it back, and until it has answered the payout stays as it is. Asked for again, nothing more happens. Throws
 * `not_found`, and `validation_error` on `id` for a payout that is on its way or over.
 */
export const withdrawPayout = (ctx: Context, id: string): Promise<PayoutRow> =>
  inTransaction(ctx, async (tx) => {
    const payout = await lockMovable(tx, id, 'canceled');
    const request = await lockRequest(tx.sql, id);
    if (request === null || request.requestedAt === null) {
      if (request !== null)
        await updateRequests(tx.sql, [ended(request, { status: 'canceled' }, tx.wall.now())]);
      return moveLocked(tx, payout, { id, status: 'canceled' }, tx.clock.now());
    }
    if (!request.isWithdrawn) await takeBackAtPlatformProcessor(tx, request);
    return payout;
  });
