import type { Context } from '../../../context.ts';
import { type EmailKind, emailLanguage } from '../../../domain/emails.ts';
import { invoiceNumberText } from '../../../domain/invoicing/number.ts';
import { accessEndsAt, nextAutomaticRetryAt } from '../../../domain/subscription/state/view.ts';
import { type NextCharge, nextChargesOf } from '../../../engine/next-charge.ts';
import { type ModelName, type Row, readBy } from '../../../platform/db/rows.ts';
import type { MailMessage } from '../../../platform/mail.ts';
import { hostedUrl } from '../../invoices/sign-link.ts';
import type { OrganizationRow } from '../../organizations/store.ts';
import { entryUrl } from '../../portal/enter.ts';
import { recoveryLinkTo } from '../../recovery-links/create.ts';
import type { CustomerEmail } from '../store.ts';
import type { EmailAbout, EmailPurpose } from '../templates/content.ts';
import { emailTexts } from '../templates/index.ts';

type Data = Row<'Event'>['data'];

/** An email as it is to be sent, or why it is not sent any more. */
export type Draft = { readonly notification: MailMessage } | { readonly canceled: string };

const textIn = (data: Data, field: string): string | null =>
  typeof data[field] === 'string' ? data[field] : null;

/** The rows of a model with these ids, by id; one statement. */
async function rowsById<M extends ModelName>(
  ctx: Context,
  model: M,
  ids: readonly (string | null)[],
): Promise<Map<string, Row<M>>> {
  const rows = await readBy(ctx.sql, model, 'id', [...new Set(ids.filter((id) => id !== null))]);
  return new Map(rows.map((row) => [(row as { id: string }).id, row]));
}

/** Which subscriptions have an email that announces what is charged after a trial. */
function isAnnounced(notifications: readonly CustomerEmail[], events: ReadonlyMap<string, Row<'Event'>>) {
  const emitted = notifications.map(({ kind, eventId }) => ({ kind, event: events.get(eventId) }));
  const trials = emitted.filter(
    ({ kind, event }) => kind === 'trial_ending' || event?.kind === 'trial.checkout_ready',
  );
  const ids = new Set(trials.map(({ event }) => event?.subscriptionId));
  return ({ id }: Row<'Subscription'>): boolean => ids.has(id);
}

/** What the emails of a batch tell of, read by as many statements whatever their number. */
async function readDetails(ctx: Context, notifications: readonly CustomerEmail[]) {
  const events = await rowsById(
    ctx,
    'Event',
    notifications.map(({ eventId }) => eventId),
  );
  const emitted = [...events.values()].map(({ data }) => data);
  const subscriptions = await rowsById(
    ctx,
    'Subscription',
    [...events.values()].map(({ subscriptionId }) => subscriptionId),
  );
  return {
    events,
    subscriptions,
    customers: await rowsById(
      ctx,
      'Customer',
      notifications.map(({ customerId }) => customerId),
    ),
    invoices: await rowsById(
      ctx,
      'Invoice',
      emitted.map((data) => textIn(data, 'invoiceId')),
    ),
    transactions: await rowsById(
      ctx,
      'Transaction',
      emitted.map((data) => textIn(data, 'paymentTransactionId')),
    ),
    charges: await nextChargesOf(ctx, [...subscriptions.values()].filter(isAnnounced(notifications, events))),
    plans: await rowsById(
      ctx,
      'Plan',
      [...subscriptions.values()].map(({ planId }) => planId),
    ),
  };
}

type Details = Awaited<ReturnType<typeof readDetails>>;

const dateIn = (data: Data, field: string): Date | null => {
  const text = textIn(data, field);
  return text === null ? null : new Date(text);
};

/** The money an email names: what was charged, refunded or is owed. */
function moneyOf(
  kind: EmailKind,
  data: Data,
  {
    invoice,
    transaction,
    next,
  }: { readonly invoice: Row<'Invoice'> | null; readonly transaction: Row<'Transaction'> | null } & Pick<
    EmailAbout,
    'next'
  >,
) {
  if (kind === 'refund' && transaction !== null) {
    return { amount: BigInt(Number(data['refundAmount'] ?? 0)), currency: transaction.currency };
  }
  if (kind === 'trial_ending') return next;
  if (kind === 'receipt' && transaction !== null)
    return { amount: transaction.amountMinor, currency: transaction.currency };
  return invoice === null ? null : { amount: invoice.total, currency: invoice.currency };
}

/** Why an email that asks for something has come too late; null while it is asked for. */
function pastReason(
  kind: EmailKind,
  invoice: Row<'Invoice'> | null,
  subscription: Row<'Subscription'> | null,
): string | null {
  // The checkout of a trial has no invoice.
  if (kind === 'checkout' && invoice === null && subscription?.status !== 'pending_payment')
    return 'The checkout was over before it was sent.';
  if (kind === 'trial_ending' && subscription !== null && subscription.status !== 'trialing')
    return 'The trial was over before it was sent.';
  const asks = kind === 'checkout' || kind === 'invoice' || kind === 'payment_failed';
  const isOver = invoice !== null && (invoice.status === 'paid' || invoice.status === 'void');
  return asks && isOver ? `The invoice was ${invoice.status} before it was sent.` : null;
}

/** What paying an invoice, or completing a checkout without one, leads to. */
function purposeOf(event: Row<'Event'>, invoice: Row<'Invoice'> | null): EmailPurpose {
  if (event.kind === 'trial.checkout_ready') return 'trial';
  if (invoice?.type === 'plan_change') return 'plan_change';
  return invoice?.type === 'reactivation' ? 'restart' : 'start';
}

/** The page where something can be done: that of the event, or the one that starts a subscription again (SUB-32). */
async function pageOf(ctx: Context, data: Data, invoice: Row<'Invoice'> | null): Promise<string | null> {
  const emitted = textIn(data, 'checkoutUrl') ?? textIn(data, 'recoveryUrl');
  if (emitted !== null || invoice?.type !== 'reactivation' || invoice.status !== 'outstanding')
    return emitted;
  return (await recoveryLinkTo(ctx, invoice.id)).url;
}

/** A charge as emails announce it. */
function announced(charge: NextCharge | undefined): EmailAbout['next'] {
  if (charge === undefined) return null;
  const { amountMinor, invoice, at, subscription, isFinal } = charge;
  const { billingInterval } = subscription;
  const interval = billingInterval === 'one_time' ? null : billingInterval;
  return { amount: amountMinor, currency: invoice.currency, on: at, interval, isFinal };
}

async function aboutOf(
  ctx: Context,
  kind: EmailKind,
  { event, customer }: { readonly event: Row<'Event'>; readonly customer: Row<'Customer'> },
  details: Details,
  isShown: boolean,
): Promise<EmailAbout> {
  const { data } = event;
  const invoice = details.invoices.get(textIn(data, 'invoiceId') ?? '') ?? null;
  const subscription = details.subscriptions.get(event.subscriptionId ?? '');
  const transaction = details.transactions.get(textIn(data, 'paymentTransactionId') ?? '') ?? null;
  const next = announced(details.charges.get(event.subscriptionId ?? ''));
  const isInDunning =
    subscription !== undefined &&
    subscription.dunningInvoiceId !== null &&
    subscription.dunningInvoiceId === invoice?.id;
  return {
    purpose: purposeOf(event, invoice),
    invoiceNumber: invoice === null ? null : invoiceNumberText(invoice.number),
    money: moneyOf(kind, data, { invoice, transaction, next }),
    next,
    isEnding: subscription?.cancelAtPeriodEnd === true,
    retryAt: isInDunning ? nextAutomaticRetryAt(subscription) : null,
    endsAt: isInDunning ? accessEndsAt(subscription) : null,
    // A change is to the plan of its invoice.
    planName: invoice?.planName ?? details.plans.get(subscription?.planId ?? '')?.name ?? null,
    dueDate: invoice?.dueDate ?? null,
    on: dateIn(data, 'paidAt') ?? dateIn(data, 'trialEndsAt') ?? dateIn(data, 'endDate') ?? event.occurredAt,
    payUrl: await pageOf(ctx, data, invoice),
    manageUrl:
      subscription === undefined
        ? null
        : isShown
          ? `${ctx.app.config.publicUrl}/manage/example`
          : await entryUrl(ctx, customer),
    invoiceUrl: invoice === null ? null : await hostedUrl(ctx, invoice.id),
  };
}

/**
 * The emails of a batch to customers as they are to be sent, in the same order: reads what they tell of once for all. Where they are only shown,
 * the link that opens the portal leads nowhere.
 */
export async function draftEmails(
  ctx: Context,
  organization: OrganizationRow,
  notifications: readonly CustomerEmail[],
  { isShown = false }: { readonly isShown?: boolean } = {},
): Promise<Draft[]> {
  const details = await readDetails(ctx, notifications);
  return Promise.all(
    notifications.map(async ({ kind, eventId, customerId, recipient }): Promise<Draft> => {
      const [event, customer] = [details.events.get(eventId), details.customers.get(customerId)];
      if (event === undefined || customer === undefined)
        return { canceled: 'What it was about is no longer stored.' };
      const invoice = details.invoices.get(textIn(event.data, 'invoiceId') ?? '') ?? null;
      const past = pastReason(kind, invoice, details.subscriptions.get(event.subscriptionId ?? '') ?? null);
      if (past !== null) return { canceled: past };
      const language = emailLanguage(customer, organization.language);
      const head = {
        to: recipient,
        customerName: customer.fullName,
        sender: { ...organization, language },
        livemode: ctx.livemode,
      };
      return {
        notification: emailTexts[kind](head, await aboutOf(ctx, kind, { event, customer }, details, isShown)),
      };
    }),
  );
}
