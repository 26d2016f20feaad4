import { after, because, type Data, dayOf, joined, part, text, valuesIn, words } from './event-readers.ts';
import type { EventKind } from './events.ts';

const { count, amount, rate } = valuesIn('en');

/** A number of things, in the singular for one. */
const counted = (data: Data, field: string, thing: string): string =>
  `${count(data, field)} ${thing}${data[field] === 1 ? '' : 's'}`;

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

function date(data: Data, field: string): string | null {
  const day = dayOf(data, field);
  return day === null ? null : `${months[day[1]]} ${day[2]}, ${day[0]}`;
}

const plan = (data: Data): string => text(data, 'planName') ?? 'a plan';
const feature = (data: Data): string => text(data, 'featureCode') ?? 'a feature';
const number = (data: Data): string | null => text(data, 'invoiceNumber');

/** The invoice by its number, with its amount where that is known. */
const invoice = (data: Data, total: string | null = null): string =>
  `${joined('invoice', number(data))}${after('of', total)}`;

const subscription = (data: Data): string => joined('the subscription', text(data, 'name'));

const activated = (data: Data, how: string): string =>
  `${subscription(data)} ${how}${number(data) === null ? '' : ` with ${invoice(data, amount(data, 'invoiceTotal', 'invoiceCurrency'))}`}`;

/** What a plan change leads to: the other plan, or the other interval of the same one. */
function target(data: Data, planField: string, intervalField: string): string {
  const [current, next] = [part(data, 'currentPlan'), part(data, planField)];
  return current['id'] === next['id']
    ? `${text(data, intervalField) ?? 'other'} billing`
    : (text(next, 'name') ?? 'another plan');
}

const card = (data: Data): string => {
  const { brand, last4 } = part(data, 'card');
  return joined(
    typeof brand === 'string' ? brand : null,
    `card${after('ending in', typeof last4 === 'string' ? last4 : null)}`,
  );
};

const customer = (data: Data): string =>
  joined('customer', text(data, 'fullName') ?? text(data, 'email') ?? text(data, 'externalId'));

/** How long a plan grant lasts. */
function lasting(data: Data): string {
  if (data['duration'] === 'until_revoked') return 'until it is revoked';
  const until = date(data, 'expiresAt');
  return until === null ? `for ${counted(data, 'durationCycles', 'billing period')}` : `until ${until}`;
}

const bank = (data: Data): string => {
  const account = part(data, 'destinationBank');
  const name = text(account, 'bankName');
  return name === null ? '' : ` to ${name}${after('ending in', text(account, 'last4'))}`;
};

const exported = (data: Data): string => words(data, 'kind') ?? 'a list';
const payout = (data: Data): string => `a payout${after('of', amount(data, 'amount'))}${bank(data)}`;

/** What the charge of an event was for: an invoice, else a payment without one. */
const charge = (data: Data, field: string): string =>
  `a payment${after('of', amount(data, field))}${number(data) === null ? '' : ` for ${invoice(data)}`}`;

/** What was asked for by a link, and for what. */
const link = (data: Data): string =>
  `${amount(data, 'amount') ?? 'a payment'}${after('for', text(data, 'description'))}`;

const addon = (data: Data): string => joined('the add-on', text(part(data, 'addon'), 'name'));

/** What each kind says in English, without its capital letter and full stop. */
export const english: { readonly [Kind in EventKind]: (data: Data) => string } = {
  'subscription.created': (data) => `a subscription to ${plan(data)} was created`,
  'subscription.activated': (data) => activated(data, 'became active'),
  'subscription.reactivated': (data) => activated(data, 'was reactivated'),
  'subscription.canceled': (data) => `the subscription was canceled${because(text(data, 'cancelReason'))}`,
  'subscription.updated': () => 'the subscription was updated',
  'subscription.plan_changed': (data) =>
    `the plan changed from ${text(part(data, 'previousPlan'), 'name') ?? 'another'} to ${text(part(data, 'currentPlan'), 'name') ?? 'another'}, billed ${text(data, 'billingInterval') ?? 'as before'}`,
  'subscription.cancellation_scheduled': (data) =>
    `the cancellation of the subscription was scheduled${after('for', date(data, 'effectiveAt'))}`,
  'subscription.cancellation_revoked': () => 'the scheduled cancellation of the subscription was revoked',
  'subscription.retained': (data) =>
    `the customer stays with the offer ${text(data, 'offerName') ?? 'that was made'}${because(text(data, 'cancelReason'))}`,
  'subscription.plan_change_scheduled': (data) =>
    `a change to ${target(data, 'scheduledPlan', 'scheduledBillingInterval')} was scheduled${after('for', date(data, 'effectiveAt'))}`,
  'subscription.plan_change_revoked': (data) =>
    `the scheduled change to ${target(data, 'revokedPlan', 'revokedBillingInterval')} was revoked`,
  'subscription.past_due': (data) => `the subscription is past due because ${invoice(data)} is unpaid`,
  'trial.started': (data) =>
    `the trial of ${plan(data)} began${after('and ends on', date(data, 'trialEndsAt'))}`,
  'trial.converted': (data) => `the trial of ${plan(data)} became a paid subscription`,
  'trial.expired': (data) => `the trial of ${plan(data)} ended`,
  'trial.will_end': (data) => `the trial of ${plan(data)} will end${after('on', date(data, 'trialEndsAt'))}`,
  'trial.checkout_ready': (data) =>
    `a checkout for a trial of ${plan(data)} for ${counted(data, 'trialDays', 'day')} is ready`,
  'checkout.ready': (data) =>
    `a checkout for ${invoice(data, amount(data, 'invoiceTotal', 'invoiceCurrency'))} is ready`,
  'payment.received': (data) => `${invoice(data, amount(data, 'invoiceTotal'))} was paid`,
  'payment.failed': (data) =>
    `the payment of ${invoice(data)} failed${because(text(data, 'failureMessage'))}`,
  'payment.recovered': (data) => `${invoice(data)} was paid after failed payments`,
  'payment.retry_failed': (data) =>
    `the last retry of the payment of ${invoice(data)} failed${because(words(data, 'reason'))}`,
  'payment.refunded': (data) =>
    `${amount(data, 'refundAmount') ?? 'a payment'}${number(data) === null ? '' : ` of ${invoice(data)}`} was refunded`,
  'payment.disputed': (data) =>
    `${charge(data, 'disputeAmount')} was disputed${because(words(data, 'disputeReason'))}`,
  'payment.dispute_resolved': (data) =>
    `the dispute of ${charge(data, 'disputeAmount')} was ${text(data, 'outcome') ?? 'resolved'}`,
  'payment_link.created': (data) => `a payment link over ${link(data)} was created`,
  'payment_link.completed': (data) =>
    `the payment link over ${link(data)} was paid${number(data) === null ? '' : ` with ${invoice(data)}`}`,
  'payment_link.failed': (data) =>
    `a payment by the payment link over ${link(data)} failed${because(text(data, 'failureMessage'))}`,
  'payment_link.canceled': (data) => `the payment link over ${link(data)} was canceled`,
  'invoice.created': (data) => `${invoice(data, amount(data, 'total'))} was issued`,
  'invoice.voided': (data) => `${invoice(data, amount(data, 'total'))} was voided`,
  'invoice.overdue': (data) =>
    `${invoice(data, amount(data, 'total'))} is overdue${after('since', date(data, 'dueDate'))}`,
  'invoice.upcoming': (data) =>
    `the subscription to ${plan(data)} will renew${after('on', date(data, 'currentPeriodEnd'))}`,
  'payment_method.attached': (data) => `a ${card(data)} was stored`,
  'payment_method.updated': (data) => `the payment method was replaced by a ${card(data)}`,
  'payment_method.detached': (data) => `a ${card(data)} was removed`,
  'customer.created': (data) => `${customer(data)} was created`,
  'customer.updated': (data) => `${customer(data)} was updated`,
  'customer.deleted': (data) => `${customer(data)} was deleted`,
  'customer.state_changed': (data) => `the access of the customer changed${because(words(data, 'trigger'))}`,
  'plan_grant.created': (data) => `access to a higher plan was granted ${lasting(data)}`,
  'plan_grant.updated': (data) => `the plan grant was changed and lasts ${lasting(data)}`,
  'plan_grant.expired': () => 'the plan grant expired',
  'plan_grant.revoked': () => 'the plan grant was revoked',
  'credits.granted': (data) =>
    `${counted(data, 'credits', 'credit')} ${data['credits'] === 1 ? 'was' : 'were'} granted${data['reason'] === 'period_reset' ? ' for the new period' : ' by hand'}`,
  'credits.purchased': (data) =>
    `${text(data, 'creditPackName') ?? 'a credit pack'} with ${counted(data, 'credits', 'credit')} was bought with ${invoice(data)}`,
  'credits.low': (data) =>
    `${count(data, 'remainingCredits')} of ${counted(data, 'periodCredits', 'credit')} ${data['remainingCredits'] === 1 ? 'is' : 'are'} left`,
  'credits.depleted': () => 'all credits are used up',
  'credits.expired': (data) => `${counted(data, 'expiredCredits', 'credit')} expired`,
  'balance.topped_up': (data) => `${rate(data, 'amount')} was added to the balance with ${invoice(data)}`,
  'balance.low': (data) => `the balance is down to ${rate(data, 'currentBalance')}`,
  'balance.depleted': (data) => `the balance is used up and stands at ${rate(data, 'currentBalance')}`,
  'quota.threshold_reached': (data) =>
    `usage of ${feature(data)} reached ${count(data, 'currentUsage')} of ${count(data, 'includedAmount')} included`,
  'quota.exceeded': (data) =>
    `usage of ${feature(data)} used up all ${count(data, 'includedAmount')} included and stands at ${count(data, 'currentUsage')}`,
  'seats.updated': (data) =>
    `seats of ${feature(data)} changed from ${count(data, 'previousSeats')} to ${count(data, 'currentSeats')}`,
  'seats.limit_reached': (data) =>
    `seats of ${feature(data)} reached ${count(data, 'currentSeats')} of ${count(data, 'includedSeats')} included`,
  'addon.activated': (data) => `${addon(data)} was activated for ${rate(data, 'proratedPrice')}`,
  'addon.deactivated': (data) => `${addon(data)} was deactivated`,
  'usage.recorded': (data) =>
    `${counted(data, 'value', 'unit')} of ${feature(data)} ${data['value'] === 1 ? 'was' : 'were'} used`,
  'payout.available': (data) => `${amount(data, 'availableAmount') ?? 'a balance'} is available for payout`,
  'payout.created': (data) => `${payout(data)} was requested`,
  'payout.paid': (data) => `${payout(data)} was paid`,
  'payout.failed': (data) => `${payout(data)} failed${because(text(data, 'failureMessage'))}`,
  'export.completed': (data) =>
    `an export of ${exported(data)} with ${counted(data, 'rows', 'row')} was completed`,
  'export.failed': (data) => `an export of ${exported(data)} failed${because(text(data, 'error'))}`,
};
