import {
  newProviderRequest,
  nextActionOf,
  type ProviderRequestRow,
  type ProviderRequestSubject,
  withdrawn,
} from '../../../domain/payments/provider-request.ts';
import type { AccountRow } from '../../../engine/effects/payout-store.ts';
import { lockPayoutAccount } from '../../../engine/merchant.ts';
import { wakeEnvironment, workTopic } from '../../../platform/queue/lease.ts';
import type { PlatformProcessorResource } from '../../../providers/payout-provider.ts';
import type { Context, TransactionContext } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { insertRequest, lockRequest, updateRequests } from './store.ts';

/**
 * Schedules a provider call immediately after the commit. Call this function last in the transaction, because it locks the environment's
 * lease until the commit.
 */
async function askSoon({ transaction, environment, app, wall }: TransactionContext): Promise<void> {
  await wakeEnvironment(transaction.query, environment.id, wall.now());
  transaction.afterCommit(() => app.pubsub.hint(workTopic(environment.id)));
}

/** Records a payout or verification request in the transaction that creates its payout or verification (PAY-37, PAY-38). */
export async function requestOfPlatformProcessor(
  tx: TransactionContext,
  subject: ProviderRequestSubject,
  id: string,
): Promise<void> {
  await insertRequest(tx.sql, newProviderRequest(subject, id, tx.wall.now()));
  await askSoon(tx);
}

/** Asks the provider to cancel a request. The caller must have locked the request. */
export async function takeBackAtPlatformProcessor(
  tx: TransactionContext,
  request: ProviderRequestRow,
): Promise<void> {
  await updateRequests(tx.sql, [withdrawn(request, tx.wall.now())]);
  await askSoon(tx);
}

/**
 * Sends a new request to the provider, or inquires about a request that was already sent. If the provider doesn't know the request, the
 * request is resent with the same ID.
 */
export async function makeOrInquire<Order, Answer>(
  ctx: Context,
  { make, inquire }: Pick<PlatformProcessorResource<Order, Answer>, 'make' | 'inquire'>,
  request: ProviderRequestRow,
  orderOf: () => Promise<Order>,
): Promise<Answer> {
  const environmentId = ctx.environment.id;
  const known = nextActionOf(request) === 'make' ? null : await inquire(request.id, environmentId);
  return known ?? (await make(await orderOf(), environmentId));
}

/**
 * Applies the provider's response while the payout account and the request are locked. `decide` applies the effects and returns the updated
 * request. Logs the first response that contradicts an earlier response.
 */
export const takeAnswer = (
  ctx: Context,
  id: string,
  decide: (
    tx: TransactionContext,
    request: ProviderRequestRow,
    account: AccountRow,
  ) => Promise<ProviderRequestRow>,
): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    const account = await lockPayoutAccount(tx);
    const request = await lockRequest(tx.sql, id);
    if (request === null) throw new Error(`There is no provider request ${id}.`);
    const next = await decide(tx, request, account);
    if (next !== request) await updateRequests(tx.sql, [next]);
    if (next.contradiction?.status === request.contradiction?.status) return;
    tx.log.error(
      { request: id, contradiction: next.contradiction },
      'A response of the provider contradicts the recorded response.',
    );
  });
