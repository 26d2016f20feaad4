import type { catalog as english } from '../en/catalog.ts';
import { plural } from '../language.ts';
import type { Translation } from '../words.ts';

export const catalog: Translation<typeof english> = {
  search: 'Buscar',
  noMatch: (text: string) => `Nada coincide con «${text}».`,
  newer: 'Más recientes',
  older: 'Más antiguos',
  listFailed: 'No se pudo cargar la lista',
  hidden: 'Oculto',
  free: 'Gratis',
  per: (amount: string, unit: string) => `${amount} / ${unit}`,
  onceOf: (amount: string) => `${amount} una vez`,
  verbs: {
    cancel: 'Cancelar',
    close: 'Cerrar',
    save: 'Guardar cambios',
    delete: 'Eliminar',
    edit: 'Editar',
    add: 'Añadir',
    remove: 'Quitar',
    discard: 'Descartar',
    more: 'Mostrar más',
  },
  intervals: {
    weekly: 'Semanal',
    monthly: 'Mensual',
    quarterly: 'Trimestral',
    yearly: 'Anual',
    one_time: 'Una vez',
  },
  intervalUnits: {
    weekly: 'semana',
    monthly: 'mes',
    quarterly: 'trimestre',
    yearly: 'año',
    one_time: 'una vez',
  },
  models: { metered: 'Por consumo', credits: 'Créditos', balance: 'Saldo' },
  modelTexts: {
    metered:
      'Unidades incluidas en cada periodo y un precio por cada unidad adicional. También sirve para precios fijos y puestos.',
    credits: 'Cada periodo incluye créditos que el uso consume. Los paquetes venden más.',
    balance: 'Cada periodo incluye dinero que el uso consume, por ejemplo tokens de modelos de IA.',
  },
  types: { boolean: 'Sí o no', usage: 'Uso', seats: 'Puestos', quota: 'Cuota' },
  typeTexts: {
    boolean: 'Una capacidad que un plan tiene o no, como el inicio de sesión único.',
    usage: 'Consumo que se cuenta, como llamadas a la API. Empieza en 0 cada periodo.',
    seats: 'Licencias asignadas a personas. Se mantienen cuando empieza otro periodo.',
    quota: 'Cosas que existen durante un tiempo, como proyectos. Se mantienen cuando empieza otro periodo.',
  },
  code: 'Código',
  codeHelp: 'Tu software lo llama por este código. No cambia nunca.',
  name: 'Nombre',
  description: 'Descripción',
  card: {
    unnamed: 'Plan sin nombre',
    noPrice: 'Aún sin precio',
    trial: (days: number) => `${days} ${plural(days, 'día', 'días')} gratis`,
    creditsIncluded: (count: string) => `${count} créditos al mes`,
    balanceIncluded: (amount: string) => `${amount} de uso al mes`,
    unlimited: (feature: string) => `${feature}, sin límite`,
    included: (count: string, feature: string) => `${feature}: ${count} incluidos`,
    // biome-ignore lint/suspicious/noThenProperty: the words of a price above what is included.
    then: (included: string, price: string) => `${included}, luego ${price} cada uno`,
    credits: (feature: string, count: string, unit: string) =>
      `${feature}: ${count} créditos por ${unit === '' ? 'unidad' : unit}`,
    fromBalance: (feature: string, price: string, unit: string) =>
      `${feature}: ${price} por ${unit === '' ? 'unidad' : unit}`,
    byModel: (feature: string) => `${feature}: precio según el modelo`,
  },
  firstInvoice: {
    title: 'Primera factura',
    atOnce: 'Se paga al suscribirse.',
    after: (days: number) => `Se paga al terminar la prueba de ${days} ${plural(days, 'día', 'días')}.`,
    units: (feature: string, count: string, price: string) => `${feature}: ${count} más × ${price}`,
    discount: 'Oferta de bienvenida',
    total: 'Total',
    beforeTax:
      'Sin impuestos. Los impuestos dependen de la dirección del cliente y de tus registros fiscales.',
    later: (feature: string, used: string, included: string, over: string, amount: string) =>
      `Al final del periodo: ${used} ${feature}, ${included} incluidos, ${over} adicionales cuestan ${amount}.`,
  },
  impact: {
    nobody: 'No afecta a ningún suscriptor actual.',
    nothing: 'Nada cambia para los suscriptores actuales.',
    concerned: (count: string, isOne: boolean) =>
      isOne ? 'Afecta a 1 suscriptor:' : `Afecta a ${count} suscriptores:`,
    when: {
      immediately: 'de inmediato, para todo el periodo en curso.',
      at_renewal: 'al renovarse,',
      at_next_period: 'con el próximo periodo,',
      new_subscriptions: 'conservan este precio.',
      plan_kept: 'conservan el plan.',
      never: 'nada cambia.',
    },
    between: (from: string, until: string) => (from === until ? `el ${from}.` : `del ${from} al ${until}.`),
    favor: {
      customer: 'A favor de los clientes.',
      merchant: 'A tu favor.',
      mixed: 'En parte a favor de los clientes.',
    },
    others: ' y otros',
  },
  rejections: {
    no_answer: 'El servicio no respondió. Comprueba tu conexión e inténtalo de nuevo.',
    validation_error: 'Algunos datos no son correctos. Mira los campos de arriba.',
    duplicate: 'Ya existe uno con este nombre, código o país.',
    feature_already_exists: 'Ya existe una funcionalidad con este código o nombre, o ya está en uso aquí.',
    feature_in_use: 'Un plan o complemento usa esta funcionalidad. Quítala de ellos primero.',
    market_in_use: 'Un precio o una suscripción usa este mercado. Quita primero sus precios.',
    price_in_use:
      'Este precio está en uso: por suscripciones en una moneda, por una variante o como precio predeterminado del plan.',
    addon_has_activations: 'Hay suscripciones con este complemento. Quítalo de ellas primero.',
    offer_not_applicable: 'La oferta no encaja aquí. Revisa sus fases.',
    card_promotions_not_available: 'Las promociones de tarjetas no están activadas en tu organización.',
    plan_not_found: 'Este plan ya no existe.',
    feature_not_found: 'Esta funcionalidad ya no existe.',
    price_not_found: 'Este precio ya no existe.',
    offer_not_found: 'Esta oferta ya no existe.',
    forbidden: 'Tu rol no permite hacer esto.',
  },
};
