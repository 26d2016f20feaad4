import { eventSummary } from '../../../../documents/event-summary.ts';
import type { EventKind } from '../../../../domain/events/events.ts';
import { emailKindOf, eventsWithEmails } from '../../../../domain/messages/emails.ts';
import { instrumentOf } from '../../../../domain/payments/instruments/registry.ts';
import { type EventRow, lastEventPosition, readEventsBetween } from '../../../../outbox/read.ts';
import { takeNumbers } from '../../../../outbox/write.ts';
import { type BulkRow, insertRows } from '../../../../platform/db/bulk.ts';
import { type Row, readBy } from '../../../../platform/db/rows.ts';
import { newId } from '../../../../platform/ids.ts';
import type { MailMessage } from '../../../../platform/mail.ts';
import type { Context, TransactionContext } from '../../../../request/context.ts';
import { inTransaction } from '../../../../request/transaction.ts';
import { findUnestablished } from '../../../customers/customers/store.ts';
import { readOrganization } from '../../../organization/organizations/store.ts';
import { emailOrganization } from '../send-to-organization.ts';
import { lockEmailCursor, lockRecipients, moveEmailCursor, triedInvoices } from '../store.ts';
import { deadlineFailedEmail } from '../templates/deadline-failed.ts';
import { approvalEvent, emailDeciders } from './approval-emails.ts';
import { combineEmails } from './combine.ts';
import { connectionEvent, emailConnections } from './connection-emails.ts';
import { channelsOf, nodeKeyOf } from './limit-about.ts';
import { emailMerchants, isLimitEvent, limitEvents } from './limit-emails.ts';
import { eventsForOwners, notifyOwners } from './notify-owners.ts';

/** Maximum number of events that one transaction creates emails for. */
const eventsPerBatch = 500;

const invoiceIdOf = ({ data }: EventRow): string => String(data['invoiceId'] ?? '');

/** Returns true for declines of automatic top-ups after the first, and for declines that pause the top-up, which has its own email. */
const isLaterDecline = ({ kind, data }: EventRow): boolean =>
  kind === 'auto_topup.failed' && (data['attempt'] !== 1 || data['nextAt'] === null);

/** Returns true for scheduled debits that need no notice by the organization, and for ended mandates that no subscription uses. */
const isUnneeded = ({ kind, data, subscriptionId }: EventRow): boolean =>
  (kind === 'payment.scheduled' && instrumentOf(String(data['instrument'])).notice?.sender !== 'us') ||
  (kind === 'mandate.revoked' && subscriptionId === null);

/** Returns the outstanding invoices that the customer hasn't been asked to pay, because they have no open checkout and no payment attempt. */
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
    combineKey: kind === 'usage_limit' ? `customer ${nodeKeyOf(customer.id, event.data)}` : null,
  };
}

async function writeEmails(tx: TransactionContext, events: readonly EventRow[]): Promise<void> {
  const { transaction } = tx;
  const payable = await payableInvoices(tx, events);
  const ids = [...new Set(events.flatMap(({ customerId }) => customerId ?? []))];
  const customers = new Map(
    (await readBy(tx.sql, 'Customer', 'id', ids)).map((customer) => [customer.id, customer]),
  );
  // Anyone who visits a pricing table can enter any email address. Emailing visitors before they complete a purchase would let anyone send
  // emails to arbitrary addresses.
  const silent = await findUnestablished(tx.sql, ids);
  const wanted = events.flatMap((event) => {
    const customer = customers.get(event.customerId ?? '');
    const isDue =
      (event.kind !== 'invoice.created' || payable.has(invoiceIdOf(event))) &&
      (!isLimitEvent(event) || channelsOf(event.data).includes('customer_email')) &&
      !isLaterDecline(event) &&
      !isUnneeded(event);
    return customer !== undefined && isDue && !silent.has(customer.id) ? [{ event, customer }] : [];
  });
  if (wanted.length === 0) return;
  await lockRecipients(tx.sql, [...new Set(wanted.map(({ customer }) => customer.id))]);
  const { seq } = await takeNumbers(transaction.query, tx.environment.id, { seq: wanted.length });
  const now = tx.wall.now();
  const emails = wanted.map(({ event, customer }, index) =>
    emailOf(event, customer, seq + BigInt(index), now),
  );
  await insertRows(tx.sql, 'EmailNotification', await combineEmails(tx, emails, now));
}

/** Event that is emailed to the organization's notification recipient instead of the customer (BIL-56a). */
const failedDeadline = 'deadline.failed' satisfies EventKind;

/** Creates the email to the organization about a failed deadline. */
const toMerchant =
  (tx: Context, to: string) =>
  ({ kind, data, subscriptionId }: EventRow): MailMessage =>
    deadlineFailedEmail(to, {
      summary: eventSummary(kind, data),
      customerId: String(data['customerId']),
      subscriptionId,
      error: String(data['error']),
      isLive: tx.livemode,
    });

async function advance(tx: TransactionContext, owner: string, isSilent: boolean): Promise<boolean> {
  const after = await lockEmailCursor(tx.sql, owner);
  const upTo = await lastEventPosition(tx.sql);
  if (after === null || upTo <= after) return false;
  const organization = await readOrganization(tx);
  const { customerEmails, mutedEmailKinds, notificationEmail } = organization;
  const isMailed = customerEmails && !mutedEmailKinds.includes('usage_limit');
  const kinds = isSilent
    ? []
    : [
        ...(customerEmails ? eventsWithEmails(mutedEmailKinds) : []),
        ...(notificationEmail === null ? [] : [failedDeadline, connectionEvent]),
        ...eventsForOwners(tx),
        ...limitEvents,
        approvalEvent,
      ];
  const events =
    kinds.length === 0
      ? []
      : await readEventsBetween(tx.sql, { kinds }, { after, upTo, limit: eventsPerBatch });
  const isFull = events.length === eventsPerBatch;
  await moveEmailCursor(tx.sql, isFull ? (events.at(-1)?.position ?? upTo) : upTo);
  const failed = events.filter(({ kind }) => kind === failedDeadline);
  const toCustomers = events.filter(
    (event) =>
      event.kind !== failedDeadline && event.kind !== approvalEvent && (!isLimitEvent(event) || isMailed),
  );
  if (toCustomers.length > 0) await writeEmails(tx, toCustomers);
  await emailMerchants(tx, organization, events);
  await emailDeciders(tx, organization, events);
  if (notificationEmail !== null) await emailOrganization(tx, failed.map(toMerchant(tx, notificationEmail)));
  await emailConnections(tx, organization, events);
  await notifyOwners(tx, organization, events);
  return isFull;
}

/**
 * Creates emails from the next outbox events in an environment leased to `owner`, and returns `true` if there are more
 * events. Each event is processed once. The number of SQL statements doesn't depend on the number of events. Failed
 * deadlines and connected apps are emailed to the notification recipient. Events are skipped permanently if the organization turned off
 * their email type or all customer emails (PLT-9), or if `isSilent` is `true`. Owners are always notified about changes
 * to payment, payout, and tax settings (PLT-53).
 */
export const fanOutEmails = (ctx: Context, owner: string, isSilent: boolean): Promise<boolean> =>
  inTransaction(ctx, (tx) => advance(tx, owner, isSilent), { clockLock: 'none' });
