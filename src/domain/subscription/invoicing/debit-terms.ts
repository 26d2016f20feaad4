import { type Rejection, specificRejection } from '../../errors/errors.ts';
import { addBusinessDays } from '../../payments/instruments/calendars.ts';
import { misfitOf } from '../../payments/instruments/effective.ts';
import { collectionDate, type FailedAttempt, retryDate } from '../../payments/instruments/failures.ts';
import { defaultInstrument, instrumentOf } from '../../payments/instruments/registry.ts';
import type { DebitTerms } from '../../payments/provider.ts';
import type { MethodDetails, TransactionRow } from '../../rows/rows.ts';
import { isoDate, minuteMs } from '../../time/period.ts';
import type { Draft } from '../state/draft.ts';

/** Time after 00:00 UTC of the collection date at which a debit is sent to the bank (INS-21). */
const submittedAfterMs = 5 * minuteMs;

/** Returns true if an instrument confirms payments later, such as a bank debit. */
export const isConfirmedLater = ({ instrument }: Pick<TransactionRow, 'instrument'>): boolean =>
  instrumentOf(instrument).confirmation.latest > 0;

/** Returns the rejection of a payment method that doesn't fit a charge (INS-5). `null` if it fits. */
export function misfitRejection(
  { instrument = defaultInstrument }: Pick<MethodDetails, 'instrument'>,
  charge: Parameters<typeof misfitOf>[1],
): Rejection | null {
  const reason = misfitOf(instrumentOf(instrument), charge);
  return reason === null
    ? null
    : specificRejection('provider_unsupported', 'instrument_unfit', { details: { reason } });
}

/** Returns the rejection of a payment method that confirms payments later, for charges whose result is needed immediately. */
export const lateRejection = ({
  instrument = defaultInstrument,
}: Pick<MethodDetails, 'instrument'>): Rejection | null =>
  isConfirmedLater({ instrument }) || instrumentOf(instrument).initiation === 'push'
    ? specificRejection('provider_unsupported', 'instrument_too_slow', {
        details: { reason: 'instrument_not_available' },
      })
    : null;

/** Returns the failed attempts at an invoice with the same payment method, oldest first. */
export const failedAttempts = (
  draft: Draft,
  invoiceId: string | null,
  paymentMethodId: string | null,
): FailedAttempt[] =>
  draft.transactions
    .all()
    .filter(
      (row) =>
        row.invoiceId === invoiceId && row.paymentMethodId === paymentMethodId && row.status === 'failed',
    )
    .map(({ collectionOn, updatedAt, declineCode }) => ({
      collectionOn,
      endedAt: updatedAt,
      code: declineCode,
    }));

/**
 * Sets the dates of a bank debit and returns its terms for the provider. The invoice is due on the collection date (INS-20).
 * `null` if the instrument confirms payments immediately.
 */
export function debitTerms(
  draft: Draft,
  transaction: TransactionRow,
  isPayerPresent: boolean,
): DebitTerms | null {
  if (!isConfirmedLater(transaction)) return null;
  const { id, invoiceId, paymentMethodId } = transaction;
  const instrument = instrumentOf(transaction.instrument);
  const { calendar, confirmation } = instrument;
  const failed = failedAttempts(draft, invoiceId, paymentMethodId);
  const collectionOn =
    (isPayerPresent ? null : retryDate(instrument, failed, draft.now)) ??
    collectionDate(instrument, draft.now, isPayerPresent);
  draft.transactions.patch(id, {
    collectionOn,
    expectedOn: addBusinessDays(calendar, collectionOn, confirmation.typical),
    latestOn: addBusinessDays(calendar, collectionOn, confirmation.latest),
  });
  if (invoiceId !== null) draft.invoices.patch(invoiceId, { dueDate: collectionOn });
  return {
    instrument: transaction.instrument,
    collectionOn: isoDate(collectionOn),
    isDue: draft.now.getTime() >= collectionOn.getTime() + submittedAfterMs,
    earlierAttempts: failed.length,
    earlierDebits: draft.mandates.all().find((row) => row.paymentMethodId === paymentMethodId)?.debits ?? 0,
  };
}
