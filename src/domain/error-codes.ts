/** The families an error belongs to, as clients see them in `error.type`. */
export type ErrorType =
  | 'validation_error'
  | 'authentication_error'
  | 'not_found_error'
  | 'conflict_error'
  | 'billing_error'
  | 'rate_limit_error'
  | 'internal_error';

/** What is fixed about one code: its family, the HTTP status it travels with, its meaning in one sentence, and its default message. */
export type ErrorDetails = {
  readonly type: ErrorType;
  readonly status: number;
  readonly meaning: string;
  /** What an error with the code says where nothing more specific is said. */
  readonly message: string;
};

const row = (type: ErrorType, status: number, meaning: string, message = meaning): ErrorDetails => ({
  type,
  status,
  meaning,
  message,
});
const invalid = (meaning: string): ErrorDetails => row('validation_error', 400, meaning);
const forbidden = (meaning: string): ErrorDetails => row('authentication_error', 403, meaning);
const missing = (meaning: string, message?: string): ErrorDetails =>
  row('not_found_error', 404, meaning, message);
const conflict = (meaning: string, message?: string): ErrorDetails =>
  row('conflict_error', 409, meaning, message);
const rejected = (meaning: string): ErrorDetails => row('billing_error', 400, meaning);
const unpaid = (meaning: string): ErrorDetails => row('billing_error', 402, meaning);
const broken = (meaning: string): ErrorDetails => row('internal_error', 500, meaning);

/** Every code a client can meet. Codes are added, never renamed or reused. */
export const errorCodes = {
  validation_error: invalid(
    'Something in the path, the query or the body is unacceptable, alone or together with the rest.',
  ),
  invalid_json: invalid('The request body is not JSON.'),
  unauthorized: row('authentication_error', 401, 'The request carries no API key that works.'),
  forbidden: forbidden('The key works, but not for this action.'),
  reauthentication_required: forbidden(
    'Neither the password nor a passkey was proved in the last 15 minutes.',
  ),
  sandbox_only: forbidden('Only a sandbox key may do this.'),
  payouts_not_available_in_sandbox: forbidden('Payouts exist in the live environment only.'),
  not_found: missing('Neither a route nor a resource is found at this address.'),
  customer_not_found: missing('The customer is unknown in this organization and mode.', 'No such customer.'),
  feature_not_found: missing('The feature is unknown in the catalog.', 'No such feature.'),
  plan_not_found: missing('The plan is unknown or cannot be selected.', 'No such plan.'),
  subscription_not_found: missing('The subscription is unknown.', 'No such subscription.'),
  no_active_subscription: missing('The customer has no subscription that allows this.'),
  no_prices_configured: conflict('The plan has no price that could be used.'),
  already_has_active_subscription: conflict('The customer already has a subscription that is not over.'),
  subscription_not_active: conflict('The status of the subscription does not allow this.'),
  subscription_has_open_dispute: conflict('A dispute about one of its payments is still open.'),
  subscription_required: conflict('This needs a subscription that can be charged.'),
  provider_unsupported: conflict('The payment connection is unknown or not able to do this.'),
  no_payment_method: conflict('No stored payment method can be charged.'),
  duplicate: conflict('A value that must be unique is taken, or the same thing was recorded before.'),
  already_scheduled: conflict('The action, or one that excludes it, is already scheduled.'),
  feature_not_in_plan: rejected('The plan or subscription does not contain the feature.'),
  feature_disabled: rejected('The feature is contained but switched off.'),
  insufficient_balance: rejected(
    'The balance is too low, or the rate it would be charged at is missing in the currency.',
  ),
  insufficient_credits: rejected('There are fewer credits than the usage needs.'),
  insufficient_seats: rejected('Fewer seats exist than would be removed.'),
  included_limit_reached: rejected('The included amount is exhausted and nothing beyond it is sold.'),
  missing_regional_price: rejected('A price or rate is missing for the currency or market.'),
  payment_failed: unpaid('A payment, or the tax needed for it, could not be completed.'),
  payment_not_found: missing('The payment is unknown.', 'No such payment.'),
  payment_method_not_found: missing('The payment method this needs does not exist.'),
  payment_method_in_use: conflict(
    'A subscription that is not over is charged to the payment method.',
    'A subscription is charged to this payment method.',
  ),
  payment_not_cancelable: conflict('The payment is a charge or has gone too far to be canceled.'),
  invalid_subscription_status: conflict('The subscription is in a status the action does not fit.'),
  one_time_subscription_not_cancelable: conflict('A one-time purchase cannot be canceled.'),
  not_scheduled_for_cancellation: conflict('There is no pending cancellation.'),
  subscription_already_canceled: conflict('The subscription is already canceled.'),
  subscription_creation_failed: broken('The service failed while it created the subscription.'),
  subscription_activation_failed: broken(
    'The subscription exists, but its activation or checkout failed inside the service.',
  ),
  subscription_cancel_failed: broken('The service failed while it canceled the subscription.'),
  subscription_uncancel_failed: broken('The service failed while it withdrew the cancellation.'),
  plan_unavailable: conflict('The plan can no longer be used here.'),
  no_outstanding_invoice: conflict('No unpaid invoice is there to be charged.'),
  charge_in_progress: conflict('Another charge is under way.'),
  charge_failed: unpaid('The charge the action depends on was declined.'),
  idempotency_key_mismatch: conflict('The idempotency key belongs to a different request.'),
  idempotency_in_progress: conflict('The first request with this idempotency key is still running.'),
  idempotency_unavailable: row(
    'internal_error',
    503,
    'The store of idempotency keys cannot be used safely; nothing was executed.',
  ),
  seat_limit_exceeded: rejected(
    'More seats are in use than the target plan includes, and it sells no further ones.',
  ),
  no_change_requested: invalid('Nothing would change.'),
  plans_not_in_same_group: invalid('The two plans do not share a group.'),
  free_plan_change_not_supported: invalid('The change names options a free plan does not take.'),
  plan_change_scheduled: invalid('The change waits for the period end, so nothing is prorated.'),
  addon_not_found: missing('The add-on is unknown.', 'No such add-on.'),
  addon_already_active: conflict('The subscription already has the add-on.'),
  addon_not_active: rejected('The subscription does not have the add-on.'),
  addon_has_activations: conflict('Some subscription still has the add-on.'),
  feature_already_exists: conflict('The code, the name or the exclusive place of the feature is taken.'),
  feature_in_use: conflict('Some plan or add-on still contains the feature.'),
  model_not_found: missing('The AI model has no catalog price.'),
  pricing_mode_mismatch: rejected('Token counts were sent for a fixed price, or units for a token price.'),
  credit_pack_not_found: missing('The credit pack is unknown.', 'No such credit pack.'),
  plan_group_not_found: missing('The plan group is unknown.', 'No such plan group.'),
  offer_not_found: missing('The offer is unknown or does not fit here.', 'No such offer.'),
  offer_not_applicable: invalid('A condition of the offer does not hold.'),
  card_promotions_not_available: conflict('The organization has no card promotions.'),
  promo_code_not_found: missing('The promo code is unknown.', 'No such promo code.'),
  promo_code_expired: conflict('The promo code is not valid now.'),
  webhook_not_found: missing('The webhook endpoint is unknown.', 'No such webhook endpoint.'),
  api_key_not_found: missing('The API key is unknown.', 'No such API key.'),
  invoice_not_found: missing('The invoice is unknown.', 'No such invoice.'),
  transaction_not_found: missing('The transaction is unknown.', 'No such transaction.'),
  price_not_found: missing('The plan has no such price.', 'The plan has no such price.'),
  price_in_use: conflict('Something depends on the price or override.'),
  market_not_found: missing('The market is unknown.', 'No such market.'),
  market_in_use: conflict('A price or subscription depends on the market.'),
  market_group_not_found: missing('Former name of market_not_found; never sent.'),
  market_group_in_use: conflict('Former name of market_in_use; never sent.'),
  endpoint_not_available: missing('The requested API version does not have this route.'),
  endpoint_deprecated: row('not_found_error', 410, 'The route has been retired.'),
  organization_already_claimed: conflict('Someone has claimed the organization before.'),
  claim_not_pending: missing('The organization does not wait for a claim.'),
  rate_limited: row('rate_limit_error', 429, 'The window has seen too many requests.'),
  internal_error: broken('The service failed unexpectedly.'),
} as const satisfies Record<string, ErrorDetails>;

/** A stable name of a kind of failure, the same in GraphQL and REST. */
export type ErrorCode = keyof typeof errorCodes;
