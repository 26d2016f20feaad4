import { letterText } from './about.ts';

/** The letter about an invoice that waits to be paid. */
export const dueInvoiceLetter = letterText(
  {
    en: {
      subject: (sender, { invoiceNumber }) => `Invoice ${invoiceNumber ?? ''} from ${sender}`,
      paragraphs: (sender) => [`There is a new invoice from ${sender}. It has not been paid yet.`],
      action: 'Pay now',
    },
    es: {
      subject: (sender, { invoiceNumber }) => `Factura ${invoiceNumber ?? ''} de ${sender}`,
      paragraphs: (sender) => [`Tiene una nueva factura de ${sender}. Todavía no está pagada.`],
      action: 'Pagar ahora',
    },
  },
  ['invoice', 'amount', 'due'],
);
