import { emailText } from './content.ts';

/** The email about a subscription that ended. */
export const canceledEmail = emailText(
  {
    en: {
      subject: (sender) => `Your subscription to ${sender} was canceled`,
      paragraphs: (sender) => [`Your subscription to ${sender} has ended. It is not charged any more.`],
      action: null,
    },
    es: {
      subject: (sender) => `Tu suscripción a ${sender} fue cancelada`,
      paragraphs: (sender) => [`Tu suscripción a ${sender} ha terminado. Ya no se cobrará.`],
      action: null,
    },
  },
  ['plan', 'date'],
);
