import type { Context } from '../../context.ts';
import { emailLanguage } from '../../domain/emails.ts';
import { invoiceNumberText } from '../../domain/invoicing/number.ts';
import { loadExistingRow } from '../../graphql/loaders.ts';
import { invoiceEmail } from '../emails/templates/invoice.ts';
import { readOrganization } from '../organizations/store.ts';
import { invoicePdf } from './draw.ts';
import { loadBuyer } from './load-parts.ts';
import { downloadUrl } from './sign-link.ts';
import { requireInvoice } from './store.ts';

/** Whether an email was taken by the mail server, and when that was tried. */
export type Delivery = { readonly sent: boolean; readonly sentAt: Date };

/**
 * Mails an invoice with its PDF to the present address of its customer (BIL-29). Not sent while customer emails are switched off (PLT-9), nor when the mail server
 * rejects, fails or stays silent: that is answered, not thrown, and logged. Writes nothing. Throws `invoice_not_found`.
 */
export async function sendInvoice(ctx: Context, invoiceId: string): Promise<Delivery> {
  if (ctx.transaction !== null) throw new Error('No email is sent while a transaction is open.');
  const invoice = await requireInvoice(ctx, invoiceId);
  const organization = await readOrganization(ctx);
  const sentAt = ctx.wall.now();
  if (!organization.customerEmails) return { sent: false, sentAt };
  const customer = await loadExistingRow(ctx, 'Customer', invoice.customerId);
  const buyer = await loadBuyer(ctx, invoice);
  const { url } = await downloadUrl(ctx, invoice.id);
  const pdf = await invoicePdf(ctx, invoice);
  const notification = invoiceEmail({
    to: customer.email,
    customerName: buyer.name,
    sender: { ...organization, language: emailLanguage(customer, organization.language) },
    livemode: ctx.livemode,
    number: invoiceNumberText(invoice.number),
    status: invoice.status,
    currency: invoice.currency,
    total: invoice.total,
    dueDate: invoice.dueDate,
    downloadUrl: url,
    pdf,
  });
  try {
    await ctx.app.mail.send(notification);
    return { sent: true, sentAt };
  } catch (error) {
    ctx.log.warn({ err: error, invoiceId }, 'The mail server did not take an invoice.');
    return { sent: false, sentAt };
  }
}
