import type { Context } from '../../context.ts';
import { newRailRequest, type RailRequestRow, type RailSubject, withdrawn } from '../../domain/rail-request.ts';
import { wakeEnvironment, workTopic } from '../../infra/lease.ts';
import { insertRequest, updateRequests } from '../../infra/rail-rows.ts';

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
