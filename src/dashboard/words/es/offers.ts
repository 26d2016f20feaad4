import type { offers as english } from '../en/offers.ts';
import { plural } from '../language.ts';
import type { Translation } from '../words.ts';

export const offers: Translation<typeof english> = {
  text: 'Pruebas, descuentos y precios temporales que puedes dar a los clientes.',
  empty: 'Todavía no hay ofertas',
  noneInState: 'Ninguna oferta está en este estado',
  state: 'Estado',
  filters: { all: 'Todas', on: 'Activadas', off: 'Desactivadas' },
  states: { on: 'Activa', off: 'Inactiva', planned: 'Planeada', over: 'Terminada' },
  applied: 'Aplicada',
  quoted: 'En pagos abiertos',
  brief: {
    joint: ', después ',
    trial: (days: number) => `${days} ${plural(days, 'día', 'días')} gratis`,
    off: (what: string) => `${what} de descuento`,
    fixed: (amount: string) => `${amount} en lugar del precio`,
    lasting: (benefit: string, cycles: number) =>
      `${benefit} durante ${cycles} ${plural(cycles, 'periodo', 'periodos')}`,
    forever: (benefit: string) => `${benefit} para siempre`,
  },
  fits: {
    title: 'Sirve como',
    introductory: 'Oferta de bienvenida',
    promoCode: 'Código promocional',
    cards: 'Promoción de tarjetas',
    direct: 'Oferta directa',
  },
  editor: {
    phase: (index: number, kind: string) => `${index}. ${kind}`,
    kinds: {
      free_trial: 'Prueba gratuita',
      percentage: 'Porcentaje de descuento',
      amount_off: 'Importe de descuento',
      fixed_price: 'Precio fijo',
    },
    kindTexts: {
      free_trial: 'Días antes del primer cobro. Solo como primera fase.',
      percentage: 'Una parte del precio del plan.',
      amount_off: 'Un importe menos sobre el precio del plan, en cada moneda que indiques.',
      fixed_price: 'Otro importe en lugar del precio del plan.',
    },
    addPhase: 'Añadir fase',
    addCurrency: 'Añadir moneda',
    days: 'Días',
    share: 'Descuento',
    amountIn: (currency: string) => `Importe en ${currency}`,
    removeAmount: (currency: string) => `Quitar el importe en ${currency}`,
    cycles: 'Periodos de facturación',
    cyclesHelp: 'Meses con un precio mensual, años con uno anual.',
    openEnd: 'Sin fin',
    interval: 'Se cobra',
    planInterval: 'Como el plan',
    earlier: (index: number) => `Subir la fase ${index}`,
    later: (index: number) => `Bajar la fase ${index}`,
    remove: (index: number) => `Quitar la fase ${index}`,
    problems: {
      trial_not_first: 'Una prueba gratuita solo puede ser la primera fase.',
      open_not_last: 'Solo la última fase puede no tener fin.',
      no_amounts: 'Añade un importe en al menos una moneda.',
      repeated_currency: 'Cada moneda puede estar aquí una vez.',
      no_share: 'El porcentaje tiene que ser mayor que 0.',
      too_many: 'Una oferta tiene 10 fases como máximo.',
    },
  },
  results: {
    title: 'Lo que paga el cliente',
    examplePrice: 'Con un precio de',
    currency: 'Moneda',
    when: 'Cuándo',
    pays: 'Paga',
    saves: 'Ahorra',
    nothing: 'Nada',
    noAmount: 'Sin importe en esta moneda',
    days: (count: number) => `Primeros ${count} ${plural(count, 'día', 'días')}`,
    cycle: (index: number) => `Periodo ${index}`,
    cycles: (from: number, to: number) => `Periodos ${from} a ${to}`,
    from: (index: number) => `Desde el periodo ${index}`,
    afterwards: 'Después',
  },
  sheet: {
    new: 'Nueva oferta',
    create: 'Crear oferta',
    nameHelp: 'Los clientes la ven al pagar y en las facturas.',
    phases: 'Fases',
    window: 'Cuándo se puede dar',
    active: 'Activada',
    activeHelp: 'Si se desactiva, no se puede dar. Los clientes que la tienen la conservan.',
    from: 'Desde',
    until: 'Hasta',
    changeText:
      'Los cambios valen para nuevos clientes de la oferta. Quien ya la tiene conserva sus condiciones.',
    deleteTitle: (name: string) => `¿Eliminar ${name}?`,
    deleteText:
      'La oferta ya no se puede dar, y sus códigos y promociones de tarjetas dejan de funcionar. Quien la tiene la conserva. No se puede deshacer.',
    uses: (count: number) =>
      count === 0 ? 'Nadie la ha usado.' : plural(count, 'Se aplicó una vez.', `Se aplicó ${count} veces.`),
  },
  places: {
    title: 'Dónde se usa',
    uses: (applied: number, quoted: number) =>
      `Aplicada ${applied} ${plural(applied, 'vez', 'veces')}, visible en ${quoted} ${plural(quoted, 'pago abierto', 'pagos abiertos')}.`,
    nowhere: 'No está colocada en ningún sitio: puedes darla a clientes concretos.',
    price: (plan: string, interval: string) => `Oferta de bienvenida de ${plan}, ${interval}`,
    code: (code: string, redeemed: number) =>
      `Código ${code}, canjeado ${redeemed} ${plural(redeemed, 'vez', 'veces')}`,
    retention: 'Oferta para quedarse, para quien está a punto de irse',
    cards: (count: number) =>
      `Promoción para ${count} ${plural(count, 'rango de tarjetas', 'rangos de tarjetas')}`,
    off: 'Desactivado',
    makeCodes: 'Crear códigos promocionales',
  },
};
