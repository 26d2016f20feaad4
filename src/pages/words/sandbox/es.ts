import type { SandboxWords } from '../areas.ts';

/** What customers' pages say in Spanish about test cards and countries. */
export const words: SandboxWords = {
  title: 'Tarjetas de prueba',
  text: 'Aquí no se mueve dinero. Elige una tarjeta para rellenar el formulario.',
  pays: 'Paga',
  declined: 'Se rechaza',
  insufficient: 'No tiene fondos suficientes',
  expired: 'Está caducada',
  confirmation: 'Necesita confirmación',
  later: 'Paga una vez y después se rechaza',
  seenFrom: 'Vista desde',
  ownCountry: 'el país del cliente',
};
