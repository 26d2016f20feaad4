import { amountDue } from '../../../../domain/invoicing/credit-note.ts';
import type { EmailKind } from '../../../../domain/messages/emails.ts';
import { nameInEmail } from '../../../../domain/messages/mail-permission.ts';
import { isCurrency, rateToMinor } from '../../../../domain/money/money.ts';
import { creditsPool } from '../../../../domain/pricing/pools.ts';
import { invoiceNumberText } from '../../../../domain/rows/invoice-number.ts';
import { accessEndsAt, nextAutomaticRetryAt } from '../../../../domain/subscription/state/view.ts';
import type { Language } from '../../../../domain/text/language.ts';
import { type NextCharge, nextChargesOf } from '../../../../engine/preview/next-charge.ts';
import { type ModelName, type Row, readBy } from '../../../../platform/db/rows.ts';
import type { MailMessage } from '../../../../platform/mail.ts';
import type { Context } from '../../../../request/context.ts';
import { requestUrl } from '../../../customers/portal-links/sign-link.ts';
import { noteDownloadLink } from '../../../invoices/credit-notes/sign-link.ts';
import { hostedUrl } from '../../../invoices/invoices/sign-link.ts';
import type { OrganizationRow } from '../../../organization/organizations/store.ts';
import { recoveryLinkTo } from '../../../subscriptions/recovery-links/create.ts';
import type { CustomerEmail } from '../store.ts';
import type { EmailAbout, EmailPurpose } from '../templates/content.ts';
import { headOf } from '../templates/head.ts';
import { emailTexts } from '../templates/index.ts';
import { limitAbout } from './limit-about.ts';

type Data = Row<'Event'>['data'];

/** Rendered email, or the reason why the email is canceled. */
export type Draft = { readonly notification: MailMessage } | { readonly canceled: string };

const textIn = (data: Data, field: string): string | null =>
  typeof data[field] === 'string' ? data[field] : null;

/** Reads rows of a model by their IDs and returns them as a map. Runs one SQL statement. */
async function rowsById<M extends ModelName>(
  ctx: Context,
  model: M,
  ids: readonly (string | null)[],
): Promise<Map<string, Row<M>>> {
  const rows = await readBy(ctx.sql, model, 'id', [...new Set(ids.filter((id) => id !== null))]);
  return new Map(rows.map((row) => [(row as { id: string }).id, row]));
}

/** Returns a predicate for subscriptions whose next charge is announced by an email in the batch. */
function isAnnounced(notifications: readonly CustomerEmail[], events: ReadonlyMap<string, Row<'Event'>>) {
  const emitted = notifications.map(({ kind, eventId }) => ({ kind, event: events.get(eventId) }));
  const trials = emitted.filter(
    ({ kind, event }) =>
      kind === 'trial_ending' || kind === 'card_expiring' || event?.kind === 'trial.checkout_ready',
  );
  const ids = new Set(trials.map(({ event }) => event?.subscriptionId));
  return ({ id }: Row<'Subscription'>): boolean => ids.has(id);
}

/** Reads the custom units of the lots in emails, by code. Executes no SQL statement if no email shows such a lot. */
async function unitsByCode(
  ctx: Context,
  notifications: readonly CustomerEmail[],
  events: ReadonlyMap<string, Row<'Event'>>,
): Promise<ReadonlyMap<string, Row<'Asset'>>> {
  const codes = notifications.flatMap(({ kind, eventId }) =>
    kind === 'lot_expiring' ? (textIn(events.get(eventId)?.data ?? {}, 'asset') ?? []) : [],
  );
  const units = codes.filter((code) => !isCurrency(code) && code !== creditsPool);
  if (units.length === 0) return new Map();
  const rows = await readBy(ctx.sql, 'Asset', 'code', [...new Set(units)]);
  return new Map(rows.map((row) => [row.code, row]));
}

/** Reads the data for a batch of emails. The number of SQL statements doesn't depend on the number of emails. */
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
    units: await unitsByCode(ctx, notifications, events),
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

/** Returns the amount to show in an email: the charged, refunded, or due amount. */
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
  if (kind === 'trial_ending' || kind === 'card_expiring') return next;
  if (kind === 'lot_expiring') return lotMoney(data);
  if ((kind === 'receipt' || kind === 'debit_notice') && transaction !== null)
    return { amount: transaction.amountMinor, currency: transaction.currency };
  if (kind === 'top_up_failed' && invoice !== null)
    return { amount: invoice.total, currency: invoice.currency };
  if (kind === 'credit_note' && invoice !== null)
    return { amount: -BigInt(Number(data['total'] ?? 0)), currency: invoice.currency };
  if (invoice === null) return null;
  // An email that requests a payment shows the amount due, which excludes credited amounts.
  const amount = requestsPayment(kind) ? amountDue(invoice) : invoice.total;
  return { amount, currency: invoice.currency };
}

/** Returns the amount of money that a lot contains. `null` if the lot contains a custom unit. */
function lotMoney(data: Data): EmailAbout['money'] {
  const asset = textIn(data, 'asset') ?? '';
  if (!isCurrency(asset)) return null;
  return { amount: rateToMinor(BigInt(Number(data['amount'] ?? 0)), asset), currency: asset };
}

/** Returns the amount of a lot in a custom unit, in whole units. `null` if the event isn't about such a lot. */
function unitsIn(kind: EmailKind, data: Data, units: ReadonlyMap<string, Row<'Asset'>>): EmailAbout['units'] {
  const asset = textIn(data, 'asset');
  if (kind !== 'lot_expiring' || asset === null || isCurrency(asset)) return null;
  const { name = null, decimals = 0 } = units.get(asset) ?? {};
  return { amount: BigInt(Number(data['amount'] ?? 0)) / 10n ** BigInt(decimals), name };
}

const isAboutDebit = (kind: EmailKind): boolean =>
  kind === 'mandate_accepted' || kind === 'debit_notice' || kind === 'method_needed';

const requestsPayment = (kind: EmailKind): boolean =>
  kind === 'checkout' || kind === 'invoice' || kind === 'payment_failed';

/** Returns the reason why an email that requests an action is obsolete. `null` if the action is still needed. */
function pastReason(
  kind: EmailKind,
  invoice: Row<'Invoice'> | null,
  subscription: Row<'Subscription'> | null,
): string | null {
  // A trial checkout has no invoice.
  if (kind === 'checkout' && invoice === null && subscription?.status !== 'pending_payment')
    return 'The checkout was completed or canceled before the email was sent.';
  if (kind === 'trial_ending' && subscription !== null && subscription.status !== 'trialing')
    return 'The free trial ended before the email was sent.';
  const isRequest = requestsPayment(kind) || kind === 'debit_notice';
  const isOver = invoice !== null && (invoice.status === 'paid' || invoice.status === 'void');
  return isRequest && isOver ? `The invoice was ${invoice.status} before the email was sent.` : null;
}

/** Returns the effect of paying an invoice, or of completing a checkout without an invoice. */
function purposeOf(event: Row<'Event'>, invoice: Row<'Invoice'> | null): EmailPurpose {
  if (event.kind === 'trial.checkout_ready') return 'trial';
  if (invoice?.type === 'plan_change') return 'plan_change';
  return invoice?.type === 'reactivation' ? 'restart' : 'start';
}

/**
 * Returns the URL where the customer can take action. It leads to the event's page, a credit note's PDF, or the page
 * where an invoice can be paid (SUB-32, INS-24).
 */
async function pageOf(ctx: Context, data: Data, invoice: Row<'Invoice'> | null): Promise<string | null> {
  const noteId = textIn(data, 'creditNoteId');
  if (noteId !== null) return (await noteDownloadLink(ctx, noteId)).url;
  const emitted = textIn(data, 'checkoutUrl') ?? textIn(data, 'recoveryUrl');
  const isPayable =
    invoice?.status === 'outstanding' && (invoice.type === 'reactivation' || invoice.payableUntil !== null);
  if (emitted !== null || !isPayable) return emitted;
  return (await recoveryLinkTo(ctx, invoice.id)).url;
}

/** Converts a charge to the format that email templates use. */
function announced(charge: NextCharge | undefined): EmailAbout['next'] {
  if (charge === undefined) return null;
  const { amountMinor, invoice, at, subscription, isFinal } = charge;
  const { billingInterval } = subscription;
  const interval = billingInterval === 'one_time' ? null : billingInterval;
  return { amount: amountMinor, currency: invoice.currency, on: at, interval, isFinal };
}

/** Plan name for use in emails. `null` if the email isn't about a plan. */
const planNameIn = (name: string | null | undefined): string | null =>
  name == null ? null : nameInEmail(name);

async function aboutOf(
  ctx: Context,
  kind: EmailKind,
  { event, customer }: { readonly event: Row<'Event'>; readonly customer: Row<'Customer'> },
  details: Details,
  isShown: boolean,
  language: Language,
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
    creditNoteNumber: textIn(data, 'creditNoteNumber'),
    money: moneyOf(kind, data, { invoice, transaction, next }),
    units: unitsIn(kind, data, details.units),
    limit:
      kind === 'usage_limit' ? limitAbout(event.kind, data, { language, timeZone: customer.timezone }) : null,
    debit: isAboutDebit(kind)
      ? {
          last4: textIn(data, 'last4'),
          mandate: textIn(data, 'mandateReference') ?? textIn(data, 'reference'),
        }
      : null,
    reason: textIn(data, 'reason'),
    next,
    isEnding: subscription?.cancelAtPeriodEnd === true,
    retryAt: isInDunning ? nextAutomaticRetryAt(subscription) : null,
    endsAt: isInDunning ? accessEndsAt(subscription) : null,
    // The invoice of a plan change contains the new plan's name.
    planName: planNameIn(invoice?.planName ?? details.plans.get(subscription?.planId ?? '')?.name),
    dueDate: invoice?.dueDate ?? null,
    on:
      dateIn(data, 'paidAt') ??
      dateIn(data, 'trialEndsAt') ??
      dateIn(data, 'renewsAt') ??
      dateIn(data, 'endDate') ??
      (kind === 'lot_expiring' || kind === 'commitment_ended' ? dateIn(data, 'expiresAt') : null) ??
      (kind === 'debit_notice' ? dateIn(data, 'collectionOn') : null) ??
      (kind === 'top_up_failed' ? dateIn(data, 'nextAt') : null) ??
      event.occurredAt,
    payUrl: await pageOf(ctx, data, invoice),
    manageUrl:
      subscription === undefined
        ? null
        : isShown
          ? `${ctx.app.config.publicUrl}/manage/example`
          : await requestUrl(ctx, customer),
    invoiceUrl: invoice === null ? null : await hostedUrl(ctx, invoice.id),
  };
}

/**
 * Renders a batch of customer emails in the given order. Reads the data of all emails with a fixed number of SQL
 * statements. If `isShown` is `true`, the emails are only displayed, and their portal links don't work.
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
        return { canceled: 'The event or the customer of the email is no longer stored.' };
      const invoice = details.invoices.get(textIn(event.data, 'invoiceId') ?? '') ?? null;
      const past = pastReason(kind, invoice, details.subscriptions.get(event.subscriptionId ?? '') ?? null);
      if (past !== null) return { canceled: past };
      const head = headOf(organization, customer, { to: recipient, livemode: ctx.livemode });
      return {
        notification: emailTexts[kind](
          head,
          await aboutOf(ctx, kind, { event, customer }, details, isShown, head.sender.language),
        ),
      };
    }),
  );
}
