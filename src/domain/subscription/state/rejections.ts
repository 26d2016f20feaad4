import type { ErrorCode, FieldProblem, Rejection } from '../../errors/errors.ts';
import { defaultRejection, specificRejection } from '../../errors/errors.ts';
import type { PriceFailure } from '../../pricing/resolve.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import { type StatusOperation, statusRejections } from './transitions.ts';

const priceMessages: { readonly [code in PriceFailure['failure']]: string } = {
  no_prices_configured: 'The plan has no active price. Add a price first.',
  price_not_found: "The plan doesn't have this price, or has no price for this billing interval.",
  missing_regional_price: "The price has no amount in the subscription's currency. Add the amount first.",
};

export const priceRejection = (code: PriceFailure['failure']): Rejection => ({
  code,
  message: priceMessages[code],
});

/** Returns a validation error that lists all problems. `null` if the list is empty. */
export function problemRejection(problems: readonly FieldProblem[]): Rejection | null {
  const [first] = problems;
  return first === undefined
    ? null
    : { code: 'validation_error', message: first.message, param: first.field, details: problems };
}

/** Returns a validation error for one field. */
export const fieldRejection = (field: string, message: string): Rejection => ({
  code: 'validation_error',
  message,
  param: field,
  details: [{ field, message }],
});

/** Rejection of a payment whose tax can't be calculated because the payer's country is unknown (BIL-20). */
export const countryMissing: Rejection = fieldRejection(
  'billingAddress.country',
  'The country of the billing address is required to calculate tax.',
);

const statusMessages: { readonly [code in ErrorCode]?: string } = {
  subscription_already_canceled: 'The subscription is already canceled.',
  not_scheduled_for_cancellation: "The subscription isn't scheduled to cancel.",
  invalid_subscription_status: "The status of the subscription doesn't allow this action.",
};

/**
 * Returns the rejection if the subscription's status doesn't allow the operation (SUB-21). `null` if the
 * status allows it.
 */
export function statusRejection(operation: StatusOperation, subscription: SubscriptionRow): Rejection | null {
  const code = statusRejections[operation][subscription.status];
  return code === undefined
    ? null
    : {
        code,
        message:
          statusMessages[code] ??
          `The subscription has the status ${subscription.status}, which doesn't allow this action.`,
      };
}

export const noPaymentMethod: Rejection = specificRejection('no_payment_method', 'none_stored');

export const transactionNotFound: Rejection = defaultRejection('transaction_not_found', { param: 'id' });

/** Rejection of an operation because a payment for the subscription is disputed (SUB-22). */
export const openDisputeRejection: Rejection = specificRejection('subscription_has_open_dispute', 'payment');

/** Rejection of an operation because a provider hasn't responded to a charge (BIL-32). */
export const chargeInProgress: Rejection = specificRejection('charge_in_progress', 'subscription');

/** Rejection of a payment attempt because payers made too many attempts within an hour (BIL-42). `retryAfter` is in seconds. */
export const tooManyPayerRetries = (retryAfter: number | undefined): Rejection =>
  specificRejection('rate_limited', 'payments_per_hour', { retryAfter });

export const chargeFailed = (declineCode: string, message: string): Rejection => ({
  code: 'charge_failed',
  message,
  details: { declineCode },
});
