import type { Context } from '../context.ts';
import { QuittanceError, type Rejection, specificError } from '../domain/errors.ts';
import { type CommandResult, hasChanges } from '../domain/subscription/state/aggregate.ts';
import { inTransaction } from '../transaction.ts';
import { findAttempt } from './attempts.ts';
import { type CommandInput, type CommandOutcome, type CustomerCommand, commit } from './commit.ts';
import { previewCommand } from './preview.ts';
import { resume, settle } from './settle.ts';

export type { CommandInput, CommandOutcome, CustomerCommand } from './commit.ts';
export { commandAt } from './commit.ts';

/**
 * A rejection whose changes must be kept. Thrown after their commit; where a caller holds a transaction open around the
 * engine, it must commit that transaction before it lets the error go on.
 */
export class CommittedRejectionError extends QuittanceError {}

/**
 * Loads the customers, executes what is due for them, decides their orders, charges and applies, in one transaction and a handful of
 * statements whatever their number. Remote providers are called after the commit, and their answers are executed as further orders. Returns the outcomes in the order given;
 * rejections are answered, not thrown. A customer may be named once. Throws OutsideCallError when remote providers are to be called inside a
 * caller's transaction.
 */
export async function execute(ctx: Context, commands: readonly CustomerCommand[]): Promise<CommandOutcome[]> {
  if (new Set(commands.map(({ customerId }) => customerId)).size !== commands.length)
    throw new Error('A customer may be named once per execution.');
  for (;;) {
    const done = await commit(ctx, commands);
    if ('late' in done) {
      await settle(ctx, done.late, 'charge');
      continue;
    }
    const outcomes: CommandOutcome[] = [];
    for (const { outcome, hasChanges: isWritten, attempts } of done) {
      outcomes.push((await settle(ctx, attempts, 'charge')) ?? { outcome, hasChanges: isWritten });
    }
    return outcomes;
  }
}

function rejectionOf(rejection: Rejection, isKept: boolean): QuittanceError {
  return isKept ? new CommittedRejectionError(rejection) : new QuittanceError(rejection);
}

/**
 * Throws what a command would be rejected with if it were given now; writes nothing. A rejection that leaves something behind is met only by
 * giving the order.
 */
export async function requireAcceptable(ctx: Context, command: CustomerCommand): Promise<void> {
  const simulated = await inTransaction(ctx, (tx) => previewCommand(tx, command));
  if (simulated === null) return;
  const { outcome, changes } = simulated.settled;
  if (outcome.kind === 'rejection' && !hasChanges(changes)) throw rejectionOf(outcome, false);
}

/** What a command achieved. Throws its rejection. */
function resultOf(done: CommandOutcome | null | undefined): CommandResult {
  if (done == null) throw new Error('A command has no outcome.');
  const { outcome } = done;
  if (outcome.kind === 'rejection') throw rejectionOf(outcome, done.hasChanges);
  if (outcome.kind === 'park') throw new Error('Only deadlines can be parked.');
  return outcome;
}

/** How that ended which an earlier execution of the same request left under way; null where none did. Throws what `executeOne` throws. */
export async function resumeOne(ctx: Context): Promise<CommandResult | null> {
  const left = ctx.resumeLog?.left ?? null;
  return left === null ? null : resultOf(await resume(ctx, left));
}

/**
 * Executes one order and answers what it achieved. Throws the rejection once its changes are committed: as a
 * CommittedRejectionError when there are any, as a plain QuittanceError when nothing was written. In a request that is made again after it left
 * something under way, the order is that one, and only its end is waited for.
 */
export async function executeOne(
  ctx: Context,
  customerId: string,
  input: CommandInput,
): Promise<CommandResult> {
  const result = (await resumeOne(ctx)) ?? resultOf((await execute(ctx, [{ customerId, input }]))[0]);
  ctx.resumeLog?.next();
  return result;
}

/** What a command achieved, once the gateway it asked has spoken. Throws `charge_in_progress` while it has not (BIL-32). */
export function answered(done: CommandResult): CommandResult {
  const { status } = done;
  if (status !== 'unanswered' && status !== 'charging') return done;
  throw specificError('charge_in_progress', 'provider_silent');
}

/** Executes one order and answers what it achieved. Throws what `executeOne` throws, and `charge_in_progress` while a provider has not answered. */
export const executeAnswered = async (
  ctx: Context,
  customerId: string,
  input: CommandInput,
): Promise<CommandResult> => answered(await executeOne(ctx, customerId, input));

/**
 * Asks the gateway about an attempt that waits for its payer: what has become of it, or to take it back. Answers what that achieved and
 * throws what `executeOne` throws; null for an attempt that was not made over a network.
 */
export async function settleOne(
  ctx: Context,
  attemptId: string,
  question: 'inquire' | 'cancel',
): Promise<CommandResult | null> {
  const attempt = await findAttempt(ctx, attemptId);
  return attempt === null ? null : resultOf(await settle(ctx, [attempt], question));
}

/** An attempt that was given up, so that only another can take money, or how things stand because it could not be. */
export type TakenBack = { readonly abandoned: string | null; readonly instead: CommandResult | null };

/**
 * Takes back the attempt whose payer was to authenticate, where it was made over a network; null when none waits. A caller that continues names what was
 * given up, since another may have begun to wait meanwhile. It may be too late, and the processor may not answer.
 */
export async function takeBack(ctx: Context, attemptId: string | null): Promise<TakenBack> {
  if (attemptId === null) return { abandoned: null, instead: null };
  try {
    const instead = await settleOne(ctx, attemptId, 'cancel');
    // Nothing changes where it was given up before, by someone else.
    return instead === null || instead.status === 'unchanged'
      ? { abandoned: attemptId, instead: null }
      : { abandoned: null, instead };
  } catch (error) {
    const isDeclined =
      error instanceof CommittedRejectionError &&
      (error.code === 'charge_failed' || error.code === 'payment_failed');
    if (isDeclined) return { abandoned: attemptId, instead: null };
    throw error;
  }
}
