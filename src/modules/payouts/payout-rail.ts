// A payout at the rail: what the rail is told of it, and what its answers do (PAY-37).
import { type Context, inTransaction } from '../../context.ts';
import type { PayoutAnswer } from '../../domain/payout.ts';
import { payoutAnswered, questionOf, type RailRequestRow } from '../../domain/rail-request.ts';
import { lockPayoutAccount } from '../../engine/merchant.ts';
import type { BankRail, PayoutOrder } from '../../gateway/bank-rail.ts';
import { loadExistingRow } from '../../graphql/loaders.ts';
import { lockPayout } from '../../infra/payout-rows.ts';
import { lockRequest, updateRequests } from '../../infra/rail-rows.ts';
import { moveLocked } from './move.ts';
import { payoutCurrency } from './service.ts';

/** The order as the rail gets it, with the numbers of the bank account opened. */
async function orderOf(ctx: Context, id: string): Promise<PayoutOrder> {
  const { bankAccountId, amountMinor, description, providerTransferId } = await loadExistingRow(ctx, 'Payout', id);
  if (bankAccountId === null) throw new Error(`The payout ${id} goes to no bank account.`);
  const account = await loadExistingRow(ctx, 'PayoutBankAccount', bankAccountId);
  const { decrypt } = ctx.app.secrets;
  return {
    id,
    transferId: providerTransferId,
    amountMinor: amountMinor.toString(),
    currency: payoutCurrency,
    description,
    bankAccount: {
      id: account.id,
      holderName: account.holderName,
      number: decrypt(account.sealedNumber),
      routingNumber: account.sealedRoutingNumber === null ? null : decrypt(account.sealedRoutingNumber),
      country: account.country,
      currency: account.currency,
      accountType: account.accountType,
    },
  };
}

/** Takes an answer in: the payout moves on, the request ends with a final one, and what cannot be true is kept and logged. */
const take = (ctx: Context, id: string, answer: PayoutAnswer): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    await lockPayoutAccount(tx);
    const [payout, request] = [await lockPayout(tx.sql, id), await lockRequest(tx.sql, id)];
    if (payout === null || request === null) throw new Error(`The payout ${id} was never asked for.`);
    const { request: next, moved } = payoutAnswered(payout.status, request, answer, tx.wall.now());
    if (next !== request) await updateRequests(tx.sql, [next]);
    if (next.contradiction?.status !== request.contradiction?.status) {
      tx.log.error(
        { payout: id, status: payout.status, contradiction: next.contradiction },
        'The rail contradicts what was recorded of a payout.',
      );
    }
    if (moved === null) return;
    const failure = moved.status === 'failed' ? { failureCode: moved.code, failureMessage: moved.message } : {};
    await moveLocked(tx, payout, { id, status: moved.status, ...failure }, tx.clock.now());
  });

/** Asks the rail about a payout, and takes its answer in. What it has never heard of is made, under the same id. */
export async function askAboutPayout(ctx: Context, { payouts }: BankRail, request: RailRequestRow): Promise<void> {
  const { id } = request;
  const environmentId = ctx.environment.id;
  const question = questionOf(request);
  if (question === 'withdraw') return take(ctx, id, await payouts.withdraw(id, environmentId));
  const known = question === 'inquire' ? await payouts.inquire(id, environmentId) : null;
  await take(ctx, id, known ?? (await payouts.make(await orderOf(ctx, id), environmentId)));
}
