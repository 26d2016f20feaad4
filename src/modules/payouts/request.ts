import type { Context } from '../../context.ts';
import { QuittanceError, specificError } from '../../domain/errors.ts';
import { businessDay, payoutRejection, sandboxSteps } from '../../domain/payout.ts';
import { lockPayoutAccount, moveFunds, readBalance, wakeForFunds } from '../../engine/merchant.ts';
import { newId } from '../../platform/ids.ts';
import { inTransaction, nextSeq, recordEvents } from '../../transaction.ts';
import { defaultBankAccount, demandLive } from '../bank-accounts/store.ts';
import { requestOfPlatformProcessor } from '../provider-requests/request.ts';
import { type PayoutRow, payoutEvent } from './store.ts';

/** How much to pay out, US cents from 1 000 on, and what to call it. */
export type RequestPayoutInput = {
  readonly amount: number;
  readonly description?: string | null | undefined;
};

/**
 * Sends available funds to the default bank account (PAY-36): the amount leaves the available balance at once, and there is no fee. Requests
 * of one environment come one after another, so that they never take more than there is. The provider is asked for it after the commit. Throws
 * `payouts_not_available_in_sandbox`, `forbidden` before the organization is verified or without a bank account that can be paid to, and
 * `insufficient_balance`.
 */
export async function requestPayout(ctx: Context, input: RequestPayoutInput): Promise<PayoutRow> {
  demandLive(ctx);
  return inTransaction(ctx, async (tx) => {
    const { status } = await lockPayoutAccount(tx);
    if (status !== 'verified') throw specificError('forbidden', 'payout_account_unverified');
    const bank = await defaultBankAccount(tx);
    if (bank === null) throw specificError('forbidden', 'bank_account_missing');
    if (bank.status === 'errored') throw specificError('forbidden', 'bank_account_rejected');
    const payout = await takeOut(tx, input, null);
    await requestOfPlatformProcessor(tx, 'payout', payout.id);
    return payout;
  });
}

/** The same for a sandbox, where nothing has to be verified and the test clock moves the payout on (PAY-37). */
export const simulatePayout = (ctx: Context, input: RequestPayoutInput): Promise<PayoutRow> =>
  inTransaction(ctx, async (tx) => {
    await lockPayoutAccount(tx);
    const payout = await takeOut(tx, input, businessDay(tx.clock.now(), sandboxSteps.in_transit));
    await wakeForFunds(tx, payout.nextStepAt);
    return payout;
  });

/** Takes the amount out of what is available; the payout account is locked. */
async function takeOut(
  tx: Context,
  { amount, description }: RequestPayoutInput,
  nextStepAt: Date | null,
): Promise<PayoutRow> {
  const amountMinor = BigInt(amount);
  const rejection = payoutRejection(amountMinor, (await readBalance(tx)).availableMinor);
  if (rejection !== null) throw new QuittanceError({ ...rejection, details: undefined });
  const bank = await defaultBankAccount(tx);
  const now = tx.clock.now();
  await moveFunds(tx, 'payout.requested', amountMinor, now);
  const about = {
    amountMinor,
    feeMinor: 0n,
    description: description ?? null,
    bankAccountId: bank?.id ?? null,
  };
  const none = { failureCode: null, failureMessage: null };
  const payout = await tx.db.payout.create({
    data: {
      id: newId('po'),
      seq: await nextSeq(tx),
      status: 'pending',
      ...about,
      ...none,
      providerTransferId: newId('tr'),
      nextStepAt,
      createdAt: now,
      updatedAt: now,
    },
  });
  await recordEvents(tx, [payoutEvent('payout.created', payout, bank)]);
  return payout;
}
