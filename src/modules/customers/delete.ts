import type { Context } from '../../context.ts';
import { executeAnswered, takeBack } from '../../engine/execute.ts';
import type { DeletedShape } from '../../graphql/deleted.ts';
import { findEndedWithMethod, findOpenLinks, requireCustomer } from './store.ts';

/**
 * Deletes a customer: cancels its subscriptions at once without charging, removes its stored methods, withdraws its links and ends its portal
 * sessions; the invoices stay (PLT-24). Throws `customer_not_found`, and `charge_in_progress` while a charge is unanswered; nothing changes then.
 */
export async function deleteCustomer(ctx: Context, reference: string): Promise<DeletedShape> {
  const { id } = await requireCustomer(ctx, reference);
  const links: { readonly paymentId: string; readonly abandoned: string | null }[] = [];
  for (const { id: paymentId, awaited } of await findOpenLinks(ctx, id)) {
    // What could not be taken back may yet take money: the decision rejects then.
    const { abandoned } = await takeBack(ctx, awaited);
    links.push({ paymentId, abandoned });
  }
  const subscriptionIds = await findEndedWithMethod(ctx, id);
  await executeAnswered(ctx, id, { kind: 'customer.delete', subscriptionIds, links });
  return { id, object: 'customer' };
}
