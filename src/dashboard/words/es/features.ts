import type { features as english } from '../en/features.ts';
import { plural } from '../language.ts';
import type { Translation } from '../words.ts';

export const features: Translation<typeof english> = {
  text: 'Lo que contienen los planes: capacidades, uso que se cuenta, puestos y cuotas.',
  empty: 'Todavía no hay funcionalidades',
  new: 'Nueva funcionalidad',
  create: 'Crear funcionalidad',
  type: 'Tipo',
  unitName: 'Nombre de una unidad',
  unitHelp: 'Como aparece detrás de un precio: «por llamada».',
  usedIn: 'Usada en',
  plans: (count: number) => `${count} ${plural(count, 'plan', 'planes')}`,
  usedBy: (names: string) => `La usan ${names}.`,
  unused: 'Sin usar',
  deleteTitle: (name: string) => `¿Eliminar ${name}?`,
  deleteText: 'Tu software deja de recibir respuesta para este código. No se puede deshacer.',
};
