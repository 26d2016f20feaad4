// Checks which operations are allowed in the current status of a payment (PAY-4, PAY-5).
import type { Rejection } from '../errors/errors.ts';
import { defaultRejection, specificRejection } from '../errors/errors.ts';
import type { PaymentRow } from '../rows/payment-rows.ts';
import type { Metadata } from '../rows/rows.ts';
import { type Tax, taxOn } from '../tax/tax.ts';
import { foldText } from '../text/folding.ts';
import { minimumChargeUsdMinor } from './provider.ts';

/** Terms of a payment. The amount is positive, in minor units of `currency`, and before tax. */
export type PaymentTerms = {
  readonly paymentId: string;
  readonly subtotalMinor: bigint;
  readonly currency: string;
  readonly description: string;
  readonly metadata: Metadata | null;
};

/**
 * Provider and connected account of a payment. `namedProvider` is the provider that was requested by name
 * (PAY-13).
 */
export type Routing = Pick<PaymentRow, 'provider' | 'namedProvider' | 'connectionId'>;

type NewPayment = Routing &
  Pick<PaymentRow, 'kind' | 'customerId' | 'successUrl' | 'saveCard'> & { readonly tax: Tax };

/** Returns the tax on an amount before tax, and the total including tax (BIL-21). */
export function taxedAmounts(subtotalMinor: bigint, tax: Tax): Pick<PaymentRow, 'taxMinor' | 'totalMinor'> {
  const taxMinor = taxOn(subtotalMinor, tax);
  return { taxMinor, totalMinor: subtotalMinor + taxMinor };
}

/**
 * Returns true if a payment is charged. Returns false if its total is too small: the payment method is then
 * only verified (BIL-35). The minimum applies only to US dollars, because exchange rates belong to plans.
 */
export const isCharged = ({ totalMinor, currency }: Pick<PaymentRow, 'totalMinor' | 'currency'>): boolean =>
  currency !== 'usd' || totalMinor >= minimumChargeUsdMinor;

/** Returns a new payment without an attempt. */
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
  searchText: foldText(terms.description),
  ...taxedAmounts(terms.subtotalMinor, tax),
  cardSavedAt: null,
  attempt: null,
  failureCode: null,
  failureMessage: null,
  wrongCodes: 0,
  invoiceId: null,
  createdAt: now,
  updatedAt: now,
});

/**
 * Returns true if the card of a payment link's payer is saved (PAY-8). `agreed` is the payer's choice, or
 * `null` if the page offered no choice. Without a choice, the card is saved only if the page states that
 * paying saves the card.
 */
export const savesCard = ({ saveCard }: Pick<PaymentRow, 'saveCard'>, agreed: boolean | null): boolean =>
  saveCard !== 'never' && (agreed ?? saveCard === 'always');

/** Rejection for a payment that doesn't exist or can't be paid on a page. */
export const paymentNotFound: Rejection = defaultRejection('payment_not_found', { param: 'id' });

const underWay: Rejection = specificRejection('charge_in_progress', 'outcome_unknown');

/**
 * Returns the rejection if a payment has a pending authentication that wasn't canceled at the provider. `null`
 * if the payment has none. `abandoned` is the ID of the attempt that was canceled at the provider.
 */
export const abandonRejection = (
  { attempt }: Pick<PaymentRow, 'attempt'>,
  abandoned: string | null,
): Rejection | null => (attempt === null || attempt.attemptId === abandoned ? null : underWay);

/**
 * Returns the reason why a payer can't currently pay with a link. `null` if payment is possible. A payer whose authentication is pending
 * can switch to another payment method.
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
    ? {
        ...underWay,
        message: 'Another payer is confirming this payment with their bank. Try again in a moment.',
      }
    : null;
}

/**
 * Returns the reason why a payment can't be canceled (PAY-5). `null` if the payment can be canceled or is already
 * canceled.
 */
export function cancelRejection({ kind, status }: Pick<PaymentRow, 'kind' | 'status'>): Rejection | null {
  if (kind === 'charge') return specificRejection('payment_not_cancelable', 'charge');
  if (status === 'processing') return specificRejection('payment_not_cancelable', 'under_way');
  return status === 'succeeded' ? specificRejection('payment_not_cancelable', 'paid') : null;
}

/** Returns the fields that change when a payment link is canceled. */
export const cancellation = (now: Date): Pick<PaymentRow, 'status' | 'attempt' | 'updatedAt'> => ({
  status: 'canceled',
  attempt: null,
  updatedAt: now,
});
