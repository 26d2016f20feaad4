import type { Context } from '../context.ts';
import { type AttemptRow, waitsForPayer } from '../domain/attempt.ts';
import type { ChargeResult } from '../domain/provider.ts';
import type { RemoteGateway } from '../providers/provider.ts';
import { inTransaction } from '../transaction.ts';
import { findAttempt, postpone } from './attempts.ts';
import {
  type CommandOutcome,
  type Committed,
  type CustomerCommand,
  commit,
  OutsideCallError,
} from './commit.ts';

/** What a provider is called for about an attempt: to make it, or to report its result, which makes it where the provider does not know it. */
export type Question = 'charge' | 'inquire' | 'cancel';

/** An attempt and what the gateway said about it. */
export type Answer = { readonly attempt: AttemptRow; readonly result: ChargeResult };

const unknown: ChargeResult = { status: 'unknown' };

function remoteOf(ctx: Context, { request }: AttemptRow): RemoteGateway {
  const gateway = ctx.app.gateways.gatewayOf(request.provider, ctx.livemode);
  if (gateway.local) throw new Error(`The gateway of ${request.provider} is not reached over a network.`);
  return gateway;
}

/**
 * Asks the gateway of an attempt; throws OutsideCallError inside a transaction and nothing else. An attempt it has never heard of is made under the same id, which happens once however
 * often it is asked for: the request was lost on the way, or its process ended before it could ask.
 */
export async function askGateway(
  ctx: Context,
  attempt: AttemptRow,
  question: Question,
): Promise<ChargeResult> {
  const { environment, transaction } = ctx;
  if (transaction !== null) throw new OutsideCallError();
  try {
    const gateway = remoteOf(ctx, attempt);
    if (question === 'cancel') return await gateway.cancel(attempt.request, environment.id);
    const known = question === 'inquire' ? await gateway.inquire(attempt.request, environment.id) : null;
    return known ?? (await gateway.charge(attempt.request, environment.id));
  } catch (error) {
    ctx.log.error({ err: error, attempt: attempt.id }, 'A gateway could not be asked.');
    return unknown;
  }
}

/** What the payer's page needs to authenticate an attempt; null when nothing, or while the gateway cannot be asked. */
export async function payerSecret(ctx: Context, attemptId: string): Promise<string | null> {
  const attempt = await findAttempt(ctx, attemptId);
  if (attempt === null) return null;
  try {
    return (await remoteOf(ctx, attempt).payerSecret?.(attempt.request, ctx.environment.id)) ?? null;
  } catch (error) {
    ctx.log.warn({ err: error, attempt: attempt.id }, 'A gateway could not be asked.');
    return null;
  }
}

const commandOf = ({ attempt, result }: Answer): CustomerCommand => ({
  customerId: attempt.customerId,
  input: { kind: 'charge.result', transactionId: attempt.id, result },
});

const unanswered = ({ request }: AttemptRow): CommandOutcome => ({
  outcome: {
    kind: 'ok',
    status: 'unanswered',
    subscriptionId: request.subscriptionId,
    invoiceId: request.invoiceId,
  },
  hasChanges: true,
});

/** A wish for authentication nobody waits for: it counted as a decline, and must not become a charge afterwards. */
const isAbandoned = ({ result }: Answer, done: Committed | undefined): boolean =>
  result.status === 'requires_action' && done !== undefined && !waitsForPayer(done.outcome);

/** Executes commands that are answers, for which nothing has to be waited. */
async function commitAnswers(ctx: Context, answers: readonly Answer[]): Promise<Committed[]> {
  const done = await commit(ctx, answers.map(commandOf));
  if ('late' in done) throw new Error('Answers come before whatever is due.');
  return done;
}

/**
 * Executes answers, each of another customer, in one transaction, and answers how each ended, in their order. Attempts without an answer
 * stay open until their next inquiry. What wants an authentication nobody can give is taken back at the gateway.
 */
export async function takeAnswers(ctx: Context, answers: readonly Answer[]): Promise<CommandOutcome[]> {
  const silent = answers.filter(({ result }) => result.status === 'unknown');
  const spoken = answers.filter(({ result }) => result.status !== 'unknown');
  if (silent.length > 0) {
    await inTransaction(ctx, (tx) =>
      postpone(
        tx,
        silent.map(({ attempt }) => attempt.id),
      ),
    );
  }
  const done = spoken.length === 0 ? [] : await commitAnswers(ctx, spoken);
  for (const answer of spoken.filter((one, index) => isAbandoned(one, done[index]))) {
    await commitAnswers(ctx, [
      { attempt: answer.attempt, result: await askGateway(ctx, answer.attempt, 'cancel') },
    ]);
  }
  const outcomes = new Map(spoken.map(({ attempt }, index) => [attempt.id, done[index]]));
  return answers.map(({ attempt }) => {
    const one = outcomes.get(attempt.id);
    // What an answer leads to is written, were it only the answer.
    return one === undefined ? unanswered(attempt) : { outcome: one.outcome, hasChanges: true };
  });
}

/** Asks about attempts one after another and executes each answer; answers how the last one ended, or null without attempts. */
export async function settle(
  ctx: Context,
  attempts: readonly AttemptRow[],
  question: Question,
): Promise<CommandOutcome | null> {
  let last: CommandOutcome | null = null;
  for (const attempt of attempts) {
    [last = null] = await takeAnswers(ctx, [{ attempt, result: await askGateway(ctx, attempt, question) }]);
  }
  return last;
}

/** How attempts ended that an earlier execution of the same request left under way; those still open are inquired about. */
export async function resume(ctx: Context, ids: readonly string[]): Promise<CommandOutcome> {
  let last: CommandOutcome | null = null;
  for (const id of ids) {
    const attempt = await findAttempt(ctx, id);
    if (attempt === null) throw new Error(`The attempt ${id} was never made.`);
    last =
      attempt.outcome === null
        ? await settle(ctx, [attempt], 'inquire')
        : { outcome: attempt.outcome, hasChanges: true };
  }
  if (last === null) throw new Error('Nothing was left under way.');
  return last;
}
