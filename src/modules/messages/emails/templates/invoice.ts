import { dateText } from '../../../../documents/format.ts';
import { amountText } from '../../../../domain/money/amount-text.ts';
import type { InvoiceStatus } from '../../../../domain/rows/enums.ts';
import type { MailMessage } from '../../../../platform/mail.ts';
import { emailOf, type Sender } from './layout.ts';
import { emailWords, greetingOf, subjectOf } from './words.ts';

/** Data for an email with an invoice. */
export type InvoiceEmailDetails = {
  readonly to: string;
  /** Customer name. Empty if the name is unknown. */
  readonly customerName: string;
  readonly sender: Sender;
  readonly livemode: boolean;
  readonly number: string;
  readonly status: InvoiceStatus;
  readonly currency: string;
  readonly total: bigint;
  readonly due: bigint;
  readonly dueDate: Date;
  readonly downloadUrl: string;
  readonly pdf: { readonly filename: string; readonly content: Buffer };
};

/** Email with an invoice as a PDF attachment. In a sandbox, the subject has a test mark. */
export function invoiceEmail(details: InvoiceEmailDetails): MailMessage {
  const { sender, number, currency, total } = details;
  const { language } = sender;
  const words = emailWords[language];
  const { common, invoice, sentInvoice } = words;
  const rest =
    details.status === 'outstanding' && details.due !== total
      ? [{ label: sentInvoice.amountDue, text: amountText(details.due, currency, language) }]
      : [];
  const due =
    details.status === 'outstanding'
      ? [{ label: common.facts.due, text: dateText(details.dueDate, language) }]
      : [];
  const notification = emailOf(sender, {
    to: details.to,
    subject: subjectOf(words, invoice.subject({ number, sender: sender.name }), details.livemode),
    greeting: greetingOf(words, details.customerName),
    paragraphs: [sentInvoice.attached({ number, sender: sender.name }), sentInvoice.statuses[details.status]],
    details: [{ label: sentInvoice.total, text: amountText(total, currency, language) }, ...rest, ...due],
    action: { label: sentInvoice.download, url: details.downloadUrl },
    footnote: sentInvoice.footnote,
  });
  return { ...notification, attachments: [{ ...details.pdf, contentType: 'application/pdf' }] };
}
