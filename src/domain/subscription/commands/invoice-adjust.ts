import type { Rejection } from '../../errors/errors.ts';
import { usualDueDays } from '../../invoicing/adjustment.ts';
import { amountDue, creditLeft } from '../../invoicing/credit-note.ts';
import { postCredited } from '../../ledger/documents.ts';
import type { InvoiceRow, Metadata, SubscriptionRow } from '../../rows/rows.ts';
import { abandonAuthentication, owedAuthentication } from '../invoicing/charging.ts';
import { addCreditNote, announceCreditNote } from '../invoicing/credit-notes.ts';
import { addManualInvoice } from '../invoicing/manual-invoice.ts';
import { settleCredited } from '../invoicing/settling.ts';
import { endDunning } from '../lifecycle/dunning.ts';
import { changeOf } from '../plan-change/change-amounts.ts';
import { isBeingCollected, isCharging } from '../pricing/lookup.ts';
import { isPurchase } from '../purchases/purchase.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';

/** Parameters of an adjustment. `amountMinor` is never 0 and is negative for a credit. */
type Input = Timed & {
  /** Invoice to credit. `null` if the adjustment is a charge, or a credit that isn't for an existing invoice. */
  readonly invoiceId: string | null;
  /** ID for the credit note. Used only if `invoiceId` is set. */
  readonly creditNoteId: string;
  readonly amountMinor: bigint;
  readonly description: string;
  readonly metadata: Metadata;
};

/**
 * Issues a manual adjustment (BIL-23). A positive adjustment creates an outstanding invoice that isn't
 * charged automatically. A negative adjustment of an invoice creates a credit note. A negative adjustment
 * without an invoice creates a paid invoice without ledger transfers. Uses the currency of the given invoice,
 * otherwise of the active subscription. Emits `invoice.created` or `credit_note.created`, and later
 * `invoice.overdue` if the invoice isn't paid in time (BIL-4).
 */
export const invoiceAdjust = customerCommand({
  kind: 'invoice.adjust',
  needs: ({ invoiceId }: Input) => ({ creditedInvoices: invoiceId === null ? [] : [invoiceId] }),
  decide(draft: Draft, input: Input): Decision {
    const { amountMinor, description, metadata, invoiceId } = input;
    if (invoiceId !== null) return credit(draft, draft.invoices.find(invoiceId), input);
    return addManualInvoice(draft, {
      currency: null,
      lines: [{ description, quantity: 1n, unitAmountMinor: amountMinor }],
      memo: null,
      poNumber: null,
      reference: null,
      dueDays: usualDueDays,
      metadata,
    });
  },
});

/**
 * Issues a credit note for an invoice. Reduces the amount due of an outstanding invoice. If no amount due
 * remains, settles the invoice and ends its dunning (DAT-12a).
 */
function credit(draft: Draft, invoice: InvoiceRow | null, input: Input): Decision {
  const { amountMinor, creditNoteId: id, description, metadata } = input;
  const subscription =
    invoice?.subscriptionId == null ? null : draft.subscriptions.find(invoice.subscriptionId);
  const rejection = creditRejection(draft, invoice, subscription, amountMinor);
  if (invoice === null || rejection !== null) return draft.reject(rejection ?? unknownInvoice);
  const note = addCreditNote(draft, invoice.id, -amountMinor, {
    reason: 'adjustment',
    id,
    description,
    metadata,
  });
  if (note === null) throw new Error(`Nothing is left to credit of the invoice ${invoice.id}.`);
  if (invoice.status === 'outstanding') {
    draft.ledger.push(...postCredited(invoice, note, draft.newId, draft.now));
    lowerAmountDue(draft, draft.invoices.get(invoice.id), subscription);
  }
  announceCreditNote(draft, note);
  return draft.done('done', invoice.subscriptionId, invoice.id);
}

/** Abandons an authentication for the previous amount, and settles the invoice if no amount due remains. */
function lowerAmountDue(draft: Draft, invoice: InvoiceRow, subscription: SubscriptionRow | null): void {
  const isInDunning = subscription?.dunningInvoiceId === invoice.id;
  if (subscription !== null && isInDunning) {
    abandonAuthentication(draft, owedAuthentication(subscription));
    draft.subscriptions.patch(subscription.id, { pendingCheckout: null });
  }
  if (amountDue(invoice) > 0n) return;
  const settled = settleCredited(draft, invoice);
  if (subscription !== null && isInDunning)
    endDunning(draft, draft.subscriptions.get(subscription.id), settled, null);
}

const rejectionOn = (field: 'invoiceId' | 'amount', message: string): Rejection => ({
  code: 'validation_error',
  message,
  param: field,
  details: [{ field, message }],
});

const unknownInvoice = rejectionOn('invoiceId', "The customer doesn't have this invoice.");

/** Returns the reason why an invoice can't be credited, or `null` if a credit is possible. */
function creditRejection(
  draft: Draft,
  invoice: InvoiceRow | null,
  subscription: SubscriptionRow | null,
  amountMinor: bigint,
): Rejection | null {
  if (amountMinor > 0n)
    return rejectionOn('invoiceId', 'Only a negative adjustment can reference an invoice. Omit `invoiceId`.');
  if (invoice === null) return unknownInvoice;
  if (invoice.total < 0n) return rejectionOn('invoiceId', "A negative invoice can't be credited.");
  if (invoice.status === 'draft' || invoice.status === 'void') {
    return rejectionOn(
      'invoiceId',
      `The invoice is ${invoice.status}. Only an issued invoice can be credited.`,
    );
  }
  if (invoice.status === 'outstanding') {
    if (isBeingCollected(draft, invoice.id) || (subscription !== null && isCharging(draft, subscription)))
      return rejectionOn(
        'invoiceId',
        'A charge of the subscription is still processing. Try again in a moment.',
      );
    if (isAwaitingStart(invoice))
      return rejectionOn(
        'invoiceId',
        'The invoice belongs to an open checkout. Mark the invoice as paid or void instead.',
      );
  }
  const left = invoice.status === 'outstanding' ? amountDue(invoice) : creditLeft(invoice);
  if (-amountMinor <= left) return null;
  return rejectionOn(
    'amount',
    `Credit notes can't exceed the unpaid amount of an outstanding invoice, or the total of a paid invoice. Remaining amount that can be credited, in minor units: ${left}.`,
  );
}

/** Returns true if paying an outstanding invoice would start a subscription, a plan change, or a purchase. */
const isAwaitingStart = (invoice: InvoiceRow): boolean =>
  invoice.finalizedAt === null || isPurchase(invoice) || changeOf(invoice) !== null;
