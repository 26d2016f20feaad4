import type { Context, TransactionContext } from '../../context.ts';
import {
  newProviderRequest,
  type ProviderRequestRow,
  type ProviderRequestSubject,
  questionOf,
  withdrawn,
} from '../../domain/provider-request.ts';
import { lockPayoutAccount } from '../../engine/merchant.ts';
import type { AccountRow } from '../../engine/payout-store.ts';
import { wakeEnvironment, workTopic } from '../../platform/queue/lease.ts';
import type { PlatformProcessorResource } from '../../providers/payout-provider.ts';
import { inTransaction } from '../../transaction.ts';
import { insertRequest, lockRequest, updateRequests } from './store.ts';

/** Has the worker ask the provider as soon as the transaction is committed. Its statement locks the environment's lease: nothing should follow. */
async function askSoon({ transaction, environment, app, wall }: TransactionContext): Promise<void> {
  await wakeEnvironment(transaction.query, environment.id, wall.now());
  transaction.afterCommit(() => app.pubsub.hint(workTopic(environment.id)));
}

/** Writes down that the provider is to be asked for a payout or a verification, in the transaction that makes it (PAY-37, PAY-38). */
export async function requestOfPlatformProcessor(
  tx: TransactionContext,
  subject: ProviderRequestSubject,
  id: string,
): Promise<void> {
  await insertRequest(tx.sql, newProviderRequest(subject, id, tx.wall.now()));
  await askSoon(tx);
}

/** Has the provider take a request back. The request is locked. */
export async function takeBackAtPlatformProcessor(
  tx: TransactionContext,
  request: ProviderRequestRow,
): Promise<void> {
  await updateRequests(tx.sql, [withdrawn(request, tx.wall.now())]);
  await askSoon(tx);
}

/** Has the provider make what was never asked for, else inquires about it. What the provider has never heard of is made, under the same id. */
export async function makeOrInquire<Order, Answer>(
  ctx: Context,
  { make, inquire }: Pick<PlatformProcessorResource<Order, Answer>, 'make' | 'inquire'>,
  request: ProviderRequestRow,
  orderOf: () => Promise<Order>,
): Promise<Answer> {
  const environmentId = ctx.environment.id;
  const known = questionOf(request) === 'make' ? null : await inquire(request.id, environmentId);
  return known ?? (await make(await orderOf(), environmentId));
}

/**
 * Takes an answer in, with account and request locked: `decide` does what it leads to and answers the request as it is at that time. A contradiction that
 * is new is logged.
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
    if (request === null) throw new Error(`The provider was never to be asked for ${id}.`);
    const next = await decide(tx, request, account);
    if (next !== request) await updateRequests(tx.sql, [next]);
    if (next.contradiction?.status === request.contradiction?.status) return;
    tx.log.error(
      { request: id, contradiction: next.contradiction },
      'The provider contradicts what was recorded.',
    );
  });
