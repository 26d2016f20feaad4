import type { Context, TransactionContext } from '../../../context.ts';
import { emailKindOf, eventsWithEmails } from '../../../domain/emails.ts';
import { type EventRow, lastEventPosition, readEventsBetween } from '../../../outbox/read.ts';
import { takeNumbers } from '../../../outbox/write.ts';
import { type BulkRow, insertRows } from '../../../platform/db/bulk.ts';
import { type Row, readBy } from '../../../platform/db/rows.ts';
import { newId } from '../../../platform/ids.ts';
import { inTransaction } from '../../../transaction.ts';
import { findUnestablished } from '../../customers/store.ts';
import { readOrganization } from '../../organizations/store.ts';
import { lockEmailCursor, lockRecipients, moveEmailCursor, triedInvoices } from '../store.ts';

/** Events turned into emails in one transaction. */
const eventsPerBatch = 500;

const invoiceIdOf = ({ data }: EventRow): string => String(data['invoiceId'] ?? '');

/** Of the invoices that were issued those a customer has to pay without having been asked otherwise: no checkout is open, no charge was tried. */
async function payableInvoices(tx: Context, events: readonly EventRow[]): Promise<ReadonlySet<string>> {
  const ids = events.filter(({ kind }) => kind === 'invoice.created').map(invoiceIdOf);
  if (ids.length === 0) return new Set();
  const invoices = await readBy(tx.sql, 'Invoice', 'id', ids, { filter: { status: 'outstanding' } });
  const subscriptionIds = invoices.flatMap(({ subscriptionId }) => subscriptionId ?? []);
  const subscriptions = await readBy(tx.sql, 'Subscription', 'id', subscriptionIds);
  const atCheckouts = new Set(subscriptions.map(({ checkoutInvoiceId }) => checkoutInvoiceId));
  const unstarted = new Set(
    subscriptions.filter(({ status }) => status === 'pending_payment').map(({ id }) => id),
  );
  const tried = await triedInvoices(
    tx.sql,
    invoices.map(({ id }) => id),
  );
  return new Set(
    invoices
      .filter(
        ({ id, subscriptionId, total }) =>
          total > 0n && !tried.has(id) && !atCheckouts.has(id) && !unstarted.has(subscriptionId ?? ''),
      )
      .map(({ id }) => id),
  );
}

function emailOf(
  event: EventRow,
  customer: Row<'Customer'>,
  seq: bigint,
  now: Date,
): BulkRow<'EmailNotification'> {
  const kind = emailKindOf(event.kind);
  if (kind === null) throw new Error(`An event ${event.kind} sends no email.`);
  return {
    id: newId('eml'),
    seq,
    audience: 'customer',
    kind,
    eventId: event.id,
    customerId: customer.id,
    recipient: customer.email,
    subject: null,
    content: null,
    status: 'pending',
    attempts: 0,
    nextAttemptAt: now,
    error: null,
    createdAt: now,
    sentAt: null,
    finishedAt: null,
  };
}

async function writeEmails(tx: TransactionContext, events: readonly EventRow[]): Promise<void> {
  const { transaction } = tx;
  const payable = await payableInvoices(tx, events);
  const ids = [...new Set(events.flatMap(({ customerId }) => customerId ?? []))];
  const customers = new Map(
    (await readBy(tx.sql, 'Customer', 'id', ids)).map((customer) => [customer.id, customer]),
  );
  // Nobody has shown that the address is theirs: anyone could let emails be sent to anybody.
  const silent = await findUnestablished(tx.sql, ids);
  const wanted = events.flatMap((event) => {
    const customer = customers.get(event.customerId ?? '');
    const isDue = event.kind !== 'invoice.created' || payable.has(invoiceIdOf(event));
    return customer !== undefined && isDue && !silent.has(customer.id) ? [{ event, customer }] : [];
  });
  if (wanted.length === 0) return;
  await lockRecipients(tx.sql, [...new Set(wanted.map(({ customer }) => customer.id))]);
  const { seq } = await takeNumbers(transaction.query, tx.environment.id, { seq: wanted.length });
  const now = tx.wall.now();
  await insertRows(
    tx.sql,
    'EmailNotification',
    wanted.map(({ event, customer }, index) => emailOf(event, customer, seq + BigInt(index), now)),
  );
}

async function advance(tx: TransactionContext, owner: string, isSilent: boolean): Promise<boolean> {
  const after = await lockEmailCursor(tx.sql, owner);
  const upTo = await lastEventPosition(tx.sql);
  if (after === null || upTo <= after) return false;
  const organization = await readOrganization(tx);
  const kinds =
    isSilent || !organization.customerEmails ? [] : eventsWithEmails(organization.mutedEmailKinds);
  const events =
    kinds.length === 0
      ? []
      : await readEventsBetween(tx.sql, { kinds }, { after, upTo, limit: eventsPerBatch });
  const isFull = events.length === eventsPerBatch;
  await moveEmailCursor(tx.sql, isFull ? (events.at(-1)?.position ?? upTo) : upTo);
  if (events.length > 0) await writeEmails(tx, events);
  return isFull;
}

/**
 * Turns the next events of the outbox into emails of an environment leased to `owner`, each event once, by as many statements
 * whatever their number; answers whether there are more. Events of kinds the organization does not want, all of them while it writes to
 * nobody (PLT-9), and all of them when `isSilent`, are passed over permanently.
 */
export const fanOutEmails = (ctx: Context, owner: string, isSilent: boolean): Promise<boolean> =>
  inTransaction(ctx, (tx) => advance(tx, owner, isSilent), { clockLock: 'none' });
