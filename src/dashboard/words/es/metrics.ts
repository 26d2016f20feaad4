import type { metrics as english } from '../en/metrics.ts';
import type { Translation } from '../words.ts';

export const metrics: Translation<typeof english> = {
  subtitle: 'Los ingresos recurrentes, y lo que el negocio cobra, factura y tiene por cobrar.',
  range: 'Días',
  interval: 'Por',
  intervals: { day: 'Día', week: 'Semana', month: 'Mes', quarter: 'Trimestre', year: 'Año' },
  currency: 'Moneda',
  cash: 'Cobro neto',
  cashText: 'Lo cobrado, menos reembolsos y disputas perdidas.',
  collected: 'Cobrado',
  returned: 'Reembolsado y perdido en disputas',
  netCash: 'Cobro neto',
  billed: 'Facturado por plan',
  billedText: 'Antes de impuestos y después de descuentos, menos lo anulado.',
  noPlan: 'Sin plan',
  others: 'Otros planes',
  receivables: 'Cuentas por cobrar',
  receivablesText: ({ day }) =>
    `Lo que deben los clientes al final del ${day}, según los días desde su vencimiento.`,
  total: 'Todo lo pendiente',
  daysOutstanding: 'Días de venta pendientes de cobro',
  days: ({ count }) => `${count} días`,
  ageing: {
    notDue: 'Sin vencer',
    d1To30: '1–30',
    d31To60: '31–60',
    d61To90: '61–90',
    d91: '91+',
  },
  recovery: 'Recuperación de pagos fallidos',
  recoveryText: 'Por el día del primer fallo. Recuperadas entre las que terminaron.',
  recoveryRate: 'Recuperadas',
  outcomes: {
    recovered: 'Recuperadas',
    exhausted: 'Incobrables',
    canceled: 'Canceladas',
    voided: 'Anuladas',
    open: 'En cobro',
  },
  invoices: ({ count }) => `${count} facturas`,
  missingRates: ({ currencies }) =>
    `Faltan tipos de cambio de ${currencies}. Las cifras que los necesitan se muestran como 0.`,
  incomplete: 'Las sumas aún se están haciendo; las cifras de los últimos días no están completas.',
  nothingBilled: 'No se facturó nada en estos días',
  nothingFailed: 'No falló ningún pago en estos días',
  nothingOwed: 'Nadie debe nada',
};
