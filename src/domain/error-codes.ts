/** The families an error belongs to, as clients see them in `error.type`. */
export type ErrorType =
  | 'validation_error'
  | 'authentication_error'
  | 'not_found_error'
  | 'conflict_error'
  | 'billing_error'
  | 'rate_limit_error'
  | 'internal_error';

/** What is fixed about one code: its family, the HTTP status it travels with, and its meaning in one sentence. */
export type ErrorFacts = { readonly type: ErrorType; readonly status: number; readonly meaning: string };

const row = (type: ErrorType, status: number, meaning: string): ErrorFacts => ({ type, status, meaning });
const invalid = (meaning: string): ErrorFacts => row('validation_error', 400, meaning);
const forbidden = (meaning: string): ErrorFacts => row('authentication_error', 403, meaning);
const missing = (meaning: string): ErrorFacts => row('not_found_error', 404, meaning);
const conflict = (meaning: string): ErrorFacts => row('conflict_error', 409, meaning);
const refused = (meaning: string): ErrorFacts => row('billing_error', 400, meaning);
const unpaid = (meaning: string): ErrorFacts => row('billing_error', 402, meaning);
const broken = (meaning: string): ErrorFacts => row('internal_error', 500, meaning);

/** Every code a client can meet. Codes are added, never renamed or reused. */
export const errorCodes = {
  validation_error: invalid('Something in the path, the query or the body is unacceptable, alone or together with the rest.'),
  invalid_json: invalid('The request body is not JSON.'),
  unauthorized: row('authentication_error', 401, 'The request carries no API key that works.'),
  forbidden: forbidden('The key works, but not for this action.'),
  sandbox_only: forbidden('Only a sandbox key may do this.'),
  payouts_not_available_in_sandbox: forbidden('Payouts exist in the live environment only.'),
  not_found: missing('Neither a route nor a resource is found at this address.'),
  customer_not_found: missing('The customer is unknown in this organization and mode.'),
  feature_not_found: missing('The feature is unknown in the catalogue.'),
  plan_not_found: missing('The plan is unknown or cannot be selected.'),
  subscription_not_found: missing('The subscription is unknown.'),
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
  feature_not_in_plan: refused('The plan or subscription does not contain the feature.'),
  feature_disabled: refused('The feature is contained but switched off.'),
  insufficient_balance: refused('The balance is too low, or the rate it would be charged at is missing in the currency.'),
  insufficient_credits: refused('There are fewer credits than the usage needs.'),
  insufficient_seats: refused('Fewer seats exist than would be removed.'),
  included_limit_reached: refused('The included amount is exhausted and nothing beyond it is sold.'),
  missing_regional_price: refused('A price or rate is missing for the currency or market.'),
  payment_failed: unpaid('A payment, or the tax needed for it, could not be completed.'),
  payment_not_found: missing('The payment is unknown.'),
  payment_method_not_found: missing('The payment method this needs does not exist.'),
  payment_not_cancelable: conflict('The payment is a charge or has gone too far to be canceled.'),
  invalid_subscription_status: conflict('The subscription is in a status the action does not fit.'),
  one_time_subscription_not_cancelable: conflict('A one-time purchase cannot be canceled.'),
  not_scheduled_for_cancellation: conflict('There is no pending cancellation.'),
  subscription_already_canceled: conflict('The subscription is already canceled.'),
  subscription_creation_failed: broken('The service failed while it created the subscription.'),
  subscription_activation_failed: broken('The subscription exists, but its activation or checkout failed inside the service.'),
  subscription_cancel_failed: broken('The service failed while it canceled the subscription.'),
  subscription_uncancel_failed: broken('The service failed while it withdrew the cancellation.'),
  plan_unavailable: conflict('The plan can no longer be used here.'),
  no_outstanding_invoice: conflict('No unpaid invoice is there to be charged.'),
  charge_in_progress: conflict('Another charge is under way.'),
  charge_failed: unpaid('The charge the action depends on was declined.'),
  idempotency_key_mismatch: conflict('The idempotency key belongs to a different request.'),
  idempotency_in_progress: conflict('The first request with this idempotency key is still running.'),
  idempotency_unavailable: row('internal_error', 503, 'The store of idempotency keys cannot be used safely; nothing was executed.'),
  seat_limit_exceeded: refused('More seats are in use than the target plan includes, and it sells no further ones.'),
  no_change_requested: invalid('Nothing would change.'),
  plans_not_in_same_group: invalid('The two plans do not share a group.'),
  free_plan_change_not_supported: invalid('The change names options a free plan does not take.'),
  plan_change_scheduled: invalid('The change waits for the period end, so nothing is prorated.'),
  addon_not_found: missing('The add-on is unknown.'),
  addon_already_active: conflict('The subscription already has the add-on.'),
  addon_not_active: refused('The subscription does not have the add-on.'),
  addon_has_activations: conflict('Some subscription still has the add-on.'),
  feature_already_exists: conflict('The code, the name or the exclusive place of the feature is taken.'),
  feature_in_use: conflict('Some plan or add-on still contains the feature.'),
  model_not_found: missing('The AI model has no catalogue price.'),
  pricing_mode_mismatch: refused('Token counts were sent for a fixed price, or units for a token price.'),
  credit_pack_not_found: missing('The credit pack is unknown.'),
  plan_group_not_found: missing('The plan group is unknown.'),
  offer_not_found: missing('The offer is unknown or does not fit here.'),
  offer_not_applicable: invalid('A condition of the offer does not hold.'),
  card_promotions_not_available: conflict('The organization has no card promotions.'),
  promo_code_not_found: missing('The promo code is unknown.'),
  promo_code_expired: conflict('The promo code is not valid now.'),
  webhook_not_found: missing('The webhook endpoint is unknown.'),
  api_key_not_found: missing('The API key is unknown.'),
  invoice_not_found: missing('The invoice is unknown.'),
  transaction_not_found: missing('The transaction is unknown.'),
  price_not_found: missing('The plan has no such price.'),
  price_in_use: conflict('Something depends on the price or override.'),
  market_not_found: missing('The market is unknown.'),
  market_in_use: conflict('A price or subscription depends on the market.'),
  market_group_not_found: missing('Former name of market_not_found; never sent.'),
  market_group_in_use: conflict('Former name of market_in_use; never sent.'),
  endpoint_not_available: missing('The requested API version does not have this route.'),
  endpoint_deprecated: row('not_found_error', 410, 'The route has been retired.'),
  organization_already_claimed: conflict('Somebody has claimed the organization before.'),
  claim_not_pending: missing('The organization does not wait for a claim.'),
  rate_limited: row('rate_limit_error', 429, 'The window has seen too many requests.'),
  internal_error: broken('The service failed unexpectedly.'),
} as const satisfies Record<string, ErrorFacts>;

/** A stable word for one kind of failure, the same at every door. */
export type ErrorCode = keyof typeof errorCodes;
