import { executeOne } from '../../../engine/execute.ts';
import type { Context } from '../../../request/context.ts';
import { type CustomerRow, findEndedWithMethod, requireCustomer } from './store.ts';

/**
 * Removes a stored payment method that no active subscription uses (PAY-34). Throws `payment_method_not_found`, `payment_method_in_use`,
 * and `charge_in_progress`. If an error is thrown, the payment method remains unchanged.
 */
export async function removeMethod(
  ctx: Context,
  { customerId, paymentMethodId }: { readonly customerId: string; readonly paymentMethodId: string },
): Promise<void> {
  const subscriptionIds = await findEndedWithMethod(ctx, customerId, paymentMethodId);
  await executeOne(ctx, customerId, { kind: 'method.remove', paymentMethodId, subscriptionIds });
  ctx.forget();
}

/**
 * Removes a stored payment method from the customer with this ID or external ID, and returns the customer. Throws `customer_not_found` and
 * the same errors as `removeMethod`.
 */
export async function removeMethodOf(
  ctx: Context,
  input: { readonly customerId: string; readonly paymentMethodId: string },
): Promise<CustomerRow> {
  const customer = await requireCustomer(ctx, input.customerId, 'customerId');
  await removeMethod(ctx, { customerId: customer.id, paymentMethodId: input.paymentMethodId });
  return customer;
}
