import { type ErrorCode, errorCodes } from '../domain/errors/errors.ts';
import type { OpenApiDocument } from './openapi.ts';

// Documentation pages for error codes, linked by `doc_url`. Each page contains the meaning, the solution, and the operations that return the code.

/** Steps that resolve an error, by error code. */
const remedies: Readonly<Record<ErrorCode, string>> = {
  validation_error:
    'Correct every field listed in `details` and send the request again. `param` is the first invalid field.',
  invalid_json: 'Send a JSON object in UTF-8, or no body if the operation has none.',
  unauthorized:
    'Send an API key of this environment in the `x-api-key` header. If the key has expired or was deleted, create a new key.',
  reauthentication_required:
    "Ask the user to confirm the password with `/auth/verify-password`, or to sign in with a passkey. API keys aren't affected.",
  forbidden: 'Use an API key with the scopes that the operation requires.',
  sandbox_only:
    "Repeat the request with a sandbox key. The operation isn't available in the live environment.",
  payouts_not_available_in_sandbox: 'Repeat the request with a live key.',
  not_found: "Check the method, the path, and the IDs. The API key must belong to the object's environment.",
  customer_not_found:
    'Send the ID or external ID of a customer in this environment, or create the customer first.',
  feature_not_found: 'List the features, and send the code or ID of a feature.',
  plan_not_found: "List the plans, and send the ID or code of a plan that wasn't deleted.",
  subscription_not_found: "List the customer's subscriptions, and send the ID of a subscription.",
  no_active_subscription:
    'Create a subscription for the customer, and wait for its first payment before you try again.',
  no_prices_configured: 'Add a price to the plan, or use a free plan.',
  already_has_active_subscription: "Change or cancel the customer's existing subscription instead.",
  subscription_not_active:
    'Check the status of the subscription. Collect the outstanding payment or reactivate the subscription first.',
  subscription_has_open_dispute: 'Wait until the dispute is resolved.',
  subscription_required: 'First create a subscription that can be charged.',
  provider_unsupported: 'Omit `provider`, or send the ID of a payment connection that supports this action.',
  no_payment_method: 'Let the customer store a payment method with a checkout or an update link.',
  duplicate: 'Choose another value, or use the existing object.',
  already_scheduled: 'Cancel the scheduled action first, or keep the scheduled action.',
  feature_not_in_plan: 'Add the feature to the plan, or omit the feature from the request.',
  feature_disabled: 'Enable the feature in the plan.',
  insufficient_balance:
    'Top up the balance, or set a unit price for the currency. If `details.reason` is `limit_reached`, wait until `fitsAt`, or raise the limits in `details.limits`.',
  insufficient_credits:
    'Grant or sell credits to the customer, then try again. If `details.reason` is `limit_reached`, wait until `fitsAt`, or raise the limits in `details.limits`.',
  insufficient_seats: 'Read the seat balance, and remove fewer seats.',
  included_limit_reached:
    'Stay within the included amount, or allow overage in the plan. If `details.reason` is `limit_reached`, wait until `fitsAt`, or raise the limits in `details.limits`.',
  missing_regional_price: 'Set a price for the currency or market, or derive the price from the base price.',
  payment_failed:
    'Let the customer pay with another payment method, or complete the billing address, which is used to calculate the tax.',
  payment_not_found: 'List the payments, and send the ID of a payment.',
  payment_method_not_found: 'Let the customer store a payment method.',
  payment_not_cancelable: 'Refund the payment after it succeeds.',
  invalid_subscription_status:
    'Check the status of the subscription, and choose an action that the status allows.',
  one_time_subscription_not_cancelable:
    "A one-time purchase doesn't renew. To undo the purchase, refund the payment.",
  not_scheduled_for_cancellation: 'No action is required. The subscription continues.',
  subscription_already_canceled: 'Create a new subscription for the customer.',
  subscription_creation_failed:
    'Retry with the same idempotency key. If the error continues, contact support with the `X-Request-Id`.',
  subscription_activation_failed:
    'Read the subscription, and open its checkout again. If the error continues, contact support with the `X-Request-Id`.',
  subscription_cancel_failed:
    'Retry with the same idempotency key. If the error continues, contact support with the `X-Request-Id`.',
  subscription_uncancel_failed:
    'Retry with the same idempotency key. If the error continues, contact support with the `X-Request-Id`.',
  plan_unavailable: 'Choose a plan that is still available.',
  no_outstanding_invoice: 'No action is required. There is nothing to pay.',
  charge_in_progress: 'Wait until the current charge is complete, then read the object again.',
  charge_failed: 'Check `declineCode` in `details`, and let the customer use another card.',
  idempotency_key_mismatch:
    'Use a new idempotency key for a new request. A retry must have exactly the same method, path, and body.',
  idempotency_in_progress: 'Wait a moment, then repeat the request with the same idempotency key.',
  idempotency_unavailable:
    'Wait for the number of seconds in `Retry-After`, then repeat the request with the same idempotency key.',
  seat_limit_exceeded: 'Remove seats first, or choose a plan that includes or sells enough seats.',
  no_change_requested: 'Send at least one value that differs from the current value.',
  plans_not_in_same_group: 'Add both plans to one plan group, or choose a plan from the same group.',
  free_plan_change_not_supported: 'Omit the options that only apply to paid plans.',
  plan_change_scheduled:
    'Preview a change that takes effect immediately, or read the amounts of the next period.',
  addon_not_found: 'List the add-ons, and send the ID of an add-on.',
  addon_already_active: 'No action is required. The subscription already has the add-on.',
  addon_not_active: 'Activate the add-on first.',
  addon_has_activations: 'Remove the add-on from every subscription first.',
  feature_already_exists: 'Choose another code or name, or use the existing feature.',
  payment_method_in_use: 'Set another payment method for the subscription first.',
  feature_in_use: 'Remove the feature from every plan and add-on first.',
  model_not_found: 'List the AI models, and send the ID of a model.',
  pricing_mode_mismatch:
    'Send units for features with a fixed price, and token counts for features priced by AI model.',
  credit_pack_not_found: 'List the credit packs, and send the ID of a credit pack.',
  plan_group_not_found: 'List the plan groups, and send the ID of a plan group.',
  offer_not_found: 'List the offers, and send the ID of an active offer.',
  offer_not_applicable:
    'Check the conditions of the offer: plan, billing interval, currency, and earlier use.',
  card_promotions_not_available: 'Ask the operator to enable card promotions, or omit the card promotion.',
  promo_code_not_found: 'Check the spelling. Codes are case-insensitive.',
  promo_code_expired:
    'Use another promo code, or change the expiration or redemption limit of this promo code.',
  webhook_not_found: 'List the webhook endpoints, and send the ID of an endpoint.',
  api_key_not_found: 'List the API keys, and send the ID of a key.',
  invoice_not_found: 'List the invoices, and send the ID of an invoice.',
  transaction_not_found: 'List the transactions, and send the ID of a transaction.',
  price_not_found: 'List the prices of the plan, and send the ID of a price.',
  price_in_use:
    'Move the subscriptions, price variants, and overrides that use the price to another price first.',
  market_not_found: 'List the markets, and send the ID of a market.',
  market_in_use: 'Remove the prices of the market and move its subscriptions first.',
  market_group_not_found: 'Handle this code like `market_not_found`.',
  market_group_in_use: 'Handle this code like `market_in_use`.',
  endpoint_not_available: 'Select a version with this route in the `Service-Version` header.',
  endpoint_deprecated: 'Stop calling the route. The API reference describes the replacement.',
  organization_already_claimed: 'Sign in to the organization instead.',
  claim_not_pending: 'Request a new claim link.',
  rate_limited:
    'Wait for the number of seconds in `Retry-After`, then send requests more slowly. Without `Retry-After`, follow the message of the error.',
  quota_exceeded: 'Charge a customer in the live environment, or ask the operator for a higher quota.',
  response_too_large:
    "Request smaller pages or fewer fields. Don't repeat a mutation, because the mutation was executed.",
  internal_error:
    'Retry with the same idempotency key. If the error continues, contact support with the `X-Request-Id`.',
};

/** Returns the method and path of each operation that can return the code. */
function operationsWith(document: OpenApiDocument, code: string): string[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) => {
      const codes = Object.values(responses).flatMap(
        (response) => (response['x-codes'] ?? []) as readonly string[],
      );
      return codes.includes(code) ? [`${method.toUpperCase()} ${path}`] : [];
    }),
  );
}

/** Returns a Markdown list of the operations that can return this error code. */
function places(document: OpenApiDocument, code: string): string {
  const operations = operationsWith(document, code);
  const count = Object.values(document.paths).reduce((sum, methods) => sum + Object.keys(methods).length, 0);
  if (operations.length === 0) return 'No operation of this version returns this error.';
  if (operations.length === count) return 'Every operation can return this error.';
  return operations.map((operation) => `- \`${operation}\``).join('\n');
}

/** Returns the Markdown text about an error code: meaning, type, status, solution, and operations. */
export function errorBody(document: OpenApiDocument, code: ErrorCode): string {
  const { type, status, meaning } = errorCodes[code];
  return `${meaning}

- Type: \`${type}\`
- HTTP status: ${status}

## What to do

${remedies[code]}

## Operations

${places(document, code)}
`;
}
