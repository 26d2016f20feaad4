// Terms of payments that the payer starts, such as Pix (INS-24, INS-30).
import { type Rejection, specificRejection } from '../../errors/errors.ts';
import { checkoutWaitsUntil, payableUntil } from '../../payments/instruments/expiry.ts';
import { paymentReference } from '../../payments/instruments/payment-codes.ts';
import { defaultInstrument, instrumentOf } from '../../payments/instruments/registry.ts';
import type { PushTerms } from '../../payments/provider.ts';
import { invoiceNumberText } from '../../rows/invoice-number.ts';
import type { Address, InvoiceRow, MethodDetails, SubscriptionRow, TransactionRow } from '../../rows/rows.ts';
import { isCnpj, isCpf } from '../../tax/check-digits.ts';
import type { Draft } from '../state/draft.ts';

/** Returns true if the payer starts payments with an instrument. Nothing is stored, and later charges are impossible. */
export const isPush = ({ instrument = defaultInstrument }: Pick<MethodDetails, 'instrument'>): boolean =>
  instrumentOf(instrument).initiation === 'push';

/** Sets the expiry of an attempt and returns its terms for the provider. `null` if the payer doesn't start the payment. */
export function pushTerms(
  draft: Draft,
  transaction: TransactionRow,
  invoice: Pick<InvoiceRow, 'number' | 'finalizedAt'> | null,
): PushTerms | null {
  const { id, instrument } = transaction;
  if (!isPush(transaction)) return null;
  const number = invoice?.number ?? null;
  const isAtCheckout = invoice?.finalizedAt === null;
  const expiresAt =
    payableUntil(instrumentOf(instrument), draft.now) ??
    (isAtCheckout ? checkoutWaitsUntil(draft.now) : null);
  draft.transactions.patch(id, { expiresAt });
  return {
    instrument,
    requestedAt: draft.now.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    recipient: draft.aggregate.environment.seller.name,
    reference: paymentReference(number === null ? id.slice(-12) : invoiceNumberText(number)),
  };
}

const unavailable = (reason: string): Rejection =>
  specificRejection('provider_unsupported', 'instrument_unfit', { details: { reason } });

/** Rejection of a payment by the payer at a checkout that only stores a payment method. */
export const nothingToPay = unavailable('instrument_not_available');

/**
 * Returns the rejection if a subscription can't be paid by an instrument that can't be charged later (INS-5). `null` if nothing is
 * charged later, or if the organization asks customers to pay renewals.
 */
export function presentOnlyRejection(
  { aggregate }: Draft,
  { billingInterval }: SubscriptionRow,
  method: Pick<MethodDetails, 'instrument'>,
): Rejection | null {
  const isChargedLater = billingInterval !== 'one_time' && !aggregate.environment.collectByPayer;
  return isPush(method) && isChargedLater ? unavailable('instrument_not_available') : null;
}

/** Details of the payer that an instrument can require. */
type Payer = { readonly address: Address | null; readonly taxDocument: string | null };

const isBrazilianId = (document: string): boolean => {
  const compact = document.toUpperCase().replace(/[^0-9A-Z]/g, '');
  return compact.length === 11 ? isCpf(compact) : compact.length === 14 && isCnpj(compact);
};

/** Returns the rejection if details of the payer that an instrument requires are missing or wrong. `null` if they are complete. */
export function detailsRejection(
  { instrument = defaultInstrument }: Pick<MethodDetails, 'instrument'>,
  { address, taxDocument }: Payer,
): Rejection | null {
  const { requires } = instrumentOf(instrument);
  if (requires.includes('tax_document')) {
    const problem =
      taxDocument === null || taxDocument === ''
        ? 'document_required'
        : isBrazilianId(taxDocument)
          ? null
          : 'document_invalid';
    if (problem !== null)
      return specificRejection('validation_error', 'payer_document', {
        param: 'taxDocument',
        details: { reason: problem },
      });
  }
  return requires.includes('address') && !address?.line1
    ? specificRejection('validation_error', 'payer_address', { param: 'billingAddress' })
    : null;
}
