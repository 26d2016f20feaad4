import { specificError } from '../../../domain/errors/errors.ts';
import { retryAfterOf } from '../../../domain/limits/operation-limits.ts';
import { portalRetries } from '../../../domain/limits/system-operations.ts';
import { answered, cancelAuthentication, executeAnswered, executeOne } from '../../../engine/execute.ts';
import { countedOperation } from '../../../engine/policy/counted-operation.ts';
import { loadExistingRow } from '../../../graphql/reading/loaders.ts';
import type { Context } from '../../../request/context.ts';
import { requireSubscription, type SubscriptionRow } from '../../subscriptions/subscriptions/store.ts';
import { authenticateCard, awaitedAttempt, executeByCard } from '../checkout/authenticate-card.ts';
import type { TypedMethod } from '../checkout/store-method.ts';
import { requireShownSubscription } from './store.ts';

/** Card that the customer entered in the portal, or the payment method ID that the page received from Stripe. */
export type ProvidedCard = Pick<TypedMethod, 'card' | 'paymentMethod'>;

/** True if the request contains a card or a payment method. */
export const isProvided = ({ card, paymentMethod }: ProvidedCard): boolean =>
  card != null || paymentMethod != null;

/** Returns the subscription that the caller's portal shows. Throws `subscription_not_found`. */
export const shownSubscription = async (ctx: Context): Promise<SubscriptionRow> =>
  requireSubscription(ctx, await requireShownSubscription(ctx));

/** Reloads a subscription after a change. Clears the cached rows. */
export function reread(ctx: Context, id: string): Promise<SubscriptionRow> {
  ctx.forget();
  return requireSubscription(ctx, id);
}

/**
 * Stores a card as the new payment method of the caller's subscription, without a charge (SUB-36). Returns `false` if
 * the card requires authentication and isn't stored yet. Throws `validation_error` if the card is invalid,
 * `provider_unsupported` if it belongs to another connection, `charge_failed` if it's declined,
 * `invalid_subscription_status`, and `charge_in_progress`.
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
 * Selects a stored payment method for the caller's subscription. Throws `payment_method_not_found`,
 * `invalid_subscription_status`, and `charge_in_progress`.
 */
export async function chooseMethod(ctx: Context, paymentMethodId: string): Promise<SubscriptionRow> {
  const { id: subscriptionId, customerId } = await shownSubscription(ctx);
  await executeOne(ctx, customerId, { kind: 'method.choose', subscriptionId, paymentMethodId });
  return reread(ctx, subscriptionId);
}

/**
 * Completes the pending authentication of a card that was entered in the caller's portal. Throws the same errors as
 * `authenticateCard`.
 */
export async function authenticateShown(ctx: Context, succeed: boolean): Promise<SubscriptionRow> {
  const { id } = await shownSubscription(ctx);
  await authenticateCard(ctx, { subscriptionId: id, succeed, purposes: ['storing', 'paying'] });
  return reread(ctx, id);
}

/**
 * Runs and counts a payment attempt of a customer. Throws `rate_limited` after 3 attempts on the same day (BIL-47). Requests that are
 * rejected without a payment attempt, and repeated requests, aren't counted.
 */
const countedAttempt = (ctx: Context, customerId: string, work: () => Promise<void>): Promise<void> =>
  countedOperation(ctx, { kind: 'customer', id: customerId }, [portalRetries], {
    work,
    errorOf: (rejecting) =>
      specificError('rate_limited', 'payments_per_day', {
        retryAfter: retryAfterOf(rejecting),
        values: { retriesPerDay: portalRetries.amount },
      }),
  });

/** Returns the outstanding invoice of a past-due subscription. Throws `invalid_subscription_status` if the subscription isn't past due. */
function requireOwed({ status, dunningInvoiceId }: SubscriptionRow): string {
  if (status === 'past_due' && dunningInvoiceId !== null) return dunningInvoiceId;
  throw specificError('invalid_subscription_status', 'nothing_owed');
}

/** Returns the command that charges the stored card of a past-due subscription. Throws `invalid_subscription_status`. */
export function retryCommand(subscription: SubscriptionRow) {
  requireOwed(subscription);
  return { kind: 'subscription.retry', subscriptionId: subscription.id } as const;
}

/**
 * Charges the stored card. Cancels a pending authentication of another card first. If that authentication already
 * succeeded, the other card was charged, and the stored card isn't charged.
 */
async function retryByStored(ctx: Context, subscription: SubscriptionRow): Promise<void> {
  const awaited = ctx.resumeLog?.left == null ? awaitedAttempt(subscription) : null;
  const { instead } = await cancelAuthentication(
    ctx,
    awaited?.cardFor === 'paying' ? awaited.attemptId : null,
  );
  if (instead !== null) answered(instead);
  else await executeAnswered(ctx, subscription.customerId, retryCommand(subscription));
}

/**
 * Charges the outstanding amount of the caller's subscription to the stored card or to another card, which becomes the
 * payment method after a successful payment. If the card requires authentication, the payment stays pending. If the
 * card is declined, throws `charge_failed`. A declined card doesn't count as a dunning retry (BIL-42). Throws
 * `invalid_subscription_status` if the subscription isn't past due, `rate_limited` after 3 attempts on the same day
 * (BIL-47) or 10 within an hour (BIL-42), `no_payment_method`, `validation_error` if the card is invalid, and
 * `charge_in_progress`. Requests that are rejected without a payment attempt aren't counted.
 */
export async function retryPayment(ctx: Context, provided: ProvidedCard): Promise<SubscriptionRow> {
  const subscription = await shownSubscription(ctx);
  const { id, customerId } = subscription;
  const rest = { kind: 'recovery.pay', subscriptionId: id, invoiceId: requireOwed(subscription) } as const;
  await countedAttempt(ctx, customerId, async () => {
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

/** Throws `invalid_subscription_status` if the subscription isn't canceled, and `plan_unavailable` if the plan is hidden. */
export async function requireRestartable(ctx: Context, { status, planId }: SubscriptionRow): Promise<void> {
  if (status !== 'canceled') throw specificError('invalid_subscription_status', 'not_over');
  const { isPublic } = await loadExistingRow(ctx, 'Plan', planId);
  if (!isPublic) throw specificError('plan_unavailable', 'own_plan_gone');
}
