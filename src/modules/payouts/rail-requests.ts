import type { Context } from '../../context.ts';
import { newRailRequest, questionOf, type RailRequestRow, type RailSubject, withdrawn } from '../../domain/rail-request.ts';
import { lockPayoutAccount } from '../../engine/merchant.ts';
import type { RailResource } from '../../gateway/bank-rail.ts';
import { wakeEnvironment, workTopic } from '../../infra/lease.ts';
import type { AccountRow } from '../../infra/payout-rows.ts';
import { insertRequest, lockRequest, updateRequests } from '../../infra/rail-rows.ts';
import { inTransaction } from '../../transaction.ts';

/** Has the worker ask the rail as soon as the transaction is committed. Its statement locks the environment's lease: nothing should follow. */
async function askSoon({ transaction, environment, app, wall }: Context): Promise<void> {
  if (transaction === null) throw new Error('The rail is asked about what a transaction writes down.');
  await wakeEnvironment(transaction.query, environment.id, wall.now());
  transaction.afterCommit(() => app.pubsub.hint(workTopic));
}

/** Writes down that the rail is to be asked for a payout or a verification, in the transaction that makes it (PAY-37, PAY-38). */
export async function requestOfRail(tx: Context, subject: RailSubject, id: string): Promise<void> {
  await insertRequest(tx.sql, newRailRequest(subject, id, tx.wall.now()));
  await askSoon(tx);
}

/** Has the rail take a request back. The request is locked. */
export async function takeBackAtRail(tx: Context, request: RailRequestRow): Promise<void> {
  await updateRequests(tx.sql, [withdrawn(request, tx.wall.now())]);
  await askSoon(tx);
}

/** Has the rail make what was never asked for, else inquires about it. What the rail has never heard of is made, under the same id. */
export async function makeOrInquire<Order, Answer>(
  ctx: Context,
  { make, inquire }: Pick<RailResource<Order, Answer>, 'make' | 'inquire'>,
  request: RailRequestRow,
  orderOf: () => Promise<Order>,
): Promise<Answer> {
  const environmentId = ctx.environment.id;
  const known = questionOf(request) === 'make' ? null : await inquire(request.id, environmentId);
  return known ?? (await make(await orderOf(), environmentId));
}

/**
 * Takes an answer in, with account and request locked: `decide` does what it leads to and answers the request as it then is. A contradiction that
 * is new is logged.
 */
export const takeAnswer = (
  ctx: Context,
  id: string,
  decide: (tx: Context, request: RailRequestRow, account: AccountRow) => Promise<RailRequestRow>,
): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    const account = await lockPayoutAccount(tx);
    const request = await lockRequest(tx.sql, id);
    if (request === null) throw new Error(`The rail was never to be asked for ${id}.`);
    const next = await decide(tx, request, account);
    if (next !== request) await updateRequests(tx.sql, [next]);
    if (next.contradiction?.status === request.contradiction?.status) return;
    tx.log.error({ request: id, contradiction: next.contradiction }, 'The rail contradicts what was recorded.');
  });
