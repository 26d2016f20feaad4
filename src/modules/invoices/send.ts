import type { Context } from '../../context.ts';
import { invoiceNumberText } from '../../domain/invoice/number.ts';
import { loadExistingRow } from '../../graphql/loaders.ts';
import { invoiceLetter } from '../../mail/invoice-letter.ts';
import { readOrganization } from '../organizations/service.ts';
import { invoicePdf } from './document.ts';
import { downloadUrl } from './download.ts';
import { requireInvoice } from './service.ts';

/** Whether a letter was taken by the mail server, and when that was tried. */
export type Delivery = { readonly sent: boolean; readonly sentAt: Date };

/**
 * Mails an invoice with its PDF to its customer (BIL-29). Not sent while customer emails are switched off (PLT-9), nor when the mail server
 * refuses, fails or stays silent: that is answered, not thrown, and logged. Writes nothing. Throws `invoice_not_found`.
 */
export async function sendInvoice(context: Context, invoiceId: string): Promise<Delivery> {
  if (context.transaction !== null) throw new Error('No letter is sent while a transaction is open.');
  const invoice = await requireInvoice(context, invoiceId);
  const organization = await readOrganization(context);
  const sentAt = context.wall.now();
  if (!organization.customerEmails) return { sent: false, sentAt };
  const customer = await loadExistingRow(context, 'Customer', invoice.customerId);
  const { url } = await downloadUrl(context, invoice.id);
  const pdf = await invoicePdf(context, invoice);
  const letter = invoiceLetter({
    to: customer.email,
    customerName: customer.fullName,
    sender: organization,
    livemode: context.livemode,
    number: invoiceNumberText(invoice.number),
    status: invoice.status,
    currency: invoice.currency,
    total: invoice.total,
    dueDate: invoice.dueDate,
    downloadUrl: url,
    pdf,
  });
  try {
    await context.app.mail.send(letter);
    return { sent: true, sentAt };
  } catch (error) {
    context.log.warn({ err: error, invoiceId }, 'The mail server did not take an invoice.');
    return { sent: false, sentAt };
  }
}
