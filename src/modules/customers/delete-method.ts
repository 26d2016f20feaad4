import type { Context } from '../../context.ts';
import { executeOne } from '../../engine/execute.ts';
import { type CustomerRow, findEndedWithMethod, requireCustomer } from './store.ts';

/**
 * Removes a stored method of a customer that no running subscription is charged to (PAY-34). Throws `payment_method_not_found`,
 * `payment_method_in_use` and `charge_in_progress`; nothing changes then.
 */
export async function removeMethod(
  ctx: Context,
  { customerId, paymentMethodId }: { readonly customerId: string; readonly paymentMethodId: string },
): Promise<void> {
  const subscriptionIds = await findEndedWithMethod(ctx, customerId, paymentMethodId);
  await executeOne(ctx, customerId, { kind: 'method.remove', paymentMethodId, subscriptionIds });
  ctx.forget();
}

/** The same of the customer with this id or external id; answers the customer. Throws `customer_not_found` too. */
export async function removeMethodOf(
  ctx: Context,
  input: { readonly customerId: string; readonly paymentMethodId: string },
): Promise<CustomerRow> {
  const customer = await requireCustomer(ctx, input.customerId, 'customerId');
  await removeMethod(ctx, { customerId: customer.id, paymentMethodId: input.paymentMethodId });
  return customer;
}
