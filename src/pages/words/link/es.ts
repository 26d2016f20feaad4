import type { Areas } from '../areas.ts';

/** What the page of a payment link says in Spanish. */
export const words: Areas['link'] = {
  total: 'A pagar',
  paid: (amount) => `Gracias. Has pagado ${amount}.`,
  alreadyPaid: (amount) => `Ya se han pagado ${amount}. Aquí no se cobra nada más.`,
  canceled: 'Este pago se ha cancelado. Pide un enlace nuevo al vendedor.',
  unavailable: 'El pago no se puede mostrar ahora mismo. Vuelve a cargar la página.',
};
