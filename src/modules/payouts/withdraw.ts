import type { Context } from '../../context.ts';
import { ended } from '../../domain/rail-request.ts';
import { lockRequest, updateRequests } from '../../infra/rail-rows.ts';
import { inTransaction } from '../../transaction.ts';
import { lockMovable, moveLocked } from './move.ts';
import { takeBackAtRail } from './rail-requests.ts';
import type { PayoutRow } from './service.ts';

/**
 * Withdraws a payout before it is on its way (PAY-37). One the rail was never asked for is canceled at once, and the rail never will be; else
 * the rail is asked to take it back, and until it has answered the payout stays as it is. Asked for again, nothing more happens. Throws
 * `not_found`, and `validation_error` on `id` for a payout that is on its way or over.
 */
export const withdrawPayout = (context: Context, id: string): Promise<PayoutRow> =>
  inTransaction(context, async (tx) => {
    const payout = await lockMovable(tx, id, 'canceled');
    const request = await lockRequest(tx.sql, id);
    if (request === null || request.askedAt === null) {
      if (request !== null) await updateRequests(tx.sql, [ended(request, { status: 'canceled' }, tx.wall.now())]);
      return moveLocked(tx, payout, { id, status: 'canceled' }, tx.clock.now());
    }
    if (!request.isWithdrawn) await takeBackAtRail(tx, request);
    return payout;
  });
