import type { models as english } from '../en/models.ts';
import type { Translation } from '../words.ts';

export const models: Translation<typeof english> = {
  text: 'Lo que cuesta ahora un millón de tokens, en dólares. Los planes con saldo añaden su margen.',
  empty: 'El catálogo de modelos de IA está vacío',
  noneFound: 'Ningún modelo de IA tiene este proveedor y nombre',
  notLoaded: 'No se pudo cargar el modelo',
  provider: 'Proveedor',
  name: 'Nombre del modelo',
  model: 'Modelo',
  input: 'Entrada',
  output: 'Salida',
  cacheRead: 'Lectura de caché',
  cacheWrite: 'Escritura de caché',
  state: 'Estado',
  active: 'Activo',
  gone: 'Ya no figura',
  history: 'Precios a lo largo del tiempo',
  since: 'Desde',
  previous: 'Anteriores',
  next: 'Siguientes',
};
