import type { taxes as english } from '../en/taxes.ts';
import type { Translation } from '../words.ts';

export const taxes: Translation<typeof english> = {
  actions: 'Acciones',
  text: 'Dónde estás registrado para impuestos. Las facturas a estos lugares llevan impuesto; las demás, no.',
  registrations: 'Registros fiscales',
  add: 'Añadir registro',
  create: 'Cobrar impuesto allí',
  created: 'Desde ahora, las facturas a este lugar llevan impuesto.',
  country: 'País',
  region: 'Estado o provincia',
  regionHelp: 'Déjalo vacío para todo el país.',
  whole: 'Todo el país',
  rate: 'Tipo',
  rateHelp: 'Déjalo vacío para el tipo general en la fecha de cada factura.',
  standard: 'Tipo general',
  since: 'Desde',
  none: 'No se cobra impuesto en ningún sitio',
  noneText: 'Añade los países y estados donde estás registrado.',
  remove: 'Eliminar',
  removeTitle: '¿Eliminar este registro?',
  removeText: 'Las facturas siguientes a este lugar no llevarán impuesto. Las ya emitidas quedan como están.',
  removed: 'Las facturas siguientes a este lugar no llevarán impuesto.',
  more: 'Se muestran los 100 registros más recientes.',
};
