import type { ErrorCode, FieldProblem, Rejection } from '../../errors.ts';
import { defaultRejection, specificRejection } from '../../errors.ts';
import type { PriceFailure } from '../../pricing/resolve.ts';
import type { SubscriptionRow } from './rows.ts';
import { type StatusOperation, statusRejections } from './transitions.ts';

const priceMessages: { readonly [code in PriceFailure['failure']]: string } = {
  no_prices_configured: 'The plan has no price that can be selected.',
  price_not_found: 'The plan has no such price, or none for this interval.',
  missing_regional_price: 'The price has no value in the currency of the subscription.',
};

/** The rejection for a price that could not be found. */
export const priceRejection = (code: PriceFailure['failure']): Rejection => ({
  code,
  message: priceMessages[code],
});

/** The rejection for unacceptable input, all problems at once; null when there are none. */
export function problemRejection(problems: readonly FieldProblem[]): Rejection | null {
  const [first] = problems;
  return first === undefined
    ? null
    : { code: 'validation_error', message: first.message, param: first.field, details: problems };
}

/** The rejection for one field that is unacceptable. */
export const fieldRejection = (field: string, message: string): Rejection => ({
  code: 'validation_error',
  message,
  param: field,
  details: [{ field, message }],
});

/** The rejection of a payment whose tax depends on a country nobody has given (BIL-20). */
export const countryMissing: Rejection = fieldRejection(
  'billingAddress.country',
  'The seller needs the country of the billing address.',
);

const statusMessages: { readonly [code in ErrorCode]?: string } = {
  subscription_already_canceled: 'The subscription is already canceled.',
  not_scheduled_for_cancellation: 'No cancellation of the subscription is scheduled.',
  invalid_subscription_status: 'The status of the subscription does not allow this.',
};

/** The rejection an operation meets because of the status alone (SUB-21); null when it may go on. */
export function statusRejection(operation: StatusOperation, subscription: SubscriptionRow): Rejection | null {
  const code = statusRejections[operation][subscription.status];
  return code === undefined
    ? null
    : { code, message: statusMessages[code] ?? `The subscription is ${subscription.status}.` };
}

/** The rejection where nothing is stored that could be charged. */
export const noPaymentMethod: Rejection = specificRejection('no_payment_method', 'none_stored');

/** The rejection for an attempt that does not exist. */
export const transactionNotFound: Rejection = defaultRejection('transaction_not_found', { param: 'id' });

/** The rejection while a payment of the subscription is in dispute (SUB-22). */
export const openDisputeRejection: Rejection = specificRejection('subscription_has_open_dispute', 'payment');

/** The rejection while a gateway has not answered yet (BIL-32). */
export const chargeInProgress: Rejection = specificRejection('charge_in_progress', 'subscription');

/** The rejection for a payer who has tried too often what is owed (BIL-42). */
export const tooManyPayerRetries: Rejection = specificRejection('rate_limited', 'payments_per_hour');

/** The rejection for a charge that was declined. */
export const chargeFailed = (declineCode: string, message: string): Rejection => ({
  code: 'charge_failed',
  message,
  details: { declineCode },
});
