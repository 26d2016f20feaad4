import { emailText } from './content.ts';

/** The email about money that came. */
export const receiptEmail = emailText(
  {
    en: {
      subject: (sender) => `Receipt from ${sender}`,
      paragraphs: (sender) => [`Thank you. ${sender} has received your payment.`],
      action: null,
    },
    es: {
      subject: (sender) => `Recibo de ${sender}`,
      paragraphs: (sender) => [`Gracias. ${sender} ha recibido tu pago.`],
      action: null,
    },
  },
  ['invoice', 'amount', 'date'],
  'also',
);
