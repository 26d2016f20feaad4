import { letterText } from './about.ts';

/** The letter that leads to an open checkout. */
export const checkoutLetter = letterText(
  {
    en: {
      subject: (sender) => `Complete your subscription to ${sender}`,
      paragraphs: (sender) => [`Your subscription to ${sender} is ready. It begins when you have completed the checkout.`],
      action: 'Go to the checkout',
    },
    es: {
      subject: (sender) => `Complete su suscripción a ${sender}`,
      paragraphs: (sender) => [`Su suscripción a ${sender} está lista. Comienza cuando complete el pago.`],
      action: 'Ir al pago',
    },
  },
  ['plan', 'invoice', 'amount'],
);
