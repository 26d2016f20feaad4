import { letterText } from './about.ts';

/** The letter about money that goes back. */
export const refundLetter = letterText(
  {
    en: {
      subject: (sender) => `Refund from ${sender}`,
      paragraphs: (sender) => [`${sender} has refunded a payment of yours. Your bank may take some days to show it.`],
      action: null,
    },
    es: {
      subject: (sender) => `Reembolso de ${sender}`,
      paragraphs: (sender) => [`${sender} le ha reembolsado un pago. Su banco puede tardar unos días en mostrarlo.`],
      action: null,
    },
  },
  ['invoice', 'amount', 'date'],
);
