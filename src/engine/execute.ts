import type { Context } from '../context.ts';
import { QuittanceError, type Refusal } from '../domain/errors.ts';
import type { CommandResult } from '../domain/subscription/aggregate.ts';
import { inTransaction } from '../transaction.ts';
import { findAttempt } from './attempts.ts';
import { type CustomerOrder, commit, hasChanges, type Order, type OrderOutcome } from './commit.ts';
import { foreseeOrder } from './foresee.ts';
import { resume, settle } from './settle.ts';

export type { CustomerOrder, Order, OrderOutcome } from './commit.ts';

/**
 * A refusal whose changes must be kept (protocols A3). Thrown after their commit; where a caller holds a transaction open around the
 * engine, it must commit that transaction before it lets the error go on.
 */
export class KeptRefusalError extends QuittanceError {}

/**
 * Loads the customers, executes what is due for them, decides their orders, charges and applies, in one transaction and a handful of
 * statements whatever their number. Remote gateways are asked after the commit, and their answers are executed as further orders. Answers the outcomes in the order asked;
 * refusals are answered, not thrown. A customer may be named once. Throws OutsideCallError when remote gateways are to be asked inside a
 * caller's transaction.
 */
export async function execute(ctx: Context, orders: readonly CustomerOrder[]): Promise<OrderOutcome[]> {
  if (new Set(orders.map(({ customerId }) => customerId)).size !== orders.length)
    throw new Error('A customer may be named once per execution.');
  for (;;) {
    const done = await commit(ctx, orders);
    if ('late' in done) {
      await settle(ctx, done.late, 'charge');
      continue;
    }
    const outcomes: OrderOutcome[] = [];
    for (const { outcome, hasChanges, attempts } of done) {
      outcomes.push((await settle(ctx, attempts, 'charge')) ?? { outcome, hasChanges });
    }
    return outcomes;
  }
}

function refusalOf(refusal: Refusal, isKept: boolean): QuittanceError {
  const extra = { param: refusal.param, details: refusal.details };
  return isKept ? new KeptRefusalError(refusal.code, refusal.message, extra) : new QuittanceError(refusal.code, refusal.message, extra);
}

/**
 * Throws what an order would be refused with if it were given now; writes nothing. A refusal that leaves something behind is met only by
 * giving the order.
 */
export async function requireAcceptable(ctx: Context, order: CustomerOrder): Promise<void> {
  const foreseen = await inTransaction(ctx, (tx) => foreseeOrder(tx, order));
  if (foreseen === null) return;
  const { outcome, changes } = foreseen.settled;
  if (outcome.kind === 'refusal' && !hasChanges(changes)) throw refusalOf(outcome, false);
}

/** What an order achieved. Throws its refusal. */
function resultOf(done: OrderOutcome | null | undefined): CommandResult {
  if (done == null) throw new Error('An order has no outcome.');
  const { outcome } = done;
  if (outcome.kind === 'refusal') throw refusalOf(outcome, done.hasChanges);
  if (outcome.kind === 'park') throw new Error('Only deadlines can be parked.');
  return outcome;
}

/** How that ended which an earlier execution of the same request left under way; null where none did. Throws what `executeOne` throws. */
export async function resumeOne(ctx: Context): Promise<CommandResult | null> {
  const left = ctx.journal?.left ?? null;
  return left === null ? null : resultOf(await resume(ctx, left));
}

/**
 * Executes one order and answers what it achieved. Throws the refusal once its changes are committed (protocols A3): as a
 * KeptRefusalError when there are any, as a plain QuittanceError when nothing was written. In a request that is made again after it left
 * something under way, the order is that one, and only its end is waited for (protocols A4).
 */
export async function executeOne(ctx: Context, customerId: string, order: Order): Promise<CommandResult> {
  const resumed = await resumeOne(ctx);
  return resumed ?? resultOf((await execute(ctx, [{ customerId, order }]))[0]);
}

/** What an order achieved, once the gateway it asked has spoken. Throws `charge_in_progress` while it has not (BIL-32). */
export function answered(done: CommandResult): CommandResult {
  const { status } = done;
  if (status !== 'unanswered' && status !== 'charging') return done;
  throw new QuittanceError('charge_in_progress', 'The payment provider has not answered yet; the outcome is not known.');
}

/** Executes one order and answers what it achieved. Throws what `executeOne` throws, and `charge_in_progress` while a gateway has not answered. */
export const executeAnswered = async (ctx: Context, customerId: string, order: Order): Promise<CommandResult> =>
  answered(await executeOne(ctx, customerId, order));

/**
 * Asks the gateway about an attempt that waits for its payer: what has become of it, or to take it back. Answers what that achieved and
 * throws what `executeOne` throws; null for an attempt that was not made over a network.
 */
export async function settleOne(ctx: Context, attemptId: string, question: 'inquire' | 'cancel'): Promise<CommandResult | null> {
  const attempt = await findAttempt(ctx, attemptId);
  return attempt === null ? null : resultOf(await settle(ctx, [attempt], question));
}

/** An attempt that was given up, so that only another can take money, or how things stand because it could not be. */
export type TakenBack = { readonly givenUp: string | null; readonly instead: CommandResult | null };

/**
 * Takes back the attempt whose payer was to authenticate, where it was made over a network; null when none waits. Whoever goes on names what was
 * given up, since another may have begun to wait meanwhile. It may be too late, and the processor may not answer.
 */
export async function takeBack(ctx: Context, attemptId: string | null): Promise<TakenBack> {
  if (attemptId === null) return { givenUp: null, instead: null };
  try {
    const instead = await settleOne(ctx, attemptId, 'cancel');
    // Nothing changes where it was given up before, by somebody else.
    return instead === null || instead.status === 'unchanged' ? { givenUp: attemptId, instead: null } : { givenUp: null, instead };
  } catch (error) {
    const isDeclined = error instanceof KeptRefusalError && (error.code === 'charge_failed' || error.code === 'payment_failed');
    if (isDeclined) return { givenUp: attemptId, instead: null };
    throw error;
  }
}
