import type { Rejection } from '../../errors.ts';
import { issueAdjustment } from '../../invoicing/adjustment.ts';
import { creditLeft } from '../../invoicing/corrections.ts';
import { invoiceEvent } from '../../payment-events.ts';
import { addInvoice, storeInvoice } from '../invoicing/invoicing.ts';
import { customerTax } from '../invoicing/taxing.ts';
import { scheduleOverdue } from '../schedule/notices.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import type { InvoiceRow, Metadata } from '../state/rows.ts';
import { accessStatuses } from '../state/transitions.ts';

/** `amountMinor` is not 0; negative for a credit. */
type Input = Timed & {
  /** The invoice a credit corrects; null for a positive amount, and for a credit that corrects none. */
  readonly correctsInvoiceId: string | null;
  readonly amountMinor: bigint;
  readonly description: string;
  readonly metadata: Metadata;
};

/** The currency of a customer without a subscription in force. */
const defaultCurrency = 'usd';

/**
 * Issues a manual adjustment in the currency of the invoice it corrects, else of the subscription in force
 * (BIL-23). A positive one is owed and not charged; a negative one documents a credit and moves no value, so
 * the ledger does not know it. A credit that names an invoice is rejected where it cannot correct it. Sends
 * `invoice.created`; `invoice.overdue` follows if it is not settled in time (BIL-4).
 */
export const invoiceAdjust = customerCommand({
  kind: 'invoice.adjust',
  needs: ({ correctsInvoiceId }: Input) => ({
    correctedInvoices: correctsInvoiceId === null ? [] : [correctsInvoiceId],
  }),
  decide(draft: Draft, { amountMinor, description, metadata, correctsInvoiceId }: Input): Decision {
    const corrected = correctsInvoiceId === null ? null : draft.invoices.find(correctsInvoiceId);
    const rejection = correctsInvoiceId === null ? null : correctionRejection(draft, corrected, amountMinor);
    if (rejection !== null) return draft.reject(rejection);
    const live = draft.subscriptions.all().find(({ status }) => accessStatuses.includes(status));
    const details = {
      customerId: draft.customer.id,
      currency: corrected?.currency ?? live?.currency ?? defaultCurrency,
      amountMinor,
      description,
      metadata,
      correctsInvoiceId,
      tax: customerTax(draft),
    };
    const { invoice, lines } = issueAdjustment(details, draft.now, draft.newId);
    if (amountMinor > 0n) {
      addInvoice(draft, invoice, lines);
      scheduleOverdue(draft, null, invoice);
    } else storeInvoice(draft, invoice, lines);
    draft.emit(invoiceEvent('invoice.created', draft.customer, invoice));
    return draft.done('done', null, invoice.id);
  },
});

const rejectionOn = (field: 'invoiceId' | 'amount', message: string): Rejection => ({
  code: 'validation_error',
  message,
  param: field,
  details: [{ field, message }],
});

/** Why a credit cannot correct an invoice; null when it can. */
function correctionRejection(
  draft: Draft,
  corrected: InvoiceRow | null,
  amountMinor: bigint,
): Rejection | null {
  if (amountMinor > 0n)
    return rejectionOn('invoiceId', 'Only a negative adjustment can name the invoice it corrects.');
  if (corrected === null) return rejectionOn('invoiceId', 'The customer has no such invoice.');
  if (corrected.total < 0n)
    return rejectionOn('invoiceId', 'A credit note cannot be corrected by another one.');
  if (corrected.status === 'draft' || corrected.status === 'void') {
    return rejectionOn(
      'invoiceId',
      `The invoice is ${corrected.status}. Only an issued invoice can be corrected.`,
    );
  }
  const left = creditLeft(corrected, draft.invoices.all());
  if (-amountMinor <= left) return null;
  return rejectionOn(
    'amount',
    `The credit notes of an invoice cannot exceed its total. At most ${left} can be credited.`,
  );
}
