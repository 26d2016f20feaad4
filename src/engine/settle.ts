import type { ChargeResult } from '../domain/payments/provider.ts';
import { type AttemptRow, waitsForPayer } from '../domain/subscription/payments/charge-attempt.ts';
import type { RemoteGateway } from '../providers/provider.ts';
import type { Context } from '../request/context.ts';
import { inTransaction } from '../request/transaction.ts';
import { findAttempt, postpone } from './attempts.ts';
import {
  type CommandOutcome,
  type Committed,
  type CustomerCommand,
  commit,
  OutsideCallError,
} from './commit.ts';

/**
 * Request to a provider about an attempt. `inquire` also charges the attempt if the provider has no record of
 * it.
 */
export type ProviderCall = 'charge' | 'inquire' | 'cancel';

/** Attempt with the result from the provider. */
export type Answer = { readonly attempt: AttemptRow; readonly result: ChargeResult };

const unknown: ChargeResult = { status: 'unknown' };

function remoteOf(ctx: Context, { request }: AttemptRow): RemoteGateway {
  const gateway = ctx.app.gateways.gatewayOf(request.provider, ctx.livemode);
  if (gateway.local) throw new Error(`The gateway of ${request.provider} is not reached over a network.`);
  return gateway;
}

/**
 * Sends an attempt to its provider. Throws only `OutsideCallError`, if a transaction is open. If the provider has no
 * record of the attempt, because the request was lost or never sent, charges the attempt under the same ID. The
 * charge is therefore idempotent.
 */
export async function callGateway(
  ctx: Context,
  attempt: AttemptRow,
  question: ProviderCall,
): Promise<ChargeResult> {
  const { environment, transaction } = ctx;
  if (transaction !== null) throw new OutsideCallError();
  try {
    const gateway = remoteOf(ctx, attempt);
    if (question === 'cancel') return await gateway.cancel(attempt.request, environment.id);
    const known = question === 'inquire' ? await gateway.inquire(attempt.request, environment.id) : null;
    return known ?? (await gateway.charge(attempt.request, environment.id));
  } catch (error) {
    ctx.log.error({ err: error, attempt: attempt.id }, 'The gateway could not be called.');
    return unknown;
  }
}

/**
 * Returns the secret that the payer's page needs to start the authentication for an attempt. `null` if no
 * authentication is needed or the provider can't be reached.
 */
export async function payerSecret(ctx: Context, attemptId: string): Promise<string | null> {
  const attempt = await findAttempt(ctx, attemptId);
  if (attempt === null) return null;
  try {
    return (await remoteOf(ctx, attempt).payerSecret?.(attempt.request, ctx.environment.id)) ?? null;
  } catch (error) {
    ctx.log.warn({ err: error, attempt: attempt.id }, 'The gateway could not be called.');
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

/**
 * Returns true if the provider requests authentication while no payer is present. The attempt is recorded as
 * declined and must not be charged later.
 */
const isAbandoned = ({ result }: Answer, done: Committed | undefined): boolean =>
  result.status === 'requires_action' && done !== undefined && !waitsForPayer(done.outcome);

/** Executes commands that apply charge results. These commands never wait for other charges. */
async function commitAnswers(ctx: Context, answers: readonly Answer[]): Promise<Committed[]> {
  const done = await commit(ctx, answers.map(commandOf));
  if ('late' in done) throw new Error('Charge results run before due deadlines.');
  return done;
}

/**
 * Applies the results for different customers in one transaction and returns the outcomes in order. Attempts
 * without a result stay open until their next inquiry. If a provider requests authentication while no payer
 * is present, cancels the attempt at the provider.
 */
export async function applyResults(ctx: Context, answers: readonly Answer[]): Promise<CommandOutcome[]> {
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
      { attempt: answer.attempt, result: await callGateway(ctx, answer.attempt, 'cancel') },
    ]);
  }
  const outcomes = new Map(spoken.map(({ attempt }, index) => [attempt.id, done[index]]));
  return answers.map(({ attempt }) => {
    const one = outcomes.get(attempt.id);
    // Store every result, even a result that changes nothing else.
    return one === undefined ? unanswered(attempt) : { outcome: one.outcome, hasChanges: true };
  });
}

/**
 * Sends attempts to providers one after another and applies each result. Returns the last outcome, or `null`
 * if the list is empty.
 */
export async function settle(
  ctx: Context,
  attempts: readonly AttemptRow[],
  question: ProviderCall,
): Promise<CommandOutcome | null> {
  let last: CommandOutcome | null = null;
  for (const attempt of attempts) {
    [last = null] = await applyResults(ctx, [{ attempt, result: await callGateway(ctx, attempt, question) }]);
  }
  return last;
}

/**
 * Returns the outcome of the attempts that an earlier execution of the same request left pending. Inquires at
 * the providers about attempts without a result.
 */
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
  if (last === null) throw new Error('No attempt was left pending.');
  return last;
}
