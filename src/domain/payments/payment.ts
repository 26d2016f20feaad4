// What can be done with a payment in which status (PAY-4, PAY-5).
import type { Rejection } from '../errors.ts';
import { defaultRejection, specificRejection } from '../errors.ts';
import { minimumChargeUsdMinor } from '../provider.ts';
import type { Metadata } from '../subscription/state/rows.ts';
import { type Tax, taxOn } from '../tax.ts';
import type { PaymentRow } from './rows.ts';

/** What a caller asks money for: minor units of `currency` before tax, above 0. */
export type PaymentTerms = {
  readonly paymentId: string;
  readonly subtotalMinor: bigint;
  readonly currency: string;
  readonly description: string;
  readonly metadata: Metadata | null;
};

/** Which connection a payment goes through, and whether that was asked for by name (PAY-13). */
export type Routing = Pick<PaymentRow, 'provider' | 'namedProvider' | 'connectionId'>;

/** What a new payment is, beside its terms. */
type NewPayment = Routing & Pick<PaymentRow, 'kind' | 'customerId' | 'successUrl'> & { readonly tax: Tax };

/** Tax and total of an amount before tax (BIL-21). */
export function taxedAmounts(subtotalMinor: bigint, tax: Tax): Pick<PaymentRow, 'taxMinor' | 'totalMinor'> {
  const taxMinor = taxOn(subtotalMinor, tax);
  return { taxMinor, totalMinor: subtotalMinor + taxMinor };
}

/**
 * Whether a payment is charged, or its total too small for that and the method only verified (BIL-35). Without a plan
 * there is no exchange rate, so a total is known to be too small in US dollars only.
 */
export const isCharged = ({ totalMinor, currency }: Pick<PaymentRow, 'totalMinor' | 'currency'>): boolean =>
  currency !== 'usd' || totalMinor >= minimumChargeUsdMinor;

/** A payment nobody has tried yet. */
export const newPayment = (
  { paymentId, ...terms }: PaymentTerms,
  { tax, ...about }: NewPayment,
  now: Date,
): PaymentRow => ({
  id: paymentId,
  seq: null,
  payerId: about.customerId,
  status: 'pending',
  ...about,
  ...terms,
  ...taxedAmounts(terms.subtotalMinor, tax),
  attempt: null,
  failureCode: null,
  failureMessage: null,
  wrongCodes: 0,
  invoiceId: null,
  createdAt: now,
  updatedAt: now,
});

/** The rejection for a payment that does not exist, or is not one that can be paid at a page. */
export const paymentNotFound: Rejection = defaultRejection('payment_not_found', { param: 'id' });

const underWay: Rejection = specificRejection('charge_in_progress', 'outcome_unknown');

/**
 * Why the authentication a payment waits for cannot be given up: it is another one than was taken back. Null
 * when it can, or none is awaited.
 */
export const giveUpRejection = (
  { attempt }: Pick<PaymentRow, 'attempt'>,
  abandoned: string | null,
): Rejection | null => (attempt === null || attempt.attemptId === abandoned ? null : underWay);

/**
 * Why a link cannot be paid now by a payer; null when it can. A payer who owes an authentication may use
 * another method instead.
 */
export function payRejection(
  payment: Pick<PaymentRow, 'kind' | 'status' | 'payerId'>,
  payerId: string | null,
): Rejection | null {
  if (payment.kind !== 'link') return paymentNotFound;
  if (payment.status === 'succeeded') return specificRejection('no_outstanding_invoice', 'paid');
  if (payment.status === 'canceled') return specificRejection('no_outstanding_invoice', 'link_canceled');
  if (payment.status === 'processing') return underWay;
  const isAnothers = payment.status === 'requires_action' && payment.payerId !== payerId;
  return isAnothers
    ? { ...underWay, message: 'Someone else is confirming the payment with their bank.' }
    : null;
}

/** Why a payment cannot be canceled (PAY-5); null when it can, or is canceled already. */
export function cancelRejection({ kind, status }: Pick<PaymentRow, 'kind' | 'status'>): Rejection | null {
  if (kind === 'charge') return specificRejection('payment_not_cancelable', 'charge');
  if (status === 'processing') return specificRejection('payment_not_cancelable', 'under_way');
  return status === 'succeeded' ? specificRejection('payment_not_cancelable', 'paid') : null;
}

/** What changes of a link that can no longer be paid. */
export const cancellation = (now: Date): Pick<PaymentRow, 'status' | 'attempt' | 'updatedAt'> => ({
  status: 'canceled',
  attempt: null,
  updatedAt: now,
});
