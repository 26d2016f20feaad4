/** Error types. API responses contain them as `error.type`. */
type ErrorType =
  | 'validation_error'
  | 'authentication_error'
  | 'not_found_error'
  | 'conflict_error'
  | 'billing_error'
  | 'rate_limit_error'
  | 'internal_error';

/** Properties of an error code: its type, HTTP status, meaning, and default message. */
export type ErrorDetails = {
  readonly type: ErrorType;
  readonly status: number;
  /** Meaning of the code, and for some codes the next step. */
  readonly meaning: string;
  /** Message for errors without a more specific message. */
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

/** All error codes that API clients can receive. Codes are never renamed or reused. */
export const errorCodes = {
  validation_error: invalid(
    "A value in the path, query, or body isn't valid or can't be combined with another value.",
  ),
  invalid_json: invalid("The request body isn't valid JSON."),
  unauthorized: row(
    'authentication_error',
    401,
    "The request doesn't contain valid credentials, such as an API key.",
  ),
  forbidden: forbidden("The credentials are valid but don't allow this action."),
  reauthentication_required: forbidden(
    'The action requires a password or passkey sign-in within the last 15 minutes. Confirm the password or a passkey again.',
  ),
  sandbox_only: forbidden('The action is only available in a sandbox. Use a sandbox key.'),
  payouts_not_available_in_sandbox: forbidden(
    'Payouts are only available in the live environment. Use a live key.',
  ),
  not_found: missing("The requested route or object doesn't exist."),
  customer_not_found: missing("The customer doesn't exist in this environment."),
  feature_not_found: missing("The feature doesn't exist in this environment."),
  plan_not_found: missing("The plan doesn't exist or can't be selected."),
  subscription_not_found: missing("The subscription doesn't exist in this environment."),
  no_active_subscription: missing('The customer has no subscription that allows this action.'),
  no_prices_configured: conflict('The plan has no active price. Add a price first.'),
  already_has_active_subscription: conflict("The customer already has a subscription that hasn't ended."),
  subscription_not_active: conflict(
    "The subscription isn't active, or its status doesn't allow this action.",
  ),
  subscription_has_open_dispute: conflict('A payment of the subscription has an open dispute.'),
  subscription_required: conflict('The action requires a subscription that can be charged.'),
  provider_unsupported: conflict("The payment connection doesn't exist or doesn't support this action."),
  no_payment_method: conflict('The customer has no stored payment method that can be charged.'),
  duplicate: conflict('A value that must be unique is already in use, or the object already exists.'),
  already_scheduled: conflict('The action, or an action that conflicts with it, is already scheduled.'),
  feature_not_in_plan: rejected("The plan or subscription doesn't include the feature."),
  feature_disabled: rejected('The plan includes the feature, but the feature is disabled.'),
  insufficient_balance: rejected(
    "The balance is too low, the usage exceeds a limit, or the feature has no unit price in the subscription's currency.",
  ),
  insufficient_credits: rejected(
    "The customer doesn't have enough credits for the usage, or the usage exceeds a limit.",
  ),
  insufficient_seats: rejected(
    'The number of seats to remove exceeds the number of seats left after pending removals.',
  ),
  included_limit_reached: rejected(
    "The included units are used up and the feature doesn't allow overage, or the usage exceeds a limit.",
  ),
  missing_regional_price: rejected(
    "A required price or unit price isn't set for the currency or market. Set the price first.",
  ),
  payment_failed: unpaid("A payment couldn't be completed, or its tax couldn't be calculated."),
  payment_not_found: missing("The payment doesn't exist in this environment."),
  payment_method_not_found: missing("The payment method doesn't exist."),
  payment_method_in_use: conflict(
    "A subscription that hasn't ended uses the payment method.",
    "A subscription uses this payment method. Change the subscription's payment method first.",
  ),
  payment_not_cancelable: conflict(
    "The payment can't be canceled because it isn't a payment link, is still processing, or was already paid.",
  ),
  invalid_subscription_status: conflict("The status of the subscription doesn't allow this action."),
  one_time_subscription_not_cancelable: conflict("A one-time purchase can't be canceled."),
  not_scheduled_for_cancellation: conflict("The subscription isn't scheduled to cancel."),
  subscription_already_canceled: conflict('The subscription is already canceled.'),
  subscription_creation_failed: broken(
    'An internal error prevented the creation of the subscription. Retry with the same idempotency key.',
  ),
  subscription_activation_failed: broken(
    'The subscription was created, but an internal error prevented its activation or checkout.',
  ),
  subscription_cancel_failed: broken(
    'An internal error prevented the cancellation of the subscription. Retry with the same idempotency key.',
  ),
  subscription_uncancel_failed: broken(
    'An internal error prevented the subscription from being uncanceled. Retry with the same idempotency key.',
  ),
  plan_unavailable: conflict('The plan is no longer available.'),
  no_outstanding_invoice: conflict('The customer or subscription has no outstanding invoice to charge.'),
  charge_in_progress: conflict('Another charge is still processing. Try again in a moment.'),
  charge_failed: unpaid('The charge required for this action was declined. Use another payment method.'),
  idempotency_key_mismatch: conflict(
    'The idempotency key was already used for a different request. Use a new key.',
  ),
  idempotency_in_progress: conflict(
    'The first request with this idempotency key is still running. Try again in a moment.',
  ),
  idempotency_unavailable: row(
    'internal_error',
    503,
    'The idempotency key store is unavailable, so the request might not have been executed. Retry with the same key.',
  ),
  seat_limit_exceeded: rejected(
    "More seats are in use than the target plan includes, and the plan doesn't sell additional seats.",
  ),
  no_change_requested: invalid("The request wouldn't change anything."),
  plans_not_in_same_group: invalid(
    "The two plans aren't in the same plan group. Choose a plan in the same group.",
  ),
  free_plan_change_not_supported: invalid(
    "The change contains options that aren't available on a free plan. Omit these options.",
  ),
  plan_change_scheduled: invalid(
    "The change takes effect at the end of the current period, so there's no proration to preview.",
  ),
  addon_not_found: missing("The add-on doesn't exist in this environment."),
  addon_already_active: conflict('The subscription already has the add-on.'),
  addon_not_active: rejected("The subscription doesn't have the add-on."),
  addon_has_activations: conflict('At least one subscription still has the add-on.'),
  feature_already_exists: conflict(
    'The code or name of the feature is already in use, or a plan, add-on, or subscription already includes the feature.',
  ),
  feature_in_use: conflict('At least one plan or add-on still includes the feature.'),
  model_not_found: missing("The AI model isn't in the AI model catalog."),
  pricing_mode_mismatch: rejected(
    'Token counts were sent for a feature with a fixed price, or units were sent for a feature that is priced by AI model.',
  ),
  credit_pack_not_found: missing("The credit pack doesn't exist in this environment."),
  plan_group_not_found: missing("The plan group doesn't exist in this environment."),
  offer_not_found: missing("The offer doesn't exist or can't be used for this action."),
  offer_not_applicable: invalid("The subscription or checkout doesn't meet a condition of the offer."),
  card_promotions_not_available: conflict(
    "Card promotions aren't enabled for the organization. Ask the operator to enable them.",
  ),
  promo_code_not_found: missing("The promo code doesn't exist in this environment."),
  promo_code_expired: conflict(
    "The promo code has expired, isn't active, or has reached its redemption limit.",
  ),
  webhook_not_found: missing("The webhook endpoint doesn't exist in this environment."),
  api_key_not_found: missing("The API key doesn't exist in this environment."),
  invoice_not_found: missing("The invoice doesn't exist in this environment."),
  transaction_not_found: missing("The transaction doesn't exist in this environment."),
  price_not_found: missing("The plan doesn't have this price, or has no price for this billing interval."),
  price_in_use: conflict(
    "The price is in use by a subscription or a price variant, or it's the default price of the plan.",
  ),
  market_not_found: missing("The market doesn't exist in this environment."),
  market_in_use: conflict('The market is in use by a price, a rate, or a subscription.'),
  market_group_not_found: missing('Former name of `market_not_found`. No longer sent.'),
  market_group_in_use: conflict('Former name of `market_in_use`. No longer sent.'),
  endpoint_not_available: missing(
    "The route doesn't exist in the requested API version. Select another version in the `Service-Version` header.",
  ),
  endpoint_deprecated: row('not_found_error', 410, 'The route is no longer available.'),
  organization_already_claimed: conflict(
    'The organization already has an owner. Sign in to the organization instead.',
  ),
  claim_not_pending: missing(
    "The organization can't be claimed, or the claim link is invalid. Request a new claim link.",
  ),
  rate_limited: row(
    'rate_limit_error',
    429,
    'Too many requests were sent in the current rate limit window. Wait for the number of seconds in the `Retry-After` header.',
  ),
  response_too_large: invalid(
    "The response exceeds the maximum size. Request smaller pages or fewer fields. Changes made by a mutation aren't undone.",
  ),
  quota_exceeded: conflict('The sandbox has reached one of its quotas. Use another sandbox, or go live.'),
  internal_error: broken('An unexpected internal error occurred. Retry with the same idempotency key.'),
} as const satisfies Record<string, ErrorDetails>;

/** Stable error code. GraphQL and REST use the same codes. */
export type ErrorCode = keyof typeof errorCodes;
