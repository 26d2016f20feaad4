import { specificError } from '../../../domain/errors/errors.ts';
import type { Context } from '../../../request/context.ts';
import { requireSubscription } from '../subscriptions/store.ts';
import { recoverableInvoice } from './store.ts';

/** URL of the page for paying an invoice that blocks a subscription, and the signed token in the URL. */
export type RecoveryLink = { readonly url: string; readonly token: string };

/** Returns the link to the page where an invoice can be paid. The URL is stable. After the invoice is settled, the page shows no details. */
export async function recoveryLinkTo(ctx: Context, invoiceId: string): Promise<RecoveryLink> {
  const { secrets, config } = ctx.app;
  const token = await secrets.signPage({
    page: 'recover',
    environmentId: ctx.environment.id,
    subjectId: invoiceId,
  });
  return { url: `${config.publicUrl}/recover/${token}`, token };
}

/** Returns the URL of a subscription's recovery page. `null` if the subscription has no invoice to pay. */
export async function recoveryUrl(ctx: Context, id: string): Promise<string | null> {
  const invoiceId = await recoverableInvoice(ctx, await requireSubscription(ctx, id));
  return invoiceId === null ? null : (await recoveryLinkTo(ctx, invoiceId)).url;
}

/**
 * Returns a link for paying the outstanding invoice of a past-due subscription. Valid until the invoice is settled or
 * the subscription is no longer past due (SUB-35). Nothing is stored. Throws `subscription_not_found`,
 * `invalid_subscription_status`, and `no_outstanding_invoice`.
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
