// Values in event summaries. The values come only from the event's data, so that a summary never changes.
import type { Messages } from '../../generated/messages/documents.ts';
import { count, type Data, optional, optionalReason, part, text, type Values } from './event-readers.ts';
import type { EventKind } from './events.ts';

export type EventMessages = Messages['events'];

/** Arguments of a message. Empty if the message has no arguments. */
type ArgumentsOf<Message> = Message extends (values: infer Arguments) => string
  ? Arguments
  : Readonly<Record<string, never>>;

const none = () => ({});

const plan = (data: Data) => optional('plan', text(data, 'planName'));
const feature = (data: Data) => optional('feature', text(data, 'featureCode'));
const invoice = (data: Data) => optional('invoice', text(data, 'invoiceNumber'));
const customer = (data: Data) =>
  optional('customer', text(data, 'fullName') ?? text(data, 'email') ?? text(data, 'externalId'));
const mandate = (data: Data) => optional('reference', text(data, 'reference'));
const place = (data: Data) => optional('place', text(data, 'region') ?? text(data, 'country'));

const invoiceWithTotal = (data: Data, { amount }: Values, field = 'total', currencyField = 'currency') => ({
  ...invoice(data),
  ...optional('total', amount(data, field, currencyField)),
});

/** Returns the name of the new plan and the new interval. `isInterval` is true if the plan doesn't change. */
const planChangeTarget = (data: Data, planField: string, intervalField: string) => {
  const [current, next] = [part(data, 'currentPlan'), part(data, planField)];
  return {
    isInterval: current['id'] === next['id'],
    interval: text(data, intervalField) ?? '',
    ...optional('plan', text(next, 'name')),
  };
};

const card = (data: Data) => {
  const { brand, last4 } = part(data, 'card');
  return {
    ...optional('brand', typeof brand === 'string' ? brand : null),
    ...optional('last4', typeof last4 === 'string' ? last4 : null),
  };
};

const grantDuration = (data: Data, { date }: Values) => {
  const until = date(data, 'expiresAt');
  return {
    duration:
      data['duration'] === 'until_revoked' ? 'until_revoked' : until === null ? 'cycles' : 'until_date',
    until: until ?? '',
    periods: count(data, 'durationCycles'),
  };
};

const payout = (data: Data, { amount }: Values) => {
  const account = part(data, 'destinationBank');
  return {
    ...optional('amount', amount(data, 'amount')),
    ...optional('bank', text(account, 'bankName')),
    ...optional('last4', text(account, 'last4')),
  };
};

const payment = (data: Data, { amount }: Values) => ({
  ...invoice(data),
  ...optional('amount', amount(data, 'disputeAmount')),
});

const topUpReason = (data: Data) => ({ reason: text(data, 'reason') ?? '' });

const paymentLink = (data: Data, { amount }: Values) => ({
  ...optional('amount', amount(data, 'amount')),
  ...optional('description', text(data, 'description')),
});

/** Returns the destination of a payment route: the platform, the default payment account or a provider's payment account. */
const destination = (data: Data) => {
  const provider = text(data, 'provider') ?? '';
  return {
    destination: provider === 'platform' ? 'platform' : provider === '' ? 'default' : 'provider',
    provider,
  };
};

/** Returns an amount of a limit with its currency or custom unit. */
const limited = (data: Data, field: string): string | null => {
  const [amount, unit] = [text(data, field), text(data, 'unit')];
  return amount === null || unit === 'units' || unit === 'calls'
    ? amount
    : `${amount} ${unit?.toUpperCase()}`;
};

const limit = (data: Data) => optional('limit', text(data, 'name'));
const limitRaise = (data: Data) => ({ ...limit(data), ...optional('raise', limited(data, 'raise')) });

/** Arguments of each event type's summary. */
export const summaryValues: {
  readonly [Kind in EventKind]: (data: Data, values: Values) => ArgumentsOf<EventMessages[Kind]>;
} = {
  'subscription.created': plan,
  'subscription.activated': (data, values) => ({
    ...optional('name', text(data, 'name')),
    ...invoiceWithTotal(data, values, 'invoiceTotal', 'invoiceCurrency'),
  }),
  'subscription.reactivated': (data, values) => ({
    ...optional('name', text(data, 'name')),
    ...invoiceWithTotal(data, values, 'invoiceTotal', 'invoiceCurrency'),
  }),
  'subscription.canceled': (data) => optionalReason(text(data, 'cancelReason')),
  'subscription.updated': none,
  'subscription.plan_changed': (data) => {
    const [previous, current] = [part(data, 'previousPlan'), part(data, 'currentPlan')];
    return {
      isInterval: text(current, 'id') !== null && previous['id'] === current['id'],
      ...optional('previous', text(previous, 'name')),
      ...optional('plan', text(current, 'name')),
      interval: text(data, 'billingInterval') ?? '',
    };
  },
  'subscription.cancellation_scheduled': (data, { date }) => optional('date', date(data, 'effectiveAt')),
  'subscription.cancellation_revoked': none,
  'subscription.retained': (data) => ({
    ...optional('offer', text(data, 'offerName')),
    ...optionalReason(text(data, 'cancelReason')),
  }),
  'subscription.plan_change_scheduled': (data, { date }) => ({
    ...planChangeTarget(data, 'scheduledPlan', 'scheduledBillingInterval'),
    ...optional('date', date(data, 'effectiveAt')),
  }),
  'subscription.plan_change_revoked': (data) =>
    planChangeTarget(data, 'revokedPlan', 'revokedBillingInterval'),
  'subscription.past_due': invoice,
  'subscription.charges_waived': none,
  'trial.started': (data, { date }) => ({ ...plan(data), ...optional('date', date(data, 'trialEndsAt')) }),
  'trial.converted': plan,
  'trial.expired': plan,
  'trial.will_end': (data, { date }) => ({ ...plan(data), ...optional('date', date(data, 'trialEndsAt')) }),
  'trial.checkout_ready': (data) => ({ ...plan(data), days: count(data, 'trialDays') }),
  'checkout.duplicate': none,
  'checkout.expired': none,
  'checkout.ready': (data, values) => invoiceWithTotal(data, values, 'invoiceTotal', 'invoiceCurrency'),
  'payment.scheduled': (data, values) => ({
    ...invoiceWithTotal(data, values, 'amount'),
    ...optional('date', values.date(data, 'collectionOn')),
  }),
  'payment.processing': (data, values) => ({
    ...invoiceWithTotal(data, values, 'amount'),
    ...optional('date', values.date(data, 'expectedOn')),
  }),
  'payment.returned': (data, values) => ({
    ...invoiceWithTotal(data, values, 'amount'),
    ...optionalReason(text(data, 'failureCode')),
  }),
  'receipt.recorded': (data, values) => invoiceWithTotal(data, values, 'amount'),
  'receipt.applied': (data, values) => invoiceWithTotal(data, values, 'amount'),
  'receipt.returned': (data, values) => invoiceWithTotal(data, values, 'returnedAmount'),
  'payment.received': (data, values) => invoiceWithTotal(data, values, 'invoiceTotal'),
  'payment.failed': (data, { englishText }) => ({
    ...invoice(data),
    ...optionalReason(englishText(data, 'failureMessage')),
  }),
  'payment.recovered': invoice,
  'payment.retry_failed': (data, { englishWords }) => ({
    ...invoice(data),
    ...optionalReason(englishWords(data, 'reason')),
  }),
  'payment.refunded': (data, { amount }) => ({
    ...invoice(data),
    ...optional('amount', amount(data, 'refundAmount')),
  }),
  'payment.disputed': (data, values) => ({
    ...payment(data, values),
    ...optionalReason(values.englishWords(data, 'disputeReason')),
  }),
  'payment.dispute_resolved': (data, values) => ({
    ...payment(data, values),
    outcome: text(data, 'outcome') ?? '',
  }),
  'payment_link.created': paymentLink,
  'payment_link.completed': (data, values) => ({ ...paymentLink(data, values), ...invoice(data) }),
  'payment_link.failed': (data, values) => ({
    ...paymentLink(data, values),
    ...optionalReason(values.englishText(data, 'failureMessage')),
  }),
  'payment_link.canceled': paymentLink,
  'invoice.created': invoiceWithTotal,
  'invoice.updated': invoiceWithTotal,
  'invoice.reopened': invoiceWithTotal,
  'invoice.voided': invoiceWithTotal,
  'invoice.overdue': (data, values) => ({
    ...invoiceWithTotal(data, values),
    ...optional('date', values.date(data, 'dueDate')),
  }),
  'invoice.upcoming': (data, { date }) => ({
    ...plan(data),
    ...optional('date', date(data, 'currentPeriodEnd')),
  }),
  'payment_method.expiring': (data, { date }) => ({
    ...card(data),
    ...plan(data),
    ...optional('date', date(data, 'renewsAt')),
  }),
  // The total of a credit note is negative, but the summary shows a positive amount.
  'credit_note.created': (data, values) => ({
    ...invoiceWithTotal({ ...data, total: -count(data, 'total') }, values),
    ...optional('creditNote', text(data, 'creditNoteNumber')),
  }),
  'payment_method.attached': card,
  'payment_method.updated': card,
  'payment_method.detached': card,
  'mandate.created': mandate,
  'mandate.revoked': (data) => ({ ...mandate(data), ...optionalReason(text(data, 'reason')) }),
  'customer.created': customer,
  'customer.updated': customer,
  'customer.deleted': customer,
  'customer.state_changed': (data, { englishWords }) => optionalReason(englishWords(data, 'trigger')),
  'plan_grant.created': grantDuration,
  'plan_grant.updated': grantDuration,
  'plan_grant.expired': none,
  'plan_grant.revoked': none,
  'credits.granted': (data) => ({
    credits: count(data, 'credits'),
    isPeriodReset: data['reason'] === 'period_reset',
  }),
  'credits.purchased': (data) => ({
    ...optional('creditPack', text(data, 'creditPackName')),
    ...invoice(data),
    credits: count(data, 'credits'),
  }),
  'credits.low': (data) => ({
    remaining: count(data, 'remainingCredits'),
    credits: count(data, 'periodCredits'),
  }),
  'credits.depleted': none,
  'credits.expired': (data) => ({ credits: count(data, 'expiredCredits') }),
  'lot.granted': none,
  'lot.expiring': (data, { date }) => optional('date', date(data, 'expiresAt')),
  'lot.expired': none,
  'lot.refunded': none,
  'commitment.purchased': none,
  'commitment.ended': none,
  'auto_topup.succeeded': (data, { amount }) => optional('amount', amount(data, 'amount')),
  'auto_topup.skipped': topUpReason,
  'auto_topup.failed': topUpReason,
  'auto_topup.paused': topUpReason,
  'auto_topup.resumed': none,
  'usage.corrected': feature,
  'meter.dimensions_full': feature,
  'meter.recounted': feature,
  'limit.threshold_reached': (data) => ({
    ...limit(data),
    ...optional('threshold', limited(data, 'threshold')),
  }),
  'limit.reached': (data) => ({ ...limit(data), ...optional('value', limited(data, 'value')) }),
  'limit.resolved': (data) => ({ ...limit(data), ...optional('value', limited(data, 'value')) }),
  'usage.anomaly': (data) => ({
    ...limit(data),
    ...optional('value', limited(data, 'value')),
    ...optional('median', limited(data, 'median')),
  }),
  'limit.raised': limitRaise,
  'limit.raise_ended': limitRaise,
  'limit.overrun': (data) => ({ ...limit(data), ...optional('excess', limited(data, 'excess')) }),
  'hold.expired': feature,
  'hold.settled_late': feature,
  'usage.uncounted': feature,
  'approval.requested': (data) => optional('operation', text(data, 'operation')),
  'approval.decided': (data) => ({
    ...optional('operation', text(data, 'operation')),
    isApproved: data['decision'] === 'approve',
  }),
  'api_key.policy_changed': (data) => optional('name', text(data, 'name')),
  'api_key.narrowed': (data) => optional('name', text(data, 'name')),
  'app.connected': (data) => optional('name', text(data, 'name')),
  'rate_card.updated': (data) => optional('rateCard', text(data, 'name')),
  'balance.topped_up': (data, { rate }) => ({ ...invoice(data), amount: rate(data, 'amount') }),
  'balance.low': (data, { rate }) => ({ balance: rate(data, 'currentBalance') }),
  'balance.depleted': (data, { rate }) => ({ balance: rate(data, 'currentBalance') }),
  'quota.threshold_reached': (data) => ({
    ...feature(data),
    used: count(data, 'currentUsage'),
    included: count(data, 'includedAmount'),
  }),
  'quota.exceeded': (data) => ({
    ...feature(data),
    used: count(data, 'currentUsage'),
    included: count(data, 'includedAmount'),
  }),
  'seats.updated': (data) => ({
    ...feature(data),
    previous: count(data, 'previousSeats'),
    seats: count(data, 'currentSeats'),
  }),
  'seats.limit_reached': (data) => ({
    ...feature(data),
    seats: count(data, 'currentSeats'),
    included: count(data, 'includedSeats'),
  }),
  'addon.activated': (data, { rate }) => ({
    ...optional('addon', text(part(data, 'addon'), 'name')),
    price: rate(data, 'proratedPrice'),
  }),
  'addon.deactivated': (data) => optional('addon', text(part(data, 'addon'), 'name')),
  'usage.recorded': (data) => ({ ...feature(data), units: count(data, 'value') }),
  'payout.available': (data, { amount }) => optional('amount', amount(data, 'availableAmount')),
  'payout.created': payout,
  'payout.paid': payout,
  'payout.failed': (data, values) => ({
    ...payout(data, values),
    ...optionalReason(values.englishText(data, 'failureMessage')),
  }),
  'payout.canceled': payout,
  'payout_bank_account.created': (data) => optional('last4', text(data, 'last4')),
  'payment_connection.created': (data) => ({
    ...optional('name', text(data, 'name')),
    isDefault: data['isDefault'] === true,
  }),
  'payment_connection.updated': (data) => ({
    ...optional('name', text(data, 'name')),
    ...optional('fields', Array.isArray(data['changedFields']) ? data['changedFields'].join(', ') : null),
  }),
  'payment_route.updated': (data) => ({
    ...optional('country', text(data, 'country')),
    ...destination(data),
  }),
  'tax_registration.created': place,
  'tax_registration.deleted': place,
  'export.completed': (data, { englishWords }) => ({
    ...optional('list', englishWords(data, 'kind')),
    rows: count(data, 'rows'),
  }),
  'export.failed': (data, { englishText, englishWords }) => ({
    ...optional('list', englishWords(data, 'kind')),
    ...optionalReason(englishText(data, 'error')),
  }),
  'deadline.failed': (data, { date, englishText }) => ({
    deadline: text(data, 'deadline') ?? '',
    ...optional('date', date(data, 'dueAt')),
    ...optionalReason(englishText(data, 'error')),
  }),
};
