import type { Context } from '../../context.ts';
import type { MethodFacts } from '../../domain/subscription/rows.ts';
import { type Order, requireAcceptable } from '../../engine/execute.ts';
import { unseenMethod } from '../payment-connections/vault.ts';
import type { SubscriptionRow } from '../subscriptions/find.ts';
import { type TypedMethod, typedMethod } from './method.ts';

/**
 * An order about a subscription by the method its payer gave. Providers keep the cards they are given, so they are given one only for an order
 * that would be accepted. Throws what `typedMethod` throws, and the refusal of the order. In a request that is made again what it left goes on.
 */
export async function orderBy<T extends Order>(
  context: Context,
  subscription: SubscriptionRow,
  typed: TypedMethod,
  order: (method: MethodFacts) => T,
): Promise<T> {
  if (typed.paymentMethod != null && context.journal?.left == null) {
    await requireAcceptable(context, { customerId: subscription.customerId, order: order(unseenMethod) });
  }
  return order(await typedMethod(context, subscription, typed));
}
