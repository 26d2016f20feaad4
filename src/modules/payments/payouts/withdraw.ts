import { ended } from '../../../domain/payments/provider-request.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { takeBackAtPlatformProcessor } from '../../organization/provider-requests/request.ts';
import { lockRequest, updateRequests } from '../../organization/provider-requests/store.ts';
import { lockMovable, moveLocked } from './move.ts';
import type { PayoutRow } from './store.ts';

/**
 * Cancels a payout that hasn't been sent to the bank (PAY-37). If the provider wasn't called yet, the payout is canceled immediately and
 * the provider is never called. Otherwise, requests the cancellation from the provider; the payout doesn't change until the provider
 * responds. Repeated calls have no effect. Throws `not_found`, and `validation_error` on `id` if the payout is in transit or final.
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
