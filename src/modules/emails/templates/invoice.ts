import { dateText } from '../../../documents/format.ts';
import { amountText, type Language } from '../../../domain/amount-text.ts';
import type { InvoiceStatus } from '../../../domain/enums.ts';
import type { MailMessage } from '../../../platform/mail.ts';
import { emailOf, type Sender } from './layout.ts';

/** What an email with an invoice tells. */
export type InvoiceEmailDetails = {
  readonly to: string;
  /** Empty when none is known. */
  readonly customerName: string;
  readonly sender: Sender;
  readonly livemode: boolean;
  readonly number: string;
  readonly status: InvoiceStatus;
  readonly currency: string;
  readonly total: bigint;
  readonly dueDate: Date;
  readonly downloadUrl: string;
  readonly pdf: { readonly filename: string; readonly content: Buffer };
};

type Words = {
  readonly subject: (number: string, sender: string) => string;
  readonly test: string;
  readonly greeting: (name: string) => string;
  readonly attached: (number: string, sender: string) => string;
  readonly states: { readonly [status in InvoiceStatus]: string };
  readonly total: string;
  readonly due: string;
  readonly download: string;
  readonly footnote: string;
};

const words: { readonly [language in Language]: Words } = {
  en: {
    subject: (number, sender) => `Invoice ${number} from ${sender}`,
    test: 'Test',
    greeting: (name) => (name === '' ? 'Hello,' : `Hello ${name},`),
    attached: (number, sender) => `Attached is invoice ${number} from ${sender}.`,
    states: {
      draft: 'It is being prepared.',
      outstanding: 'It has not been paid yet.',
      paid: 'It is settled; there is nothing left to pay.',
      void: 'It is void; there is nothing to pay.',
      uncollectible: 'It was given up; there is nothing left to pay.',
    },
    total: 'Total',
    due: 'Due',
    download: 'Download the invoice',
    footnote: 'The link works for seven days.',
  },
  es: {
    subject: (number, sender) => `Factura ${number} de ${sender}`,
    test: 'Prueba',
    greeting: (name) => (name === '' ? 'Hola:' : `Hola, ${name}:`),
    attached: (number, sender) => `Adjuntamos la factura ${number} de ${sender}.`,
    states: {
      draft: 'Está en preparación.',
      outstanding: 'Todavía no está pagada.',
      paid: 'Está saldada; no queda nada por pagar.',
      void: 'Está anulada; no hay nada que pagar.',
      uncollectible: 'Se dio por incobrable; no queda nada por pagar.',
    },
    total: 'Total',
    due: 'Vencimiento',
    download: 'Descargar la factura',
    footnote: 'El enlace funciona durante siete días.',
  },
};

/** The email that brings an invoice to its customer, the PDF attached. Emails of the sandbox say so in the subject. */
export function invoiceEmail(details: InvoiceEmailDetails): MailMessage {
  const { sender, number, currency, total } = details;
  const { language } = sender;
  const say = words[language];
  const subject = say.subject(number, sender.name);
  const due =
    details.status === 'outstanding' ? [{ label: say.due, text: dateText(details.dueDate, language) }] : [];
  const notification = emailOf(sender, {
    to: details.to,
    subject: details.livemode ? subject : `[${say.test}] ${subject}`,
    greeting: say.greeting(details.customerName),
    paragraphs: [say.attached(number, sender.name), say.states[details.status]],
    details: [{ label: say.total, text: amountText(total, currency, language) }, ...due],
    action: { label: say.download, url: details.downloadUrl },
    footnote: say.footnote,
  });
  return { ...notification, attachments: [{ ...details.pdf, contentType: 'application/pdf' }] };
}
