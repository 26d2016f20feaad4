import type { cards as english } from '../en/cards.ts';
import { plural } from '../language.ts';
import type { Translation } from '../words.ts';

export const cards: Translation<typeof english> = {
  text: 'Ofertas para titulares de algunas tarjetas, como las de un banco.',
  empty: 'Todavía no hay promociones de tarjetas',
  notAvailable:
    'Las promociones de tarjetas no están activadas en tu organización. Las que existen no se aplican.',
  new: 'Nueva promoción de tarjetas',
  create: 'Crear promoción',
  of: (offer: string) => `Promoción de tarjetas: ${offer}`,
  offer: 'Oferta',
  offerHelp: 'Una oferta que empieza con un descuento.',
  bins: 'Primeras cifras de las tarjetas',
  binsHelp: (count: number) =>
    `6 u 8 cifras cada una, separadas por espacios o líneas. ${count} ${plural(count, 'rango', 'rangos')}.`,
  wrongBins: (texts: string) => `No son 6 u 8 cifras: ${texts}`,
  moreBins: (bins: string, more: number) => `${bins} y ${more} más`,
  interval: 'Para precios que se cobran',
  everyInterval: 'En cualquier intervalo',
  discovered: 'Se encuentra por la tarjeta',
  discoveredHelp:
    'Activado: la página de pago la encuentra cuando se escribe una de esas tarjetas. Desactivado: solo cuando tu software la nombra.',
  byCard: 'Por la tarjeta',
  named: 'Solo si se nombra',
  created: 'Creada',
  deleteTitle: '¿Eliminar esta promoción?',
  deleteText:
    'Las tarjetas dejan de recibir la oferta. Los clientes que la tienen la conservan. No se puede deshacer.',
};
