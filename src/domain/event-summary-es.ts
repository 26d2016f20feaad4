import { after, because, type Data, dayOf, joined, part, text, valuesIn } from './event-readers.ts';
import type { EventKind } from './events.ts';

// Reasons that processors give in English are left out: pages say them by their codes.

const { count, amount, rate } = valuesIn('es');

/** A number of things, in the singular for one. */
const counted = (data: Data, field: string, one: string, several: string): string =>
  `${count(data, field)} ${data[field] === 1 ? one : several}`;

const months = [
  'enero',
  'febrero',
  'marzo',
  'abril',
  'mayo',
  'junio',
  'julio',
  'agosto',
  'septiembre',
  'octubre',
  'noviembre',
  'diciembre',
];

function date(data: Data, field: string): string | null {
  const day = dayOf(data, field);
  return day === null ? null : `${day[2]} de ${months[day[1]]} de ${day[0]}`;
}

const intervals: Readonly<Record<string, string>> = {
  weekly: 'semanal',
  monthly: 'mensual',
  quarterly: 'trimestral',
  yearly: 'anual',
  one_time: 'única',
};

const interval = (data: Data, field: string): string | null => intervals[text(data, field) ?? ''] ?? null;

const plan = (data: Data): string => text(data, 'planName') ?? 'un plan';
const feature = (data: Data): string => text(data, 'featureCode') ?? 'una funcionalidad';
const number = (data: Data): string | null => text(data, 'invoiceNumber');

/** The invoice by its number, with its amount where that is known. */
const invoice = (data: Data, total: string | null = null): string =>
  `${joined('la factura', number(data))}${after('de', total)}`;

const subscription = (data: Data): string => joined('la suscripción', text(data, 'name'));

const activated = (data: Data, how: string): string =>
  `${subscription(data)} ${how}${number(data) === null ? '' : ` con ${invoice(data, amount(data, 'invoiceTotal', 'invoiceCurrency'))}`}`;

/** What a plan change leads to: the other plan, or the other interval of the same one. */
function target(data: Data, planField: string, intervalField: string): string {
  const [current, next] = [part(data, 'currentPlan'), part(data, planField)];
  return current['id'] === next['id']
    ? `la facturación ${interval(data, intervalField) ?? 'por otro periodo'}`
    : (text(next, 'name') ?? 'otro plan');
}

const card = (data: Data): string => {
  const { brand, last4 } = part(data, 'card');
  return joined(
    'una tarjeta',
    typeof brand === 'string' ? brand : null,
    typeof last4 === 'string' ? `terminada en ${last4}` : null,
  );
};

const customer = (data: Data): string =>
  joined('el cliente', text(data, 'fullName') ?? text(data, 'email') ?? text(data, 'externalId'));

/** How long a plan grant lasts. */
function lasting(data: Data): string {
  if (data['duration'] === 'until_revoked') return 'hasta que se revoque';
  const until = date(data, 'expiresAt');
  return until === null
    ? `durante ${counted(data, 'durationCycles', 'periodo de facturación', 'periodos de facturación')}`
    : `hasta el ${until}`;
}

const bank = (data: Data): string => {
  const account = part(data, 'destinationBank');
  const name = text(account, 'bankName');
  return name === null ? '' : ` a la cuenta de ${name}${after('terminada en', text(account, 'last4'))}`;
};

const payout = (data: Data): string => `un retiro${after('de', amount(data, 'amount'))}${bank(data)}`;

/** What the charge of an event was for: an invoice, else a payment without one. */
const charge = (data: Data, field: string): string =>
  `un pago${after('de', amount(data, field))}${number(data) === null ? '' : ` por ${invoice(data)}`}`;

/** What was asked for by a link, and for what. */
const link = (data: Data): string =>
  `${amount(data, 'amount') ?? 'un pago'}${after('por', text(data, 'description'))}`;

const addon = (data: Data): string => joined('el complemento', text(part(data, 'addon'), 'name'));

const outcomes: Readonly<Record<string, string>> = { won: 'se ganó', lost: 'se perdió' };

/** What each kind says in Spanish, without its capital letter and full stop. */
export const spanish: { readonly [Kind in EventKind]: (data: Data) => string } = {
  'subscription.created': (data) => `se creó una suscripción a ${plan(data)}`,
  'subscription.activated': (data) => activated(data, 'quedó activa'),
  'subscription.reactivated': (data) => activated(data, 'se reactivó'),
  'subscription.canceled': (data) => `la suscripción se canceló${because(text(data, 'cancelReason'))}`,
  'subscription.updated': () => 'la suscripción se actualizó',
  'subscription.plan_changed': (data) =>
    `el plan cambió de ${text(part(data, 'previousPlan'), 'name') ?? 'otro'} a ${text(part(data, 'currentPlan'), 'name') ?? 'otro'}, con facturación ${interval(data, 'billingInterval') ?? 'como antes'}`,
  'subscription.cancellation_scheduled': (data) =>
    `se programó la cancelación de la suscripción${after('para el', date(data, 'effectiveAt'))}`,
  'subscription.cancellation_revoked': () => 'se anuló la cancelación programada de la suscripción',
  'subscription.retained': (data) =>
    `el cliente se queda con la oferta ${text(data, 'offerName') ?? 'que se le hizo'}${because(text(data, 'cancelReason'))}`,
  'subscription.plan_change_scheduled': (data) =>
    `se programó un cambio a ${target(data, 'scheduledPlan', 'scheduledBillingInterval')}${after('para el', date(data, 'effectiveAt'))}`,
  'subscription.plan_change_revoked': (data) =>
    `se anuló el cambio programado a ${target(data, 'revokedPlan', 'revokedBillingInterval')}`,
  'subscription.past_due': (data) =>
    `la suscripción tiene el pago atrasado porque ${invoice(data)} no está pagada`,
  'trial.started': (data) =>
    `empezó la prueba de ${plan(data)}${after('y termina el', date(data, 'trialEndsAt'))}`,
  'trial.converted': (data) => `la prueba de ${plan(data)} pasó a ser una suscripción de pago`,
  'trial.expired': (data) => `la prueba de ${plan(data)} terminó`,
  'trial.will_end': (data) => `la prueba de ${plan(data)} terminará${after('el', date(data, 'trialEndsAt'))}`,
  'trial.checkout_ready': (data) =>
    `la página de pago para una prueba de ${plan(data)} de ${counted(data, 'trialDays', 'día', 'días')} está lista`,
  'checkout.ready': (data) =>
    `la página de pago de ${invoice(data, amount(data, 'invoiceTotal', 'invoiceCurrency'))} está lista`,
  'payment.received': (data) => `se pagó ${invoice(data, amount(data, 'invoiceTotal'))}`,
  'payment.failed': (data) => `falló el pago de ${invoice(data)}`,
  'payment.recovered': (data) => `se pagó ${invoice(data)} después de pagos fallidos`,
  'payment.retry_failed': (data) => `falló el último reintento del pago de ${invoice(data)}`,
  'payment.refunded': (data) =>
    `se reembolsó ${amount(data, 'refundAmount') ?? 'un pago'}${number(data) === null ? '' : ` de ${invoice(data)}`}`,
  'payment.disputed': (data) => `se disputó ${charge(data, 'disputeAmount')}`,
  'payment.dispute_resolved': (data) =>
    `la disputa de ${charge(data, 'disputeAmount')} ${outcomes[text(data, 'outcome') ?? ''] ?? 'se resolvió'}`,
  'payment_link.created': (data) => `se creó un enlace de pago de ${link(data)}`,
  'payment_link.completed': (data) =>
    `se pagó el enlace de pago de ${link(data)}${number(data) === null ? '' : ` con ${invoice(data)}`}`,
  'payment_link.failed': (data) => `falló un pago con el enlace de pago de ${link(data)}`,
  'payment_link.canceled': (data) => `se canceló el enlace de pago de ${link(data)}`,
  'invoice.created': (data) => `se emitió ${invoice(data, amount(data, 'total'))}`,
  'invoice.voided': (data) => `se anuló ${invoice(data, amount(data, 'total'))}`,
  'invoice.overdue': (data) =>
    `${invoice(data, amount(data, 'total'))} está vencida${after('desde el', date(data, 'dueDate'))}`,
  'invoice.upcoming': (data) =>
    `la suscripción a ${plan(data)} se renovará${after('el', date(data, 'currentPeriodEnd'))}`,
  'payment_method.attached': (data) => `se guardó ${card(data)}`,
  'payment_method.updated': (data) => `el medio de pago se sustituyó por ${card(data)}`,
  'payment_method.detached': (data) => `se quitó ${card(data)}`,
  'customer.created': (data) => `se creó ${customer(data)}`,
  'customer.updated': (data) => `se actualizó ${customer(data)}`,
  'customer.deleted': (data) => `se eliminó ${customer(data)}`,
  'customer.state_changed': () => 'cambió el acceso del cliente',
  'plan_grant.created': (data) => `se concedió acceso a un plan superior ${lasting(data)}`,
  'plan_grant.updated': (data) => `la concesión del plan cambió y dura ${lasting(data)}`,
  'plan_grant.expired': () => 'la concesión del plan caducó',
  'plan_grant.revoked': () => 'la concesión del plan se revocó',
  'credits.granted': (data) =>
    `se ${data['credits'] === 1 ? 'concedió' : 'concedieron'} ${counted(data, 'credits', 'crédito', 'créditos')}${data['reason'] === 'period_reset' ? ' para el nuevo periodo' : ' a mano'}`,
  'credits.purchased': (data) =>
    `se compró ${text(data, 'creditPackName') ?? 'un paquete de créditos'} con ${counted(data, 'credits', 'crédito', 'créditos')} en ${invoice(data)}`,
  'credits.low': (data) =>
    `${data['remainingCredits'] === 1 ? 'queda' : 'quedan'} ${count(data, 'remainingCredits')} de ${counted(data, 'periodCredits', 'crédito', 'créditos')}`,
  'credits.depleted': () => 'se usaron todos los créditos',
  'credits.expired': (data) =>
    `${data['expiredCredits'] === 1 ? 'caducó' : 'caducaron'} ${counted(data, 'expiredCredits', 'crédito', 'créditos')}`,
  'balance.topped_up': (data) => `se añadió ${rate(data, 'amount')} al saldo con ${invoice(data)}`,
  'balance.low': (data) => `el saldo bajó a ${rate(data, 'currentBalance')}`,
  'balance.depleted': (data) => `el saldo se agotó y está en ${rate(data, 'currentBalance')}`,
  'quota.threshold_reached': (data) =>
    `el uso de ${feature(data)} llegó a ${count(data, 'currentUsage')} de ${count(data, 'includedAmount')} incluidos`,
  'quota.exceeded': (data) =>
    `el uso de ${feature(data)} agotó los ${count(data, 'includedAmount')} incluidos y está en ${count(data, 'currentUsage')}`,
  'seats.updated': (data) =>
    `los puestos de ${feature(data)} pasaron de ${count(data, 'previousSeats')} a ${count(data, 'currentSeats')}`,
  'seats.limit_reached': (data) =>
    `los puestos de ${feature(data)} llegaron a ${count(data, 'currentSeats')} de ${count(data, 'includedSeats')} incluidos`,
  'addon.activated': (data) => `se activó ${addon(data)} por ${rate(data, 'proratedPrice')}`,
  'addon.deactivated': (data) => `se desactivó ${addon(data)}`,
  'usage.recorded': (data) =>
    `se ${data['value'] === 1 ? 'usó' : 'usaron'} ${counted(data, 'value', 'unidad', 'unidades')} de ${feature(data)}`,
  'payout.available': (data) => `${amount(data, 'availableAmount') ?? 'un saldo'} se puede retirar`,
  'payout.created': (data) => `se pidió ${payout(data)}`,
  'payout.paid': (data) => `se pagó ${payout(data)}`,
  'payout.failed': (data) => `falló ${payout(data)}`,
  'export.completed': (data) => `terminó una exportación con ${counted(data, 'rows', 'fila', 'filas')}`,
  'export.failed': () => 'falló una exportación',
};
