// Sends payout requests to the payout provider and processes the responses (PAY-37).

import type { PayoutAnswer } from '../../../domain/payments/payout.ts';
import {
  nextActionOf,
  type ProviderRequestRow,
  payoutAnswered,
} from '../../../domain/payments/provider-request.ts';
import { lockPayout } from '../../../engine/effects/payout-store.ts';
import { loadExistingRow } from '../../../graphql/reading/loaders.ts';
import type { PayoutOrder, PayoutProvider } from '../../../providers/payout-provider.ts';
import type { Context } from '../../../request/context.ts';
import { makeOrInquire, takeAnswer } from '../../organization/provider-requests/request.ts';
import { destinationOf } from '../bank-accounts/add.ts';
import { payoutCurrency } from '../bank-accounts/store.ts';
import { moveLocked } from './move.ts';

async function orderOf(ctx: Context, id: string): Promise<PayoutOrder> {
  const { bankAccountId, amountMinor, description, providerTransferId } = await loadExistingRow(
    ctx,
    'Payout',
    id,
  );
  if (bankAccountId === null) throw new Error(`The payout ${id} has no bank account.`);
  return {
    id,
    transferId: providerTransferId,
    amountMinor: amountMinor.toString(),
    currency: payoutCurrency,
    description,
    bankAccount: await destinationOf(ctx, bankAccountId),
  };
}

/** Applies a response: updates the payout, and ends the request if the response is final. */
const take = (ctx: Context, id: string, answer: PayoutAnswer): Promise<void> =>
  takeAnswer(ctx, id, async (tx, request) => {
    const payout = await lockPayout(tx.sql, id);
    if (payout === null) throw new Error(`The payout ${id} is missing.`);
    const { request: next, moved } = payoutAnswered(payout.status, request, answer, tx.wall.now());
    if (moved !== null) {
      const failure =
        moved.status === 'failed' ? { failureCode: moved.code, failureMessage: moved.message } : {};
      await moveLocked(tx, payout, { id, status: moved.status, ...failure }, tx.clock.now());
    }
    return next;
  });

/**
 * Sends a payout to the provider, or requests its status if it was already sent, and applies the response.
 */
export async function withSnapshotPayout(
  ctx: Context,
  { payouts }: PayoutProvider,
  request: ProviderRequestRow,
): Promise<void> {
  const { id } = request;
  const answer =
    nextActionOf(request) === 'withdraw'
      ? await payouts.withdraw(id, ctx.environment.id)
      : await makeOrInquire(ctx, payouts, request, () => orderOf(ctx, id));
  await take(ctx, id, answer);
}
