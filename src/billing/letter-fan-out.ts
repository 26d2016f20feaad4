import type { Context } from '../context.ts';
import { eventsWithLetters, letterKindOf } from '../domain/letters.ts';
import { type BulkRow, insertRows } from '../infra/bulk.ts';
import { type EventRow, lastEventPosition, readEventsBetween } from '../infra/event-rows.ts';
import { newId } from '../infra/ids.ts';
import { lockLetterCursor, moveLetterCursor, triedInvoices } from '../infra/letter-rows.ts';
import { takeNumbers } from '../infra/outbox.ts';
import { type Row, readBy } from '../infra/rows.ts';
import { readOrganization } from '../modules/organizations/service.ts';
import { inTransaction } from '../transaction.ts';

/** Events turned into letters in one transaction. */
const eventsPerBatch = 500;

const invoiceIdOf = ({ data }: EventRow): string => String((data as { invoiceId?: unknown }).invoiceId ?? '');

/** Of the invoices that were issued those a customer has to pay without having been asked otherwise: no checkout is open, no charge was tried. */
async function payableInvoices(tx: Context, events: readonly EventRow[]): Promise<ReadonlySet<string>> {
  const ids = events.filter(({ kind }) => kind === 'invoice.created').map(invoiceIdOf);
  if (ids.length === 0) return new Set();
  const invoices = await readBy(tx.sql, 'Invoice', 'id', ids, { filter: { status: 'outstanding' } });
  const subscriptionIds = invoices.flatMap(({ subscriptionId }) => subscriptionId ?? []);
  const subscriptions = await readBy(tx.sql, 'Subscription', 'id', subscriptionIds);
  const atCheckouts = new Set(subscriptions.map(({ checkoutInvoiceId }) => checkoutInvoiceId));
  const unstarted = new Set(subscriptions.filter(({ status }) => status === 'pending_payment').map(({ id }) => id));
  const tried = await triedInvoices(
    tx.sql,
    invoices.map(({ id }) => id),
  );
  return new Set(
    invoices
      .filter(
        ({ id, subscriptionId, total }) => total > 0n && !tried.has(id) && !atCheckouts.has(id) && !unstarted.has(subscriptionId ?? ''),
      )
      .map(({ id }) => id),
  );
}

function letterOf(event: EventRow, customer: Row<'Customer'>, seq: bigint, now: Date): BulkRow<'Letter'> {
  const kind = letterKindOf(event.kind);
  if (kind === null) throw new Error(`An event ${event.kind} sends no letter.`);
  return {
    id: newId('ltr'),
    seq,
    kind,
    eventId: event.id,
    customerId: customer.id,
    recipient: customer.email,
    subject: null,
    status: 'pending',
    attempts: 0,
    nextAttemptAt: now,
    error: null,
    createdAt: now,
    sentAt: null,
    finishedAt: null,
  };
}

async function writeLetters(tx: Context, events: readonly EventRow[]): Promise<void> {
  const { transaction } = tx;
  if (transaction === null) throw new Error('Letters are made inside a transaction.');
  const payable = await payableInvoices(tx, events);
  const ids = [...new Set(events.flatMap(({ customerId }) => customerId ?? []))];
  const customers = new Map((await readBy(tx.sql, 'Customer', 'id', ids)).map((customer) => [customer.id, customer]));
  const wanted = events.flatMap((event) => {
    const customer = customers.get(event.customerId ?? '');
    const isDue = event.kind !== 'invoice.created' || payable.has(invoiceIdOf(event));
    return customer !== undefined && isDue ? [{ event, customer }] : [];
  });
  if (wanted.length === 0) return;
  const { seq } = await takeNumbers(transaction.query, tx.environment.id, { seq: wanted.length });
  const now = tx.wall.now();
  await insertRows(
    tx.sql,
    'Letter',
    wanted.map(({ event, customer }, index) => letterOf(event, customer, seq + BigInt(index), now)),
  );
}

async function advance(tx: Context, owner: string, isSilent: boolean): Promise<boolean> {
  const after = await lockLetterCursor(tx.sql, owner);
  const upTo = await lastEventPosition(tx.sql);
  if (after === null || upTo <= after) return false;
  const organization = await readOrganization(tx);
  const kinds = isSilent || !organization.customerEmails ? [] : eventsWithLetters(organization.mutedLetters);
  const events = kinds.length === 0 ? [] : await readEventsBetween(tx.sql, { kinds }, { after, upTo, limit: eventsPerBatch });
  const isFull = events.length === eventsPerBatch;
  await moveLetterCursor(tx.sql, isFull ? (events.at(-1)?.position ?? upTo) : upTo);
  if (events.length > 0) await writeLetters(tx, events);
  return isFull;
}

/**
 * Turns the next events of the outbox into letters of an environment leased to `owner`, each event once (protocols A6), by as many statements
 * whatever their number; answers whether there are more. Events of kinds the organization does not want, all of them while it writes to
 * nobody (PLT-9), and all of them when `isSilent`, are passed over for good.
 */
export const fanOutLetters = (ctx: Context, owner: string, isSilent: boolean): Promise<boolean> =>
  inTransaction(ctx, (tx) => advance(tx, owner, isSilent), { clockLock: 'none' });
