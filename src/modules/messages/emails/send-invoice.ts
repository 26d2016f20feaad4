import { amountDue } from '../../../domain/invoicing/credit-note.ts';
import { requestedLimits } from '../../../domain/messages/mail-limits.ts';
import type { Withheld } from '../../../domain/messages/mail-permission.ts';
import { invoiceNumberText } from '../../../domain/rows/invoice-number.ts';
import { loadExistingRow } from '../../../graphql/reading/loaders.ts';
import type { Context } from '../../../request/context.ts';
import { invoicePdf } from '../../invoices/invoices/draw.ts';
import { loadBuyer } from '../../invoices/invoices/load-parts.ts';
import { downloadUrl } from '../../invoices/invoices/sign-link.ts';
import { noteSent, requireInvoice } from '../../invoices/invoices/store.ts';
import { readPermission, takeRequestedEmail } from '../../organization/organizations/check-mail.ts';
import { readOrganization } from '../../organization/organizations/store.ts';
import { headOf } from './templates/head.ts';
import { invoiceEmail } from './templates/invoice.ts';

/** Result of emailing an invoice: whether the mail server accepted the email, the time of the attempt, and the reason for a failure. */
export type Delivery = {
  readonly sent: boolean;
  readonly sentAt: Date;
  readonly reason: 'customer_emails_off' | Withheld | 'mail_server' | null;
};

/**
 * Emails an invoice with its PDF to the customer's current address (BIL-29). Throws `invoice_not_found`, and
 * `rate_limited` if the limit is exceeded (PLT-115). Returns the reason for all other failures. Customer emails may be
 * turned off (PLT-9), or the environment may not be allowed to email the address (PLT-114). The mail server may also
 * reject the email, fail, or not respond. Logs failures of the mail server.
 */
export async function sendInvoice(ctx: Context, invoiceId: string): Promise<Delivery> {
  if (ctx.transaction !== null) throw new Error('No email is sent while a transaction is open.');
  const invoice = await requireInvoice(ctx, invoiceId);
  const organization = await readOrganization(ctx);
  const sentAt = ctx.wall.now();
  if (!organization.customerEmails) return { sent: false, sentAt, reason: 'customer_emails_off' };
  const customer = await loadExistingRow(ctx, 'Customer', invoice.customerId);
  const permission = await readPermission(ctx, [customer.email]);
  const reason = permission.withheldFrom(customer.email);
  if (reason !== null) return { sent: false, sentAt, reason };
  const about = `invoice ${ctx.environment.id}`;
  await takeRequestedEmail(ctx, [...requestedLimits(about, customer.email), ...permission.limits]);
  const buyer = await loadBuyer(ctx, invoice);
  const { url } = await downloadUrl(ctx, invoice.id);
  const pdf = await invoicePdf(ctx, invoice);
  const notification = invoiceEmail({
    ...headOf(
      organization,
      { ...customer, fullName: buyer.name },
      { to: customer.email, livemode: ctx.livemode },
    ),
    number: invoiceNumberText(invoice.number),
    status: invoice.status,
    currency: invoice.currency,
    total: invoice.total,
    due: amountDue(invoice),
    dueDate: invoice.dueDate,
    downloadUrl: url,
    pdf,
  });
  try {
    await ctx.app.mail.send(notification);
    await noteSent(ctx, invoice.id);
    return { sent: true, sentAt, reason: null };
  } catch (error) {
    ctx.log.warn({ err: error, invoiceId }, 'The mail server rejected an invoice email.');
    return { sent: false, sentAt, reason: 'mail_server' };
  }
}
