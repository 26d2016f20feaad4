import type { Areas } from '../areas.ts';

/** What the page of an invoice says in Spanish. */
export const words: Areas['invoice'] = {
  page: 'Factura',
  title: (number) => `Factura ${number}`,
  statuses: {
    draft: 'Borrador',
    outstanding: 'Por pagar',
    paid: 'Pagada',
    void: 'Anulada',
    uncollectible: 'No cobrada',
  },
  issued: (day) => `Emitida el ${day}.`,
  due: (day) => `Vence el ${day}.`,
  paidOn: (day) => `Pagada el ${day}.`,
  paid: (amount) => `Se han pagado ${amount}. No se cobra nada más.`,
  void: 'Esta factura se ha anulado. No hay nada que pagar.',
  uncollectible: 'Esta factura ya no se cobra. Pregunta al vendedor.',
  total: 'Total',
  pay: (amount) => `Pagar ${amount}`,
  unpaid: 'Se carga a la tarjeta que tiene guardada el vendedor.',
  download: 'Descargar PDF',
  from: 'De',
  to: 'Para',
  unavailable: 'La factura no se puede mostrar ahora. Vuelve a cargar la página para intentarlo de nuevo.',
};
