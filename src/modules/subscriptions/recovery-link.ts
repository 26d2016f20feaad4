import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { requireSubscription, type SubscriptionRow } from './find.ts';

/** Where an invoice that keeps a subscription from running can be paid, and the signed token in that address. */
export type RecoveryLink = { readonly url: string; readonly token: string };

/** The page at which an invoice can be paid; its address stays the same, and tells nothing once the invoice is settled. */
export async function recoveryLinkTo(context: Context, invoiceId: string): Promise<RecoveryLink> {
  const { secrets, config } = context.app;
  const token = await secrets.signPage({ page: 'recover', environmentId: context.environment.id, subjectId: invoiceId });
  return { url: `${config.publicUrl}/recover/${token}`, token };
}

/** The invoice whose payment makes a subscription run again: the one in dunning, or that of a declined new start; null without either. */
async function recoverableInvoice(context: Context, { id, status, dunningInvoiceId }: SubscriptionRow): Promise<string | null> {
  if (status !== 'canceled') return dunningInvoiceId;
  const invoice = await context.db.invoice.findFirst({ where: { subscriptionId: id, type: 'reactivation', status: 'outstanding' } });
  return invoice?.id ?? null;
}

/** The address of the recovery page of a subscription; null when nothing is to be paid there. */
export async function recoveryUrl(context: Context, id: string): Promise<string | null> {
  const invoiceId = await recoverableInvoice(context, await requireSubscription(context, id));
  return invoiceId === null ? null : (await recoveryLinkTo(context, invoiceId)).url;
}

/**
 * A link to pay what a past-due subscription owes, valid until that is settled or the subscription is no longer past due (SUB-35). Writes
 * nothing. Throws `subscription_not_found`, `invalid_subscription_status` and `no_outstanding_invoice`.
 */
export async function createRecoveryLink(context: Context, { id }: { readonly id: string }): Promise<RecoveryLink> {
  const { status, dunningInvoiceId } = await requireSubscription(context, id);
  if (status !== 'past_due') {
    throw new QuittanceError('invalid_subscription_status', 'Only a past-due subscription has something to recover.');
  }
  if (dunningInvoiceId === null) throw new QuittanceError('no_outstanding_invoice', 'The subscription owes nothing.');
  return recoveryLinkTo(context, dunningInvoiceId);
}
