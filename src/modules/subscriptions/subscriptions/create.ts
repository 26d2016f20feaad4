import type { CreateSelection } from '../../../domain/rows/selection-rows.ts';
import type { Subject } from '../../../engine/operation.ts';
import type { Context } from '../../../request/context.ts';
import { requireCustomer } from '../../customers/customers/store.ts';
import { namedConnection } from '../../payments/connections/set-route.ts';

type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined };

/**
 * Parameters for creating a subscription (SUB-6). `customerId` is the customer's ID or external ID. `undefined` and `null` are equivalent.
 */
type CreateSubscriptionInput = { readonly customerId: string } & Optional<CreateSelection>;

/** Customer of a new subscription, and the payment connection that the request specifies. */
type Buyer = Subject & { readonly connectionId: string | null };

/** Finds the customer and the payment connection of a new subscription. Throws `customer_not_found`. */
export async function findBuyer(
  ctx: Context,
  { customerId, provider }: CreateSubscriptionInput,
  path: string,
): Promise<Buyer> {
  const { id } = await requireCustomer(ctx, customerId, `${path}customerId`);
  return { customerId: id, connectionId: (await namedConnection(ctx, provider))?.id ?? null };
}

/** Returns the parameters without the customer ID and without `undefined` fields. */
export function selectionOf(
  { customerId: _customerId, ...choices }: CreateSubscriptionInput,
  connectionId: string | null,
): CreateSelection {
  // With `exactOptionalPropertyTypes`, optional properties must not be `undefined`.
  return Object.fromEntries(
    Object.entries({ ...choices, connectionId: connectionId ?? undefined }).filter(
      ([, value]) => value !== undefined,
    ),
  ) as CreateSelection;
}
