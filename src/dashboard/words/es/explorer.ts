import type { explorer as english } from '../en/explorer.ts';
import type { Translation } from '../words.ts';

/** El explorador: documentos, respuestas y documentación. */
export const explorer: Translation<typeof english> = {
  about:
    'Escribe un documento de GraphQL, ejecútalo con tu sesión o una clave, y lee lo que dice el esquema.',
  document: 'Documento',
  operation: 'Operación',
  variables: 'Variables (JSON)',
  headers: 'Cabeceras (JSON)',
  headersHelp: 'Opcional. Con "x-api-key" la petición se envía con esa clave en lugar de tu sesión.',
  notJson: 'Esto no es un objeto JSON. Las cabeceras son textos.',
  run: 'Ejecutar',
  stop: 'Detener',
  copyCurl: 'Copiar como curl',
  answer: 'Respuesta',
  docs: 'Documentación',
  history: 'Historial',
  notRun: 'Aún no se ha ejecutado nada',
  notRunText: 'Las mutaciones cambian datos de este entorno.',
  took: (milliseconds) => `${milliseconds} ms`,
  cost: 'Coste',
  following: (count) => `Siguiendo: ${count}`,
  ended: (count) => `Terminado: ${count}`,
  place: (line, column) => `Línea ${line}, columna ${column}`,
  schemaFailed: 'No se pudo cargar el esquema',
  searchSchema: 'Buscar campos y tipos',
  docsAbout: 'Elige un tipo, o pulsa un nombre del documento con Ctrl o Cmd.',
  deprecated: 'Obsoleto',
  at: 'Hora',
  noHistory: 'No se ha ejecutado nada en este navegador',
  noHistoryText: 'Los documentos con sus variables se quedan en este navegador. Las cabeceras no.',
  clearHistory: 'Borrar historial',
};
