import { chargeText, intervalText } from './charge-texts.ts';
import { type AnnouncedCharge, type EmailAbout, emailText } from './content.ts';

/** What the email says of a purpose. */
type Said = { readonly subject: string; readonly paragraph: string };

/** What is charged after a trial; empty where that is not known. */
function laterEnglish(next: AnnouncedCharge | null): string {
  if (next === null) return '';
  const often = intervalText(next, 'en');
  return ` After the trial ${chargeText(next, 'en')}, tax included, is charged${often === null ? '' : ` ${often} until you cancel`}.`;
}

function laterSpanish(next: AnnouncedCharge | null): string {
  if (next === null) return '';
  const often = intervalText(next, 'es');
  return ` Después de la prueba se cobran ${chargeText(next, 'es')}, impuestos incluidos${often === null ? '' : `, ${often} hasta que la canceles`}.`;
}

const english = (sender: string, { purpose, next }: EmailAbout): Said => {
  switch (purpose) {
    case 'plan_change':
      return {
        subject: `Complete your change of plan with ${sender}`,
        paragraph: `Your new plan with ${sender} is ready. It begins when you have completed the checkout; until then you keep the present one.`,
      };
    case 'trial':
      return {
        subject: `Start your trial of ${sender}`,
        paragraph: `Your trial of ${sender} is ready. It begins when you have completed the checkout, which charges nothing.${laterEnglish(next)}`,
      };
    case 'start':
    case 'restart':
      return {
        subject: `Complete your subscription to ${sender}`,
        paragraph: `Your subscription to ${sender} is ready. It begins when you have completed the checkout.`,
      };
  }
};

const spanish = (sender: string, { purpose, next }: EmailAbout): Said => {
  switch (purpose) {
    case 'plan_change':
      return {
        subject: `Completa tu cambio de plan con ${sender}`,
        paragraph: `Tu nuevo plan con ${sender} está listo. Comienza cuando completes el pago; hasta entonces conservas el actual.`,
      };
    case 'trial':
      return {
        subject: `Comienza tu prueba de ${sender}`,
        paragraph: `Tu prueba de ${sender} está lista. Comienza cuando guardes tu tarjeta; no se cobra nada.${laterSpanish(next)}`,
      };
    case 'start':
    case 'restart':
      return {
        subject: `Completa tu suscripción a ${sender}`,
        paragraph: `Tu suscripción a ${sender} está lista. Comienza cuando completes el pago.`,
      };
  }
};

/** The email that leads to an open checkout: of a new subscription, of a trial, or of a change to a paid plan (SUB-9, SUB-47). */
export const checkoutEmail = emailText(
  {
    en: {
      subject: (sender, about) => english(sender, about).subject,
      paragraphs: (sender, about) => [english(sender, about).paragraph],
      action: 'Go to the checkout',
    },
    es: {
      subject: (sender, about) => spanish(sender, about).subject,
      paragraphs: (sender, about) => [spanish(sender, about).paragraph],
      action: 'Ir al pago',
    },
  },
  ['plan', 'invoice', 'amount'],
);
