import type { Context } from '../../context.ts';
import { specificError } from '../../domain/errors.ts';
import { requireSubscription } from '../subscriptions/store.ts';
import { recoverableInvoice } from './store.ts';

/** Where an invoice that keeps a subscription from running can be paid, and the signed token in that address. */
export type RecoveryLink = { readonly url: string; readonly token: string };

/** The page at which an invoice can be paid; its address stays the same, and tells nothing once the invoice is settled. */
export async function recoveryLinkTo(ctx: Context, invoiceId: string): Promise<RecoveryLink> {
  const { secrets, config } = ctx.app;
  const token = await secrets.signPage({
    page: 'recover',
    environmentId: ctx.environment.id,
    subjectId: invoiceId,
  });
  return { url: `${config.publicUrl}/recover/${token}`, token };
}

/** The address of the recovery page of a subscription; null when nothing is to be paid there. */
export async function recoveryUrl(ctx: Context, id: string): Promise<string | null> {
  const invoiceId = await recoverableInvoice(ctx, await requireSubscription(ctx, id));
  return invoiceId === null ? null : (await recoveryLinkTo(ctx, invoiceId)).url;
}

/**
 * A link to pay what a past-due subscription owes, valid until that is settled or the subscription is no longer past due (SUB-35). Writes
 * nothing. Throws `subscription_not_found`, `invalid_subscription_status` and `no_outstanding_invoice`.
 */
export async function createRecoveryLink(
  ctx: Context,
  { id }: { readonly id: string },
): Promise<RecoveryLink> {
  const { status, dunningInvoiceId } = await requireSubscription(ctx, id);
  if (status !== 'past_due') {
    throw specificError('invalid_subscription_status', 'nothing_to_recover');
  }
  if (dunningInvoiceId === null) throw specificError('no_outstanding_invoice', 'nothing_owed');
  return recoveryLinkTo(ctx, dunningInvoiceId);
}
