import type { CreateSelection } from '../../../domain/rows/selection-rows.ts';
import { executeOne } from '../../../engine/execute.ts';
import type { Context } from '../../../request/context.ts';
import { requireCustomer } from '../../customers/customers/store.ts';
import { namedConnection } from '../../payments/connections/set-route.ts';
import { requireSubscription, type SubscriptionRow } from './store.ts';

type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined };

/**
 * Parameters for creating a subscription (SUB-6): the customer's ID or external ID, and the selection. `undefined` and `null` mean the
 * same.
 */
export type CreateSubscriptionInput = { readonly customerId: string } & Optional<CreateSelection>;

/** Returns the selection without the customer and without `undefined` fields. */
export function selectionOf({
  customerId: _customerId,
  ...choices
}: CreateSubscriptionInput): CreateSelection {
  // With `exactOptionalPropertyTypes`, optional properties must not be `undefined`.
  return Object.fromEntries(
    Object.entries(choices).filter(([, value]) => value !== undefined),
  ) as CreateSelection;
}

/**
 * Creates a subscription, or returns the open checkout with the same selection (SUB-6 … SUB-14). Throws `customer_not_found`,
 * `already_has_active_subscription`, and the errors listed in SUB-7. If several checks fail, throws the error of the first check.
 */
export async function createSubscription(
  ctx: Context,
  input: CreateSubscriptionInput,
): Promise<SubscriptionRow> {
  const customer = await requireCustomer(ctx, input.customerId, 'customerId');
  const connection = await namedConnection(ctx, input.provider);
  const selection = {
    ...selectionOf(input),
    ...(connection === null ? {} : { connectionId: connection.id }),
  };
  const { subscriptionId } = await executeOne(ctx, customer.id, { kind: 'subscription.create', selection });
  if (subscriptionId === null) throw new Error('A creation named no subscription.');
  return requireSubscription(ctx, subscriptionId);
}
