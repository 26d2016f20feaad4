import { dateText } from '../../../documents/format.ts';
import { type EmailAbout, emailText } from './content.ts';

/** When it is tried again, and what happens if it is not paid; empty where nothing is tried automatically. */
function english({ retryAt, endsAt }: EmailAbout): string[] {
  const again = retryAt === null ? [] : [`We try your card again on ${dateText(retryAt, 'en')}.`];
  const end =
    endsAt === null ? [] : [`Unless it is paid, your subscription ends on ${dateText(endsAt, 'en')}.`];
  return again.length + end.length === 0 ? [] : [[...again, ...end].join(' ')];
}

function spanish({ retryAt, endsAt }: EmailAbout): string[] {
  const again = retryAt === null ? [] : [`Volveremos a intentar el cobro el ${dateText(retryAt, 'es')}.`];
  const end = endsAt === null ? [] : [`Si no se paga, tu suscripción termina el ${dateText(endsAt, 'es')}.`];
  return again.length + end.length === 0 ? [] : [[...again, ...end].join(' ')];
}

/** The email about a charge that failed, with the page where it can be made good. */
export const paymentFailedEmail = emailText(
  {
    en: {
      subject: (sender) => `Your payment to ${sender} failed`,
      paragraphs: (sender, about) => [
        `We could not collect your payment to ${sender}.`,
        'Please pay with another card, or make sure that yours can be charged.',
        ...english(about),
      ],
      action: 'Pay now',
    },
    es: {
      subject: (sender) => `No se pudo cobrar tu pago a ${sender}`,
      paragraphs: (sender, about) => [
        `No pudimos cobrar tu pago a ${sender}.`,
        'Paga con otra tarjeta o asegúrate de que la tuya admita el cobro.',
        ...spanish(about),
      ],
      action: 'Pagar ahora',
    },
  },
  ['plan', 'invoice', 'amount'],
  'also',
);
