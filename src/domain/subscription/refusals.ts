import type { ErrorCode, FieldProblem, Refusal } from '../errors.ts';
import type { PriceFailure } from '../pricing/resolve.ts';
import type { SubscriptionRow } from './rows.ts';
import { type StatusOperation, statusRefusals } from './state.ts';

const priceMessages: { readonly [code in PriceFailure['failure']]: string } = {
  no_prices_configured: 'The plan has no price that can be selected.',
  price_not_found: 'The plan has no such price, or none for this interval.',
  missing_regional_price: 'The price has no value in the currency of the subscription.',
};

/** The refusal for a price that could not be found. */
export const priceRefusal = (code: PriceFailure['failure']): Refusal => ({ code, message: priceMessages[code] });

/** The refusal for unacceptable input, all problems at once; null when there are none. */
export function problemRefusal(problems: readonly FieldProblem[]): Refusal | null {
  const [first] = problems;
  return first === undefined ? null : { code: 'validation_error', message: first.message, param: first.field, details: problems };
}

/** The refusal for one field that is unacceptable. */
export const fieldRefusal = (field: string, message: string): Refusal => ({
  code: 'validation_error',
  message,
  param: field,
  details: [{ field, message }],
});

const statusMessages: { readonly [code in ErrorCode]?: string } = {
  subscription_already_canceled: 'The subscription is already canceled.',
  not_scheduled_for_cancellation: 'No cancellation of the subscription is scheduled.',
  invalid_subscription_status: 'The status of the subscription does not allow this.',
};

/** The refusal an operation meets because of the status alone (SUB-21); null when it may go on. */
export function statusRefusal(operation: StatusOperation, subscription: SubscriptionRow): Refusal | null {
  const code = statusRefusals[operation][subscription.status];
  return code === undefined ? null : { code, message: statusMessages[code] ?? `The subscription is ${subscription.status}.` };
}

/** The refusal where nothing is stored that could be charged. */
export const noPaymentMethod: Refusal = { code: 'no_payment_method', message: 'No payment method is stored.' };

/** The refusal for an attempt that does not exist. */
export const transactionNotFound: Refusal = { code: 'transaction_not_found', message: 'No such transaction.', param: 'id' };

/** The refusal while a payment of the subscription is in dispute (SUB-22). */
export const openDisputeRefusal: Refusal = {
  code: 'subscription_has_open_dispute',
  message: 'A payment of the subscription is in dispute.',
};

/** The refusal while a gateway has not answered yet (BIL-32). */
export const chargeInProgress: Refusal = { code: 'charge_in_progress', message: 'Another charge of the subscription is under way.' };

/** The refusal for a charge that was declined (protocols D4). */
export const chargeFailed = (declineCode: string, message: string): Refusal => ({
  code: 'charge_failed',
  message,
  details: { declineCode },
});
