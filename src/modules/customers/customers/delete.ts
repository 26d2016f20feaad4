import { cancelAuthentication, executeAnswered } from '../../../engine/execute.ts';
import type { DeletedShape } from '../../../graphql/reading/deleted.ts';
import type { Context } from '../../../request/context.ts';
import { findEndedWithMethod, findOpenLinks, requireCustomer } from './store.ts';

/**
 * Deletes a customer (PLT-24). Cancels subscriptions immediately without a charge, removes stored payment methods, cancels payment links,
 * and ends portal sessions. Invoices are kept. Throws `customer_not_found`. Throws `charge_in_progress` without changes if a charge is
 * still processing.
 */
export async function deleteCustomer(ctx: Context, reference: string): Promise<DeletedShape> {
  const { id } = await requireCustomer(ctx, reference);
  const links: { readonly paymentId: string; readonly abandoned: string | null }[] = [];
  for (const { id: paymentId, awaited } of await findOpenLinks(ctx, id)) {
    // A payment attempt that can't be canceled may still succeed. In that case, the command below is rejected.
    const { abandoned } = await cancelAuthentication(ctx, awaited);
    links.push({ paymentId, abandoned });
  }
  const subscriptionIds = await findEndedWithMethod(ctx, id);
  await executeAnswered(ctx, id, { kind: 'customer.delete', subscriptionIds, links });
  return { id, object: 'customer' };
}
