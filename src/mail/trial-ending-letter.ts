import { letterText } from './about.ts';

/** The letter that says when a trial ends. */
export const trialEndingLetter = letterText(
  {
    en: {
      subject: (sender) => `Your trial of ${sender} ends soon`,
      paragraphs: (sender) => [
        `Your trial of ${sender} ends on the date below. Unless you cancel before, the subscription goes on and is charged.`,
      ],
      action: null,
    },
    es: {
      subject: (sender) => `Su prueba de ${sender} termina pronto`,
      paragraphs: (sender) => [
        `Su prueba de ${sender} termina en la fecha indicada. Si no la cancela antes, la suscripción continúa y se cobra.`,
      ],
      action: null,
    },
  },
  ['plan', 'date'],
);
