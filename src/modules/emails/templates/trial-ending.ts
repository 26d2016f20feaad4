import { chargeDate, chargeText, intervalText } from './charge-texts.ts';
import { type EmailAbout, emailText } from './content.ts';

function english(sender: string, { next, isEnding }: EmailAbout): string[] {
  if (isEnding)
    return [
      `Your trial of ${sender} ends on the date below, and your subscription with it. Nothing is charged.`,
    ];
  if (next === null)
    return [
      `Your trial of ${sender} ends on the date below. Unless you cancel before, the subscription continues and is charged.`,
    ];
  const often = intervalText(next, 'en');
  const goesOn = often === null ? '' : ` It then renews ${often} until you cancel.`;
  const usage = next.isFinal ? '' : ' Usage beyond what is included comes on top.';
  return [
    `Your trial of ${sender} ends on the date below. Unless you cancel before then, ${chargeText(next, 'en')}, tax included, is charged on ${chargeDate(next, 'en')}.${goesOn}${usage}`,
  ];
}

function spanish(sender: string, { next, isEnding }: EmailAbout): string[] {
  if (isEnding)
    return [
      `Tu prueba de ${sender} termina en la fecha indicada y, con ella, tu suscripción. No se cobra nada.`,
    ];
  if (next === null)
    return [
      `Tu prueba de ${sender} termina en la fecha indicada. Si no la cancelas antes, la suscripción continúa y se cobra.`,
    ];
  const often = intervalText(next, 'es');
  const goesOn = often === null ? '' : ` Después se renueva ${often} hasta que la canceles.`;
  const usage = next.isFinal ? '' : ' El uso que supere lo incluido se cobra aparte.';
  return [
    `Tu prueba de ${sender} termina en la fecha indicada. Si no la cancelas antes, se cobrarán ${chargeText(next, 'es')}, impuestos incluidos, el ${chargeDate(next, 'es')}.${goesOn}${usage}`,
  ];
}

/** The email that says when a trial ends, what is charged then, and where that is stopped. */
export const trialEndingEmail = emailText(
  {
    en: { subject: (sender) => `Your trial of ${sender} ends soon`, paragraphs: english, action: null },
    es: { subject: (sender) => `Tu prueba de ${sender} termina pronto`, paragraphs: spanish, action: null },
  },
  ['plan', 'date', 'amount'],
  'first',
);
