import { QuittanceError, specificError } from '../../../domain/errors/errors.ts';
import { businessDay, payoutRejection, sandboxSteps } from '../../../domain/payments/payout.ts';
import { lockPayoutAccount, moveFunds, readBalance, wakeForFunds } from '../../../engine/merchant.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context, TransactionContext } from '../../../request/context.ts';
import { inTransaction, nextSeq, recordEvents } from '../../../request/transaction.ts';
import { requestOfPlatformProcessor } from '../../organization/provider-requests/request.ts';
import { defaultBankAccount, demandLive } from '../bank-accounts/store.ts';
import { type PayoutRow, payoutEvent } from './store.ts';

/** Parameters for requesting a payout. `amount` is in US cents, at least 1,000. */
export type RequestPayoutInput = {
  readonly amount: number;
  readonly description?: string | null | undefined;
};

/**
 * Requests a payout from the available balance to the default bank account (PAY-36). The amount is deducted from the available balance
 * immediately, without a fee. Concurrent requests in an environment are serialized, so that they can't exceed the balance. The provider is
 * called after the commit. Throws `payouts_not_available_in_sandbox`, `forbidden` if the organization isn't verified or has no usable bank
 * account, and `insufficient_balance`.
 */
export async function requestPayout(ctx: Context, input: RequestPayoutInput): Promise<PayoutRow> {
  demandLive(ctx);
  return inTransaction(ctx, async (tx) => {
    const { status } = await lockPayoutAccount(tx);
    if (status !== 'verified') throw specificError('forbidden', 'payout_account_unverified');
    const bank = await defaultBankAccount(tx);
    if (bank === null) throw specificError('forbidden', 'bank_account_missing');
    if (bank.status === 'errored') throw specificError('forbidden', 'bank_account_rejected');
    const payout = await deductFunds(tx, input, null);
    await requestOfPlatformProcessor(tx, 'payout', payout.id);
    return payout;
  });
}

/** Requests a payout in a sandbox. Verification isn't required, and the test clock advances the payout (PAY-37). */
export const simulatePayout = (ctx: Context, input: RequestPayoutInput): Promise<PayoutRow> =>
  inTransaction(ctx, async (tx) => {
    await lockPayoutAccount(tx);
    const payout = await deductFunds(tx, input, businessDay(tx.clock.now(), sandboxSteps.in_transit));
    await wakeForFunds(tx, payout.nextStepAt);
    return payout;
  });

/** Deducts the amount from the available balance. The caller must have locked the payout account. */
async function deductFunds(
  tx: TransactionContext,
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
  tx.effects?.noteMoney(tx, { id: payout.id, currency: 'usd', amount: amountMinor });
  await recordEvents(tx, [payoutEvent('payout.created', payout, bank)]);
  return payout;
}
