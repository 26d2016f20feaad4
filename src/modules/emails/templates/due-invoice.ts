import { emailText } from './content.ts';

/** The email about an invoice that waits to be paid, or whose payment starts a subscription again (SUB-32). */
export const dueInvoiceEmail = emailText(
  {
    en: {
      subject: (sender, { invoiceNumber }) => `Invoice ${invoiceNumber ?? ''} from ${sender}`,
      paragraphs: (sender, { purpose }) => [
        purpose === 'restart'
          ? `Your subscription to ${sender} begins again as soon as this invoice is paid.`
          : `There is a new invoice from ${sender}. It has not been paid yet.`,
      ],
      action: 'Pay now',
    },
    es: {
      subject: (sender, { invoiceNumber }) => `Factura ${invoiceNumber ?? ''} de ${sender}`,
      paragraphs: (sender, { purpose }) => [
        purpose === 'restart'
          ? `Tu suscripción a ${sender} comenzará de nuevo en cuanto se pague esta factura.`
          : `Tienes una nueva factura de ${sender}. Todavía no está pagada.`,
      ],
      action: 'Pagar ahora',
    },
  },
  ['invoice', 'amount', 'due'],
);
