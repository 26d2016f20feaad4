import { QuittanceError, type Rejection, specificError } from '../domain/errors/errors.ts';
import { type CommandResult, hasChanges } from '../domain/subscription/state/aggregate.ts';
import type { Context } from '../request/context.ts';
import { inTransaction } from '../request/transaction.ts';
import { findAttempt } from './attempts.ts';
import { type CommandInput, type CommandOutcome, type CustomerCommand, commit } from './commit.ts';
import { previewCommand } from './preview/preview.ts';
import { resume, settle } from './settle.ts';

export type { CommandInput, CommandOutcome, CustomerCommand } from './commit.ts';
export { commandAt } from './commit.ts';

/**
 * Error for a rejected command whose changes must be kept. Thrown after the commit. A caller with its own
 * open transaction must commit that transaction before it rethrows the error.
 */
export class CommittedRejectionError extends QuittanceError {}

/**
 * Executes commands in one transaction with a constant number of SQL statements. Loads the customers, processes their
 * due deadlines, processes the commands, makes the charges, and writes the changes. Calls remote providers after the
 * commit and applies their results with further commands. Returns the outcomes in the given order, including
 * rejections. Each customer can have only one command. Throws `OutsideCallError` if remote providers must be called
 * inside the caller's transaction.
 */
export async function execute(ctx: Context, commands: readonly CustomerCommand[]): Promise<CommandOutcome[]> {
  if (new Set(commands.map(({ customerId }) => customerId)).size !== commands.length)
    throw new Error('A customer can appear once per execution.');
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
 * Throws if the command would currently be rejected. Writes nothing. Ignores rejections that include changes;
 * these are thrown only when the command is executed.
 */
export async function requireAcceptable(ctx: Context, command: CustomerCommand): Promise<void> {
  const simulated = await inTransaction(ctx, (tx) => previewCommand(tx, command));
  if (simulated === null) return;
  const { outcome, changes } = simulated.settled;
  if (outcome.kind === 'rejection' && !hasChanges(changes)) throw rejectionOf(outcome, false);
}

/** Returns the result of a command, or throws its rejection. */
function resultOf(done: CommandOutcome | null | undefined): CommandResult {
  if (done == null) throw new Error('A command has no outcome.');
  const { outcome } = done;
  if (outcome.kind === 'rejection') throw rejectionOf(outcome, done.hasChanges);
  if (outcome.kind === 'park') throw new Error('Only deadlines can be parked.');
  return outcome;
}

/**
 * Waits for the pending charge result from an earlier execution of the same request. `null` if no result is
 * pending. Throws the same errors as `executeOne`.
 */
export async function resumeOne(ctx: Context): Promise<CommandResult | null> {
  const left = ctx.resumeLog?.left ?? null;
  return left === null ? null : resultOf(await resume(ctx, left));
}

/**
 * Executes a command and returns its result. Throws a rejection after its changes are committed:
 * `CommittedRejectionError` if there are changes, otherwise `QuittanceError`. If an earlier execution of
 * the same request has a pending result, waits for that result instead.
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

/**
 * Returns the result of a command after its charge. Throws `charge_in_progress` if the provider hasn't
 * responded (BIL-32).
 */
export function answered(done: CommandResult): CommandResult {
  const { status } = done;
  if (status !== 'unanswered' && status !== 'charging') return done;
  throw specificError('charge_in_progress', 'provider_silent');
}

/**
 * Executes a command and returns its result. Throws the same errors as `executeOne`, and
 * `charge_in_progress` if a provider hasn't responded.
 */
export const executeAnswered = async (
  ctx: Context,
  customerId: string,
  input: CommandInput,
): Promise<CommandResult> => answered(await executeOne(ctx, customerId, input));

/**
 * Inquires about an attempt that is waiting for authentication, or cancels it at the provider. Returns the
 * result, or throws the same errors as `executeOne`. `null` if the attempt wasn't made through a remote
 * provider.
 */
export async function settleOne(
  ctx: Context,
  attemptId: string,
  question: 'inquire' | 'cancel',
): Promise<CommandResult | null> {
  const attempt = await findAttempt(ctx, attemptId);
  return attempt === null ? null : resultOf(await settle(ctx, [attempt], question));
}

/**
 * ID of the canceled attempt, which can no longer be charged. If the attempt couldn't be canceled, `instead`
 * is the attempt's result.
 */
export type CanceledAuthentication = {
  readonly abandoned: string | null;
  readonly instead: CommandResult | null;
};

/**
 * Cancels an attempt that is waiting for authentication at a remote provider. Pass the ID of the canceled attempt to
 * the command that replaces it, because another attempt can start before that command runs. The cancellation can fail
 * if the payer has already paid or the provider doesn't respond.
 */
export async function cancelAuthentication(
  ctx: Context,
  attemptId: string | null,
): Promise<CanceledAuthentication> {
  if (attemptId === null) return { abandoned: null, instead: null };
  try {
    const instead = await settleOne(ctx, attemptId, 'cancel');
    // `unchanged` means that another request already canceled the attempt.
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
