import type { lists as english } from '../en/lists.ts';
import type { Translation } from '../words.ts';

/** Lo que dicen las listas sobre las vistas que se guardan de ellas. */
export const lists: Translation<typeof english> = {
  firstRequest: 'La petición que crea la primera fila',
  export: 'Exportar',
  bulk: {
    export: 'Exportar la selección',
    tooMany: (most: number) => `Hasta ${most} filas a la vez.`,
    creditCreate: 'Dar crédito',
    offerApply: 'Aplicar oferta',
    portalLink: 'Enlaces al portal',
    cancel: 'Cancelar al final del periodo',
  },
  views: 'Vistas',
  thisView: 'Esta vista',
  save: 'Guardar como vista…',
  saveTitle: 'Guardar vista',
  editTitle: 'Renombrar o compartir la vista',
  saveView: 'Guardar vista',
  name: 'Nombre',
  share: 'La ven todos los miembros',
  shared: 'Compartida',
  sharedBy: (person) => `Compartida por ${person}`,
  update: (name) => `Guardar los cambios en «${name}»`,
  updated: (name) => `Se guardó «${name}».`,
  edit: (name) => `Renombrar o compartir «${name}»`,
  remove: (name) => `Eliminar «${name}»`,
  removeView: 'Eliminar vista',
  removeOwn: 'Las filas no cambian; solo desaparece la vista.',
  removeShared: 'Desaparece para todos los miembros. Las filas no cambian.',
};
