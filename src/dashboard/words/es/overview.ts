import type { overview as english } from '../en/overview.ts';
import type { Translation } from '../words.ts';

/** El resumen de las páginas para desarrolladores. */
export const overview: Translation<typeof english> = {
  about: 'Dónde llaman tus programas a la API, y cómo les va.',
  openExplorer: 'Abrir el explorador',
  addresses: 'Direcciones',
  live: 'Campos en vivo (WebSocket)',
  version: 'Versión de la API',
  currentVersion: 'La actual',
  graphqlDocs: 'Referencia de GraphQL',
  restDocs: 'Referencia de REST',
  schema: 'Esquema como texto',
  endpoints: 'Destinos de webhooks, últimas 24 horas',
  address: 'Dirección',
  delivered: 'Entregados',
  failed: 'Fallidos',
  queued: 'En cola',
  noEndpoints: 'Aún no hay destinos',
  keys: 'Claves de API',
  name: 'Nombre',
  lastUsed: 'Último uso',
  neverUsed: 'Nunca',
  noKeys: 'Aún no hay claves de API',
  requests: 'Peticiones de esta pestaña',
  sent: 'Enviadas',
  withErrors: 'Con errores',
  slowest: 'Operaciones más lentas',
  milliseconds: 'ms',
  cost: 'Coste',
  events: 'Últimos eventos',
  noEvents: 'Aún no ha ocurrido nada.',
};
