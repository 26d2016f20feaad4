// Handlers of Stripe webhook events. Stripe may send events twice and in any order, so each handler requests the object's current state.
import type Stripe from 'stripe';
import { findAttempt } from '../engine/attempts.ts';
import { executeOne } from '../engine/execute.ts';
import { settle } from '../engine/settle.ts';
import { isManual, type ManualRefund, takeIn } from '../modules/payments/reconciliation/take-in.ts';
import { recordedRefunds } from '../providers/stripe-records.ts';
import type { Context } from '../request/context.ts';

/** Stripe event, with the context and client that handle it. */
export type Callback = { readonly context: Context; readonly stripe: Stripe; readonly event: Stripe.Event };

/**
 * Requests the result of a payment attempt. If the result is already known, it's only requested again when the event contradicts it, for example if a
 * declined payment has moved money. The contradiction is stored.
 */
async function inquire(ctx: Context, attemptId: string, isSettled: boolean | null): Promise<void> {
  const attempt = await findAttempt(ctx, attemptId);
  if (attempt === null) return;
  const { result, contradiction } = attempt;
  const isContrary =
    isSettled !== null &&
    result !== null &&
    contradiction === null &&
    (result.status === 'settled') !== isSettled;
  if (attempt.inquireAt !== null || isContrary) await settle(ctx, [attempt], 'inquire');
}

const idOf = (object: string | { readonly id: string }): string =>
  typeof object === 'string' ? object : object.id;

/** Requests the results of a charge's pending refunds. They determine the amount that can still be refunded. */
async function inquireRefunds(ctx: Context, transactionId: string): Promise<void> {
  const refunds = await ctx.db.refund.findMany({
    where: { transactionId },
    select: { id: true, status: true },
  });
  for (const { id, status } of refunds)
    if (status === 'pending' || status === 'requires_action') await inquire(ctx, id, null);
}

/** Updates a dispute to match its state at Stripe. Throws if the charge is still pending, so that Stripe resends the event. */
async function followDispute({ context: ctx, stripe }: Callback, disputeId: string): Promise<void> {
  const { status, reason, payment_intent: intent } = await stripe.disputes.retrieve(disputeId);
  if (intent === null || status.startsWith('warning') || status === 'prevented') return;
  const { metadata } = await stripe.paymentIntents.retrieve(idOf(intent));
  const transactionId = metadata?.['attempt'];
  if (transactionId === undefined) return;
  await inquire(ctx, transactionId, null);
  await inquireRefunds(ctx, transactionId);
  const transaction = await ctx.db.transaction.findFirst({ where: { id: transactionId } });
  if (transaction === null || transaction.disputeOutcome !== null) return;
  if (transaction.status === 'pending')
    throw new Error(`The disputed charge ${transactionId} has no answer yet.`);
  const { customerId } = transaction;
  if (transaction.status !== 'disputed')
    await executeOne(ctx, customerId, { kind: 'dispute.open', transactionId, reason });
  const outcome = (['won', 'lost'] as const).find((word) => word === status);
  if (outcome !== undefined)
    await executeOne(ctx, customerId, { kind: 'dispute.resolve', transactionId, outcome });
}

async function takeInRefund(ctx: Context, refund: ManualRefund): Promise<void> {
  const { reference, refundOf, result } = refund;
  if (result.status !== 'settled') return;
  const done = await takeIn(ctx, refund);
  if (done === 'waiting') throw new Error(`The refund ${reference} waits for something under way.`);
  if (done === 'refused')
    ctx.log.warn(
      { refund: reference, transaction: refundOf },
      'A refund made manually could not be taken in.',
    );
}

/**
 * Updates a payment's refunds to match their state at Stripe. First requests the results of refunds created by Quittance, then records refunds
 * created at Stripe (PAY-26 … PAY-30). Throws if a refund can't be recorded yet, so that Stripe resends the event.
 */
async function followRefunds({ context: ctx, stripe }: Callback, paymentIntent: string): Promise<void> {
  const records = await recordedRefunds(stripe, paymentIntent, ctx.environment.id);
  const [charge] = records.flatMap(({ refundOf }) => (refundOf === null ? [] : [refundOf]));
  if (charge === undefined) return;
  await inquire(ctx, charge, null);
  await inquireRefunds(ctx, charge);
  for (const { attempt, result } of records) {
    const isOver = result.status === 'settled' || result.status === 'declined';
    if (attempt !== null && isOver) await inquire(ctx, attempt, result.status === 'settled');
  }
  for (const record of records) if (isManual(record)) await takeInRefund(ctx, record);
}

/** Returns the ID of the payment intent. `null` if the refund or charge isn't based on a payment intent. */
const paymentOf = ({ payment_intent: intent }: Stripe.Refund | Stripe.Charge): string | null =>
  intent === null ? null : idOf(intent);

/** Returns the ID of the payment attempt for a Stripe object. `null` if Quittance didn't create the object. */
function attemptOf(object: unknown, environmentId: string): string | null {
  if (typeof object !== 'object' || object === null || !('metadata' in object)) return null;
  const { metadata } = object as { metadata: Stripe.Metadata | null };
  return metadata?.['environment'] === environmentId ? (metadata['attempt'] ?? null) : null;
}

/**
 * Handles an event about a payment, setup, refund or dispute. Ignores other events. Throws if the event can't be handled yet, so that Stripe resends
 * it.
 */
export async function takeInEvent(callback: Callback): Promise<void> {
  const { context: ctx, event } = callback;
  switch (event.type) {
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_reinstated':
    case 'charge.dispute.funds_withdrawn':
      return followDispute(callback, event.data.object.id);
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.refund.updated':
    case 'charge.refunded': {
      const payment = paymentOf(event.data.object);
      return payment === null ? undefined : followRefunds(callback, payment);
    }
    default: {
      const attempt = attemptOf(event.data.object, ctx.environment.id);
      if (attempt !== null)
        await inquire(ctx, attempt, event.type === 'payment_intent.succeeded' ? true : null);
    }
  }
}
