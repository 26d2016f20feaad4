import type { Context } from '../../context.ts';
import type { MethodFacts } from '../../domain/subscription/rows.ts';
import { type Order, requireAcceptable } from '../../engine/execute.ts';
import type { SubscriptionRow } from '../subscriptions/find.ts';
import { type TypedMethod, typedMethod } from './method.ts';

/** Stands for a card that Stripe has not been given yet. */
const unseen: MethodFacts = { provider: 'stripe', reference: '', bin: null, brand: '', last4: '', expMonth: 1, expYear: 9999 };

/**
 * An order about a subscription by the method its payer gave. Stripe keeps the cards it is given, so it is given one only for an order that
 * would be accepted. Throws what `typedMethod` throws, and the refusal of the order. In a request that is made again what it left goes on.
 */
export async function orderBy<T extends Order>(
  context: Context,
  subscription: SubscriptionRow,
  typed: TypedMethod,
  order: (method: MethodFacts) => T,
): Promise<T> {
  if (typed.paymentMethod != null && context.journal?.left == null) {
    await requireAcceptable(context, { customerId: subscription.customerId, order: order(unseen) });
  }
  return order(await typedMethod(context, subscription, typed));
}
