import type { Context } from '../../context.ts';
import type { CreateSelection } from '../../domain/subscription/state/selection-rows.ts';
import { executeOne } from '../../engine/execute.ts';
import { requireCustomer } from '../customers/store.ts';
import { namedConnection } from '../payment-connections/set-route.ts';
import { requireSubscription, type SubscriptionRow } from './store.ts';

type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** What a creating call says (SUB-6): a customer by our id or the external one, and its choices; absent and null mean the same. */
export type CreateSubscriptionInput = { readonly customerId: string } & Optional<CreateSelection>;

/** The choices that were made, without those left out. */
export function selectionOf({
  customerId: _customerId,
  ...choices
}: CreateSubscriptionInput): CreateSelection {
  // Leaving out the undefined values is what makes the optional fields exact.
  return Object.fromEntries(
    Object.entries(choices).filter(([, value]) => value !== undefined),
  ) as CreateSelection;
}

/**
 * Creates a subscription, or answers the open checkout that is the same (SUB-6 … SUB-14). Throws `customer_not_found`,
 * `already_has_active_subscription`, and the codes of SUB-7 in their order; then nothing has changed.
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
