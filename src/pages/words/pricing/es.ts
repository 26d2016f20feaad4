import type { Areas } from '../areas.ts';

/** What the page of a pricing table says in Spanish. */
export const words: Areas['pricing'] = {
  page: 'Planes',
  country: 'Precios para',
  anyCountry: 'Todos los países',
  recommended: 'Recomendado',
  free: 'Gratis',
  trial: (days) => `Primero ${days} ${days === 1 ? 'día' : 'días'} gratis`,
  choose: (plan) => `Elegir ${plan}`,
  signUp: (plan) => `Registrarse en ${plan}`,
  beforeTax: 'Los impuestos se añaden donde corresponda.',
  back: 'Otros planes',
  buy: (plan) => `Comprar ${plan}`,
  goOn: 'Continuar al pago',
  emailHelp: 'Ahí llegan los recibos. Se paga en la página siguiente.',
  opened: 'Se ha abierto el pago. Esta página puede quedarse como está.',
  none: 'Ahora mismo no hay nada en venta.',
  gone: 'Esta tabla de precios ya no se muestra.',
  unavailable: 'Los precios no se pueden mostrar ahora. Vuelve a cargar la página para intentarlo de nuevo.',
};
