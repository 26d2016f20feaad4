import { lineText } from '../../domain/invoicing/line-texts/es.ts';
import type { Words } from './en.ts';

/** What customers' pages say in Spanish. */
export const words: Words = {
  name: 'Español',
  direction: 'ltr',

  sandbox: {
    mark: 'Entorno de pruebas',
    view: 'Verlo desde otro país',
    savedCode: 'En el entorno de pruebas vale cualquier código menos 000.',
  },

  frame: {
    support: 'Ayuda',
    terms: 'Condiciones',
    privacy: 'Privacidad',
    language: 'Idioma',
    noScript: 'Esta página necesita JavaScript para continuar de forma segura.',
    working: 'Un momento …',
  },

  labels: {
    email: 'Correo electrónico',
    number: 'Número de tarjeta',
    expiry: 'Caducidad (MM/AA)',
    cvc: 'Código de seguridad',
    country: 'País',
    chooseCountry: 'Elige un país',
    line1: 'Calle y número',
    city: 'Ciudad',
    taxDocument: 'Número de identificación fiscal',
    phone: 'Número de teléfono',
    promoCode: 'Código promocional',
    billing: 'Dirección de facturación y número fiscal',
    business: 'Compro para una empresa',
    companyName: 'Nombre de la empresa',
    postalLike: (example) => `Como ${example}`,
    postalOdd: (example) => `Revísalo: suele ser como ${example}`,
    choose: 'Elegir',
  },
  postalCodes: {
    postal: 'Código postal',
    zip: 'Código postal (ZIP)',
    postcode: 'Código postal',
    pin: 'Código postal (PIN)',
    cep: 'Código postal (CEP)',
  },
  regions: {
    either: 'Estado o provincia',
    state: 'Estado',
    province: 'Provincia',
    prefecture: 'Prefectura',
    county: 'Condado',
    emirate: 'Emirato',
    region: 'Región',
    department: 'Departamento',
  },

  order: {
    title: 'Pedido',
    details: 'Detalles del pedido',
    times: (description, quantity) => `${description} × ${quantity}`,
    discount: 'Descuento',
    conditionalDiscount: 'Descuento, con una tarjeta admitida',
    tax: 'Impuestos',
    taxAt: (name, rate) => `${name} (${rate})`,
    taxOpen: 'Elige un país',
    why: '¿Por qué?',
    line: lineText,
    taxNames: { VAT: 'IVA', Tax: 'Impuesto' },
    taxOf: (tax, base) => `${tax} de ${base}.`,
    reverseCharge: 'Empresa de otro país de la UE: declaras el impuesto tú.',
    billedTo: (email) => `Se factura a ${email}.`,
  },

  payment: {
    receipt: 'Factura y recibo',
    title: 'Pago',
    card: 'Tarjeta',
    orByCard: 'o paga con tarjeta',
    pay: 'Pagar',
    payAmount: (amount) => `Pagar ${amount}`,
    back: (seller) => `Continuar a ${seller}`,
    savedCard: (card, expiry) => `${card}, caduca ${expiry}`,
    anotherCard: 'Otra tarjeta',
    codeWhy: 'El código de seguridad muestra que la tarjeta es tuya.',
    codesLeft: (count) =>
      `Te ${count === 1 ? 'queda 1 intento' : `quedan ${count} intentos`} con esta tarjeta.`,
    savedOver: 'La tarjeta guardada ya no vale aquí. Introduce otra.',
    otherCard: 'Probar con otra tarjeta',
    leaving: (seconds) => `Te llevamos allí en ${seconds} ${seconds === 1 ? 'segundo' : 'segundos'}.`,
    stayHere: 'Quedarme aquí',
    underWay: 'El pago está en curso. Esta página mostrará pronto el resultado.',
    statement: (name) => `Aparecerá en tu extracto como ${name}.`,
  },

  checkout: {
    dueNow: 'Importe de hoy',
    includes: 'Qué incluye',
    unlimited: (feature) => `${feature}: sin límite`,
    included: (feature, amount) => `${feature}: ${amount}`,
    interval: 'Periodo de facturación',
    intervals: {
      weekly: 'Semanal',
      monthly: 'Mensual',
      quarterly: 'Trimestral',
      yearly: 'Anual',
      one_time: 'Una vez',
    },
    per: {
      weekly: (price) => `${price} a la semana`,
      monthly: (price) => `${price} al mes`,
      quarterly: (price) => `${price} al trimestre`,
      yearly: (price) => `${price} al año`,
      one_time: (price) => `${price} una vez`,
    },
    saves: (amount) => `ahorras ${amount}`,
    seats: (count, price) => `${count} incluidos, cada uno más ${price}`,
    summary: (price) => `${price}.`,
    nothingToday: 'Hoy no se cobra nada.',
    trial: (days) => `${days} ${days === 1 ? 'día' : 'días'} gratis.`,
    trialThen: (days, price) => `${days} ${days === 1 ? 'día' : 'días'} gratis, después ${price}.`,
    next: (amount, day) => `Próximo cobro: ${amount} el ${day}.`,
    nextWithUsage: (amount, day) => `Próximo cobro: ${amount} más el uso no incluido, el ${day}.`,
    renews: {
      weekly: (seller) => `Se renueva cada semana hasta que canceles con ${seller}.`,
      monthly: (seller) => `Se renueva cada mes hasta que canceles con ${seller}.`,
      quarterly: (seller) => `Se renueva cada trimestre hasta que canceles con ${seller}.`,
      yearly: (seller) => `Se renueva cada año hasta que canceles con ${seller}.`,
      one_time: () => '',
    },
    addPromo: 'Añadir código promocional',
    apply: 'Aplicar',
    applied: (code, saving) => `${code}: ahorras ${saving}`,
    remove: (code) => `Quitar el código promocional ${code}`,
    consent: (seller) => `Acepto las condiciones de ${seller}.`,
    mandates: {
      once: (seller) => `Permites que ${seller} cobre a tu tarjeta esta única vez.`,
      recurring: (seller) =>
        `Permites que ${seller} guarde tu tarjeta y le cobre cada periodo de facturación hasta que canceles.`,
      recurring_with_usage: (seller) =>
        `Permites que ${seller} guarde tu tarjeta y le cobre cada periodo de facturación y el uso no incluido hasta que canceles.`,
    },
    taxNumber: (kind) => `No parece un número del tipo ${kind}. Revísalo.`,
    done: (name) => `Gracias. ${name} ya es tuyo.`,
    trialUntil: (day) => `Tu prueba dura hasta el ${day}.`,
    over: 'Este pedido ya se ha completado. Aquí no se cobra nada más.',
    canceled: 'Este pedido se ha cancelado. Pide un enlace nuevo al vendedor.',
    unavailable: 'El pedido no se puede mostrar ahora mismo. Vuelve a cargar la página.',
  },

  bank: {
    title: 'Confirma con tu banco',
    paying: (amount) => `Tu banco quiere saber que eres tú quien paga ${amount}.`,
    storing: 'Tu banco quiere saber que eres tú. Ahora no se cobra nada.',
    confirm: 'Confirmar',
    decline: 'Rechazar',
  },

  card: {
    save: 'Guardar tarjeta',
  },

  invalidLink: 'Este enlace no es válido. Pide uno nuevo al vendedor.',

  unknownError: 'No ha funcionado. Vuelve a cargar la página o pregunta al vendedor.',
  unknownOutcome:
    'No se puede contactar con el servicio: aún no se sabe si se ha completado. Lo escrito se conserva. Inténtalo de nuevo: nada se cobra dos veces.',
};
