// A payout at the provider: what the provider receives, and what its answers do (PAY-37).
import type { Context } from '../../context.ts';
import type { PayoutAnswer } from '../../domain/payout.ts';
import { type ProviderRequestRow, payoutAnswered, questionOf } from '../../domain/provider-request.ts';
import { lockPayout } from '../../engine/payout-store.ts';
import { loadExistingRow } from '../../graphql/loaders.ts';
import type { PayoutOrder, PayoutProvider } from '../../providers/payout-provider.ts';
import { destinationOf } from '../bank-accounts/add.ts';
import { payoutCurrency } from '../bank-accounts/store.ts';
import { makeOrInquire, takeAnswer } from '../provider-requests/request.ts';
import { moveLocked } from './move.ts';

async function orderOf(ctx: Context, id: string): Promise<PayoutOrder> {
  const { bankAccountId, amountMinor, description, providerTransferId } = await loadExistingRow(
    ctx,
    'Payout',
    id,
  );
  if (bankAccountId === null) throw new Error(`The payout ${id} goes to no bank account.`);
  return {
    id,
    transferId: providerTransferId,
    amountMinor: amountMinor.toString(),
    currency: payoutCurrency,
    description,
    bankAccount: await destinationOf(ctx, bankAccountId),
  };
}

/** Takes an answer in: the payout moves on, and the request ends with a final one. */
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

/** Asks the provider about a payout, and takes its answer in. */
export async function withSnapshotPayout(
  ctx: Context,
  { payouts }: PayoutProvider,
  request: ProviderRequestRow,
): Promise<void> {
  const { id } = request;
  const answer =
    questionOf(request) === 'withdraw'
      ? await payouts.withdraw(id, ctx.environment.id)
      : await makeOrInquire(ctx, payouts, request, () => orderOf(ctx, id));
  await take(ctx, id, answer);
}
