import type { Context } from '../context.ts';
import { invoiceNumberText } from '../domain/invoice/number.ts';
import { type LetterKind, letterLanguage } from '../domain/letters.ts';
import type { Letter } from '../infra/mail.ts';
import { type ModelName, type Row, readBy } from '../infra/rows.ts';
import type { LetterAbout, LetterPurpose } from '../mail/about.ts';
import { letterTexts } from '../mail/letters.ts';
import { downloadLink } from '../modules/invoices/download.ts';
import type { OrganizationRow } from '../modules/organizations/service.ts';
import { recoveryLinkTo } from '../modules/subscriptions/recovery-link.ts';

type LetterRow = Row<'Letter'>;
type Data = { readonly [field: string]: unknown };

/** A letter as it is to be sent, or why it is not sent any more. */
export type Draft = { readonly letter: Letter } | { readonly canceled: string };

const textIn = (data: Data, field: string): string | null => (typeof data[field] === 'string' ? data[field] : null);

/** The rows of a model with these ids, by id; one statement. */
async function rowsById<M extends ModelName>(ctx: Context, model: M, ids: readonly (string | null)[]): Promise<Map<string, Row<M>>> {
  const rows = await readBy(ctx.sql, model, 'id', [...new Set(ids.filter((id) => id !== null))]);
  return new Map(rows.map((row) => [(row as { id: string }).id, row]));
}

/** What the letters of a batch tell of, read by as many statements whatever their number. */
async function readFacts(ctx: Context, letters: readonly LetterRow[]) {
  const events = await rowsById(
    ctx,
    'Event',
    letters.map(({ eventId }) => eventId),
  );
  const told = [...events.values()].map(({ data }) => data as Data);
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
      letters.map(({ customerId }) => customerId),
    ),
    invoices: await rowsById(
      ctx,
      'Invoice',
      told.map((data) => textIn(data, 'invoiceId')),
    ),
    transactions: await rowsById(
      ctx,
      'Transaction',
      told.map((data) => textIn(data, 'paymentTransactionId')),
    ),
    plans: await rowsById(
      ctx,
      'Plan',
      [...subscriptions.values()].map(({ planId }) => planId),
    ),
  };
}

type Facts = Awaited<ReturnType<typeof readFacts>>;

const dateIn = (data: Data, field: string): Date | null => {
  const text = textIn(data, field);
  return text === null ? null : new Date(text);
};

/** The money a letter names: what was charged, refunded or is owed. */
function moneyOf(kind: LetterKind, data: Data, invoice: Row<'Invoice'> | null, transaction: Row<'Transaction'> | null) {
  if (kind === 'refund' && transaction !== null) {
    return { amount: BigInt(Number(data['refundAmount'] ?? 0)), currency: transaction.currency };
  }
  if (kind === 'receipt' && transaction !== null) return { amount: transaction.amountMinor, currency: transaction.currency };
  return invoice === null ? null : { amount: invoice.total, currency: invoice.currency };
}

/** Why a letter that asks for something has come too late; null while it is asked for. */
function pastReason(kind: LetterKind, invoice: Row<'Invoice'> | null, subscription: Row<'Subscription'> | null): string | null {
  // The checkout of a trial has no invoice.
  if (kind === 'checkout' && invoice === null && subscription?.status !== 'pending_payment')
    return 'The checkout was over before it was sent.';
  const asks = kind === 'checkout' || kind === 'invoice' || kind === 'payment_failed';
  const isOver = invoice !== null && (invoice.status === 'paid' || invoice.status === 'void');
  return asks && isOver ? `The invoice was ${invoice.status} before it was sent.` : null;
}

/** What paying an invoice, or completing a checkout without one, leads to. */
function purposeOf(event: Row<'Event'>, invoice: Row<'Invoice'> | null): LetterPurpose {
  if (event.kind === 'trial.checkout_ready') return 'trial';
  if (invoice?.type === 'plan_change') return 'plan_change';
  return invoice?.type === 'reactivation' ? 'restart' : 'start';
}

/** The page where something can be done: that of the event, or the one that starts a subscription anew (SUB-32). */
async function pageOf(ctx: Context, data: Data, invoice: Row<'Invoice'> | null): Promise<string | null> {
  const told = textIn(data, 'checkoutUrl') ?? textIn(data, 'recoveryUrl');
  if (told !== null || invoice?.type !== 'reactivation' || invoice.status !== 'outstanding') return told;
  return (await recoveryLinkTo(ctx, invoice.id)).url;
}

async function aboutOf(ctx: Context, kind: LetterKind, event: Row<'Event'>, facts: Facts): Promise<LetterAbout> {
  const data = event.data as Data;
  const invoice = facts.invoices.get(textIn(data, 'invoiceId') ?? '') ?? null;
  const subscription = facts.subscriptions.get(event.subscriptionId ?? '');
  const transaction = facts.transactions.get(textIn(data, 'paymentTransactionId') ?? '') ?? null;
  return {
    purpose: purposeOf(event, invoice),
    invoiceNumber: invoice === null ? null : invoiceNumberText(invoice.number),
    money: moneyOf(kind, data, invoice, transaction),
    // A change is to the plan of its invoice.
    planName: invoice?.planName ?? facts.plans.get(subscription?.planId ?? '')?.name ?? null,
    dueDate: invoice?.dueDate ?? null,
    on: dateIn(data, 'paidAt') ?? dateIn(data, 'trialEndsAt') ?? dateIn(data, 'endDate') ?? event.occurredAt,
    payUrl: await pageOf(ctx, data, invoice),
    documentUrl: invoice === null ? null : (await downloadLink(ctx, invoice.id)).url,
  };
}

/** The letters of a batch as they are to be sent, in the same order: reads what they tell of once for all. */
export async function draftLetters(ctx: Context, organization: OrganizationRow, letters: readonly LetterRow[]): Promise<Draft[]> {
  const facts = await readFacts(ctx, letters);
  return Promise.all(
    letters.map(async ({ kind, eventId, customerId, recipient }): Promise<Draft> => {
      const [event, customer] = [facts.events.get(eventId), facts.customers.get(customerId)];
      if (event === undefined || customer === undefined) return { canceled: 'What it was about is no longer stored.' };
      const invoice = facts.invoices.get(textIn(event.data as Data, 'invoiceId') ?? '') ?? null;
      const past = pastReason(kind, invoice, facts.subscriptions.get(event.subscriptionId ?? '') ?? null);
      if (past !== null) return { canceled: past };
      const language = letterLanguage(customer, organization.language);
      const head = { to: recipient, customerName: customer.fullName, sender: { ...organization, language }, livemode: ctx.livemode };
      return { letter: letterTexts[kind](head, await aboutOf(ctx, kind, event, facts)) };
    }),
  );
}
