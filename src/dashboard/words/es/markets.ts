import type { markets as english } from '../en/markets.ts';
import { plural } from '../language.ts';
import type { Translation } from '../words.ts';

export const markets: Translation<typeof english> = {
  text: 'Países que comparten precios. Un plan puede tener un importe propio para cada mercado.',
  empty: 'Todavía no hay mercados',
  note: 'El mercado de un cliente depende de la dirección de facturación y se queda al completar el primer pago.',
  new: 'Nuevo mercado',
  create: 'Crear mercado',
  countriesTitle: 'Países',
  countries: (count: number) => `${count} ${plural(count, 'país', 'países')}`,
  searchCountry: 'Buscar países',
  noCountry: 'Ningún país coincide.',
  takenBy: (market: string) => `En el mercado ${market}`,
  list: (names: readonly string[], more: number) => `${names.join(', ')}${more > 0 ? ` y ${more} más` : ''}`,
  prices: 'Precios',
  unused: 'Ningún precio tiene un importe para este mercado.',
  usedBy: (count: number) =>
    plural(
      count,
      '1 precio tiene un importe para este mercado.',
      `${count} precios tienen un importe para este mercado.`,
    ),
  changeText:
    'Los suscriptores actuales conservan su mercado. Los clientes nuevos reciben el cambio de inmediato.',
  deleteTitle: (name: string) => `¿Eliminar ${name}?`,
  deleteText: 'Sus países ya no pertenecen a ningún mercado. No se puede deshacer.',
  byPlan: 'Precios por mercado',
  plan: 'Plan',
  market: 'Mercado',
  price: 'Precio',
};
