import type { Context } from '../../context.ts';
import { specificError } from '../../domain/errors.ts';
import { utcMidnight } from '../../domain/period.ts';
import {
  answered,
  CommittedRejectionError,
  executeAnswered,
  executeOne,
  takeBack,
} from '../../engine/execute.ts';
import { loadExistingRow } from '../../graphql/loaders.ts';
import { authenticateCard, awaitedAttempt, executeByCard } from '../checkout/authenticate-card.ts';
import type { TypedMethod } from '../checkout/store-method.ts';
import { reactivateSubscription } from '../recovery-links/reactivate.ts';
import { requireSubscription, type SubscriptionRow } from '../subscriptions/store.ts';
import { requireShownSubscription, returnRetry, takeRetry } from './store.ts';

/** How often a customer may start a payment on one UTC date of the business clock (BIL-47). */
const retriesPerDay = 3;

/** A card as its customer gives it in the portal: typed in, or as the page got it from Stripe. */
export type ProvidedCard = Pick<TypedMethod, 'card' | 'paymentMethod'>;

/** Whether a card was given. */
export const isProvided = ({ card, paymentMethod }: ProvidedCard): boolean =>
  card != null || paymentMethod != null;

/** The subscription the caller is shown. Throws `subscription_not_found`. */
export const shownSubscription = async (ctx: Context): Promise<SubscriptionRow> =>
  requireSubscription(ctx, await requireShownSubscription(ctx));

/** Reads a subscription again after something was done to it. */
export function reread(ctx: Context, id: string): Promise<SubscriptionRow> {
  ctx.forget();
  return requireSubscription(ctx, id);
}

/**
 * Stores a card in place of the one the caller's subscription is charged by; nothing is charged (SUB-36). Answers whether it is stored: one that
 * wants authentication waits for its holder. Throws `validation_error` for the card, `provider_unsupported` for one meant for another connection, `charge_failed` when it is declined, `invalid_subscription_status` and
 * `charge_in_progress`.
 */
export async function storeCard(
  ctx: Context,
  subscription: SubscriptionRow,
  provided: ProvidedCard,
): Promise<boolean> {
  const about = { kind: 'method.update', subscriptionId: subscription.id } as const;
  const { status } = await executeByCard(ctx, subscription, provided, (method, abandoned) => ({
    ...about,
    method,
    abandoned,
  }));
  return status !== 'requires_action';
}

/**
 * Charges the caller's subscription from now on by a method the customer has stored. Throws `payment_method_not_found`,
 * `invalid_subscription_status` and `charge_in_progress`.
 */
export async function chooseMethod(ctx: Context, paymentMethodId: string): Promise<SubscriptionRow> {
  const { id: subscriptionId, customerId } = await shownSubscription(ctx);
  await executeOne(ctx, customerId, { kind: 'method.choose', subscriptionId, paymentMethodId });
  return reread(ctx, subscriptionId);
}

/** Ends the authentication a card typed in at the caller's portal waits for. Throws what `authenticateCard` throws. */
export async function authenticateShown(ctx: Context, succeed: boolean): Promise<SubscriptionRow> {
  const { id } = await shownSubscription(ctx);
  await authenticateCard(ctx, { subscriptionId: id, succeed, purposes: ['storing', 'paying'] });
  return reread(ctx, id);
}

/**
 * Does something that tries to collect from a customer, and counts it. Throws `rate_limited`, and does nothing, after three tries on one day
 * (BIL-47). What is rejected without a try does not count; a request that is made again was counted before.
 */
async function countedTry(ctx: Context, customerId: string, work: () => Promise<void>): Promise<void> {
  if (ctx.resumeLog?.left != null) return work();
  const date = utcMidnight(ctx.clock.now());
  if (!(await takeRetry(ctx.sql, customerId, date, retriesPerDay))) {
    throw specificError('rate_limited', 'payments_per_day', { values: { retriesPerDay } });
  }
  await work().catch(async (error: unknown) => {
    if (!(error instanceof CommittedRejectionError)) await returnRetry(ctx.sql, customerId, date);
    throw error;
  });
}

/** The invoice a subscription owes. Throws `invalid_subscription_status` unless it is past due. */
export function requireOwed({ status, dunningInvoiceId }: SubscriptionRow): string {
  if (status === 'past_due' && dunningInvoiceId !== null) return dunningInvoiceId;
  throw specificError('invalid_subscription_status', 'nothing_owed');
}

/** Tries the stored card, an authentication of another one that was left open being taken back; where it was passed meanwhile, that has paid. */
async function retryByStored(ctx: Context, subscription: SubscriptionRow): Promise<void> {
  const awaited = ctx.resumeLog?.left == null ? awaitedAttempt(subscription) : null;
  const { instead } = await takeBack(ctx, awaited?.cardFor === 'paying' ? awaited.attemptId : null);
  if (instead !== null) answered(instead);
  else
    await executeAnswered(ctx, subscription.customerId, {
      kind: 'subscription.retry',
      subscriptionId: subscription.id,
    });
}

/**
 * Tries to collect what the caller's subscription owes, by the stored card or by another, which becomes that of the subscription once it has
 * paid; one that wants authentication waits for its holder. A decline throws `charge_failed` and uses up no dunning slot (BIL-42). Throws `invalid_subscription_status` unless it is past due,
 * `rate_limited` after three tries on one day (BIL-47) or ten within an hour (BIL-42), `no_payment_method`, `validation_error` for the card and `charge_in_progress`; what
 * was rejected without a try does not count.
 */
export async function retryPayment(ctx: Context, provided: ProvidedCard): Promise<SubscriptionRow> {
  const subscription = await shownSubscription(ctx);
  const { id, customerId } = subscription;
  const rest = { kind: 'recovery.pay', subscriptionId: id, invoiceId: requireOwed(subscription) } as const;
  await countedTry(ctx, customerId, async () => {
    if (isProvided(provided))
      await executeByCard(ctx, subscription, provided, (method, abandoned) => ({
        ...rest,
        method,
        abandoned,
      }));
    else await retryByStored(ctx, subscription);
  });
  return reread(ctx, id);
}

/**
 * Starts the caller's canceled subscription again by the stored method (SUB-31). Throws `invalid_subscription_status` for one that is not
 * canceled, `plan_unavailable` for a plan that is hidden or gone, and `charge_failed` and `no_payment_method` with `details.recoveryUrl`.
 */
export async function reactivateShown(ctx: Context): Promise<SubscriptionRow> {
  const subscription = await shownSubscription(ctx);
  await requireRestartable(ctx, subscription);
  await reactivateSubscription(ctx, { id: subscription.id });
  return reread(ctx, subscription.id);
}

/** Throws `invalid_subscription_status` for a subscription that is not canceled, and `plan_unavailable` for a plan that is hidden. */
export async function requireRestartable(ctx: Context, { status, planId }: SubscriptionRow): Promise<void> {
  if (status !== 'canceled') throw specificError('invalid_subscription_status', 'not_over');
  const { isPublic } = await loadExistingRow(ctx, 'Plan', planId);
  if (!isPublic) throw specificError('plan_unavailable', 'own_plan_gone');
}
