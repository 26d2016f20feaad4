import { emailText } from './content.ts';

/** The email about money that goes back. */
export const refundEmail = emailText(
  {
    en: {
      subject: (sender) => `Refund from ${sender}`,
      paragraphs: (sender) => [
        `${sender} has refunded a payment of yours. Your bank may take some days to show it.`,
      ],
      action: null,
    },
    es: {
      subject: (sender) => `Reembolso de ${sender}`,
      paragraphs: (sender) => [
        `${sender} te ha reembolsado un pago. Tu banco puede tardar unos días en mostrarlo.`,
      ],
      action: null,
    },
  },
  ['invoice', 'amount', 'date'],
);
