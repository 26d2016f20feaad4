import { letterText } from './about.ts';

/** The letter about a charge that failed, with the page where it can be made good. */
export const paymentFailedLetter = letterText(
  {
    en: {
      subject: (sender) => `Your payment to ${sender} failed`,
      paragraphs: (sender) => [
        `We could not collect your payment to ${sender}.`,
        'Please pay with another card, or make sure that yours can be charged.',
      ],
      action: 'Pay now',
    },
    es: {
      subject: (sender) => `No se pudo cobrar su pago a ${sender}`,
      paragraphs: (sender) => [
        `No pudimos cobrar su pago a ${sender}.`,
        'Pague con otra tarjeta o asegúrese de que la suya admita el cobro.',
      ],
      action: 'Pagar ahora',
    },
  },
  ['plan', 'invoice', 'amount'],
);
