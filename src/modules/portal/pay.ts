import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { utcMidnight } from '../../domain/period.ts';
import { executeAnswered, KeptRefusalError, type Order } from '../../engine/execute.ts';
import { loadExistingRow } from '../../graphql/loaders.ts';
import { returnRetry, takeRetry } from '../../infra/portal-retries.ts';
import type { TypedMethod } from '../checkout/method.ts';
import { orderBy } from '../checkout/ordered.ts';
import { requireSubscription, type SubscriptionRow } from '../subscriptions/find.ts';
import { reactivateSubscription } from '../subscriptions/reactivate.ts';
import { requireShownSubscription } from './service.ts';

/** How often a customer may try to pay by itself on one UTC date of the business clock (BIL-47). */
const retriesPerDay = 3;

/** A card as its customer gives it in the portal: typed in, or as the page got it from Stripe. */
export type GivenCard = Pick<TypedMethod, 'card' | 'paymentMethod'>;

/** Whether a card was given. */
export const isGiven = ({ card, paymentMethod }: GivenCard): boolean => card != null || paymentMethod != null;

/** The subscription the caller is shown. Throws `subscription_not_found`. */
export const shownSubscription = async (context: Context): Promise<SubscriptionRow> =>
  requireSubscription(context, await requireShownSubscription(context));

/** Reads a subscription anew after something was done to it. */
export function reread(context: Context, id: string): Promise<SubscriptionRow> {
  context.forget();
  return requireSubscription(context, id);
}

/**
 * Stores a card in place of the one the caller's subscription is charged by; nothing is charged (SUB-36). Throws `validation_error` for the
 * card, `provider_unsupported` for one meant for another connection, `charge_failed` when it is declined, `invalid_subscription_status` and
 * `charge_in_progress`.
 */
export async function storeCard(context: Context, subscription: SubscriptionRow, given: GivenCard): Promise<void> {
  const { id, customerId } = subscription;
  const order = await orderBy(context, subscription, given, (method) => ({ kind: 'method.update', subscriptionId: id, method }));
  await executeAnswered(context, customerId, order);
}

/**
 * Does something that tries to collect from a customer, and counts it. Throws `rate_limited`, and does nothing, after three tries on one day
 * (BIL-47). What is refused without a try does not count; a request that is made again was counted before.
 */
async function countedTry(context: Context, customerId: string, work: () => Promise<void>): Promise<void> {
  if (context.journal?.left != null) return work();
  const date = utcMidnight(context.clock.now());
  if (!(await takeRetry(context.sql, customerId, date, retriesPerDay))) {
    throw new QuittanceError('rate_limited', `A payment can be tried ${retriesPerDay} times a day.`);
  }
  await work().catch(async (error: unknown) => {
    if (!(error instanceof KeptRefusalError)) await returnRetry(context.sql, customerId, date);
    throw error;
  });
}

/**
 * Tries to collect what the caller's subscription owes, by the stored card or by another, which becomes that of the subscription once it has
 * paid. A decline throws `charge_failed` and uses up a dunning slot (BIL-42). Throws `invalid_subscription_status` unless it is past due,
 * `rate_limited` after three tries on one day (BIL-47), `no_payment_method`, `validation_error` for the card and `charge_in_progress`; what
 * was refused without a try does not count.
 */
export async function retryPayment(context: Context, given: GivenCard): Promise<SubscriptionRow> {
  const subscription = await shownSubscription(context);
  const { id, customerId, status, dunningInvoiceId } = subscription;
  if (status !== 'past_due' || dunningInvoiceId === null) {
    throw new QuittanceError('invalid_subscription_status', 'Nothing is owed that could be paid here.');
  }
  const rest = { kind: 'recovery.pay', subscriptionId: id, invoiceId: dunningInvoiceId } as const;
  await countedTry(context, customerId, async () => {
    const order: Order = isGiven(given)
      ? await orderBy(context, subscription, given, (method) => ({ ...rest, method }))
      : { kind: 'subscription.retry', subscriptionId: id };
    await executeAnswered(context, customerId, order);
  });
  return reread(context, id);
}

/**
 * Starts the caller's canceled subscription anew by the stored method (SUB-31). Throws `invalid_subscription_status` for one that is not
 * canceled, `plan_unavailable` for a plan that is hidden or gone, and `charge_failed` and `no_payment_method` with `details.recoveryUrl`.
 */
export async function reactivateShown(context: Context): Promise<SubscriptionRow> {
  const { id, planId, status } = await shownSubscription(context);
  if (status !== 'canceled') throw new QuittanceError('invalid_subscription_status', 'The subscription has not ended.');
  const { isPublic } = await loadExistingRow(context, 'Plan', planId);
  if (!isPublic) throw new QuittanceError('plan_unavailable', 'The plan of the subscription cannot be chosen any more.');
  await reactivateSubscription(context, { id });
  return reread(context, id);
}
