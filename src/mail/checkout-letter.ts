import { type LetterPurpose, letterText } from './about.ts';

/** What the letter says of a purpose. */
type Said = { readonly subject: string; readonly paragraph: string };

const english = (sender: string, purpose: LetterPurpose): Said => {
  switch (purpose) {
    case 'plan_change':
      return {
        subject: `Complete your change of plan with ${sender}`,
        paragraph: `Your new plan with ${sender} is ready. It begins when you have completed the checkout; until then you keep the present one.`,
      };
    case 'trial':
      return {
        subject: `Start your trial of ${sender}`,
        paragraph: `Your trial of ${sender} is ready. It begins when you have completed the checkout, which charges nothing.`,
      };
    case 'start':
    case 'restart':
      return {
        subject: `Complete your subscription to ${sender}`,
        paragraph: `Your subscription to ${sender} is ready. It begins when you have completed the checkout.`,
      };
  }
};

const spanish = (sender: string, purpose: LetterPurpose): Said => {
  switch (purpose) {
    case 'plan_change':
      return {
        subject: `Complete su cambio de plan con ${sender}`,
        paragraph: `Su nuevo plan con ${sender} está listo. Comienza cuando complete el pago; hasta entonces conserva el actual.`,
      };
    case 'trial':
      return {
        subject: `Comience su prueba de ${sender}`,
        paragraph: `Su prueba de ${sender} está lista. Comienza cuando complete el registro de su tarjeta; no se cobra nada.`,
      };
    case 'start':
    case 'restart':
      return {
        subject: `Complete su suscripción a ${sender}`,
        paragraph: `Su suscripción a ${sender} está lista. Comienza cuando complete el pago.`,
      };
  }
};

/** The letter that leads to an open checkout: of a new subscription, of a trial, or of a change to a paid plan (SUB-9, SUB-47). */
export const checkoutLetter = letterText(
  {
    en: {
      subject: (sender, { purpose }) => english(sender, purpose).subject,
      paragraphs: (sender, { purpose }) => [english(sender, purpose).paragraph],
      action: 'Go to the checkout',
    },
    es: {
      subject: (sender, { purpose }) => spanish(sender, purpose).subject,
      paragraphs: (sender, { purpose }) => [spanish(sender, purpose).paragraph],
      action: 'Ir al pago',
    },
  },
  ['plan', 'invoice', 'amount'],
);
