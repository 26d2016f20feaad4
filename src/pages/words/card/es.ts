import type { Areas } from '../areas.ts';

/** What the pages that ask for a card say in Spanish. */
export const words: Areas['card'] = {
  paying: (amount, email) => `${amount}, se factura a ${email}.`,
  storing: (email) => `La tarjeta para los próximos cobros, se factura a ${email}. Hoy no se cobra nada.`,
  accessEnds: (day) => `El acceso termina el ${day} si no se paga antes.`,
  paid: 'Gracias. El pago ha llegado.',
  stored: 'Gracias. La tarjeta está guardada.',
  alreadyPaid: 'Esto ya se ha pagado. Aquí no se cobra nada más.',
  ended: 'La suscripción ha terminado.',
  over: 'Aquí ya no hay nada que hacer. Pide un enlace nuevo al vendedor.',
  stillOpen: (amount) => `Quedan ${amount} por pagar.`,
  chargedOn: (day) => `Se cobrará a esta tarjeta el ${day}.`,
  payNow: (amount) => `Pagar ${amount} ahora`,
  unavailable: 'La página no se puede mostrar ahora mismo. Vuelve a cargarla.',
};
