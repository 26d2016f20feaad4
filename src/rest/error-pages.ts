import { type ErrorCode, errorCodes } from '../domain/errors.ts';
import type { OpenApiDocument } from './openapi.ts';

// The page behind each `doc_url`: what a code means, what to do about it, and which operations answer it.

/** What someone who meets a code can do. */
const remedies: Readonly<Record<ErrorCode, string>> = {
  validation_error:
    'Correct every field named in `details` and send the request again. `param` is the first of them.',
  invalid_json: 'Send a JSON object in UTF-8, or no body where the operation takes none.',
  unauthorized:
    'Send a key of this environment in the header `x-api-key`; make a new one if it has expired or was deleted.',
  reauthentication_required:
    'Ask for the password again and send it to `/auth/verify-password`, or for a passkey; keys need none.',
  forbidden: 'Use a key that has the scope the operation names.',
  sandbox_only: 'Repeat the call with a sandbox key; nothing of the kind exists for live data.',
  payouts_not_available_in_sandbox: 'Repeat the call with a live key.',
  not_found: 'Check method, path and ids, and that the key belongs to the mode the resource was made in.',
  customer_not_found:
    'Send the id or the external id of a customer of this mode, or create the customer first.',
  feature_not_found: 'List the features and send the code or id of one of them.',
  plan_not_found: 'List the plans and send the id or code of one that was not deleted.',
  subscription_not_found: 'List the subscriptions of the customer and send the id of one of them.',
  no_active_subscription: 'Create a subscription for the customer and have it paid before trying again.',
  no_prices_configured: 'Add a price to the plan, or mark it as free.',
  already_has_active_subscription:
    'Change or cancel the subscription the customer has; a second one is not needed.',
  subscription_not_active: 'Read the status of the subscription; have it paid or reactivated first.',
  subscription_has_open_dispute: 'Wait until the dispute is decided.',
  subscription_required: 'Create a subscription that can be charged.',
  provider_unsupported: 'Leave `provider` out, or name a connection that is set up and able to do this.',
  no_payment_method: 'Let the customer store a payment method, by a checkout or by an update link.',
  duplicate: 'Choose another value, or use what exists already.',
  already_scheduled: 'Withdraw what is scheduled, or leave it as it is.',
  feature_not_in_plan: 'Attach the feature to the plan, or leave it out of the request.',
  feature_disabled: 'Switch the feature on for the plan.',
  insufficient_balance: 'Top the balance up, or set a rate for the currency.',
  insufficient_credits: 'Grant or sell credits to the customer.',
  insufficient_seats: 'Read the seat balance and remove at most as many.',
  included_limit_reached: 'Stay within what is included, or allow overage on the plan.',
  missing_regional_price: 'Set a price for the currency or market, or let it be derived from the base price.',
  payment_failed: 'Let the customer pay with another method, or complete the address taxes depend on.',
  payment_not_found: 'List the payments and send the id of one of them.',
  payment_method_not_found: 'Let the customer store a payment method.',
  payment_not_cancelable: 'Refund it instead, once it is settled.',
  invalid_subscription_status: 'Read the status of the subscription and choose an action that fits it.',
  one_time_subscription_not_cancelable:
    'Nothing renews, so nothing has to be canceled; refund the payment if it should be undone.',
  not_scheduled_for_cancellation: 'Nothing has to be withdrawn: the subscription continues.',
  subscription_already_canceled: 'Create a new subscription if the customer comes back.',
  subscription_creation_failed:
    'Try again with the same idempotency key; report the `X-Request-Id` if it stays so.',
  subscription_activation_failed:
    'Read the subscription; open its checkout again or report the `X-Request-Id`.',
  subscription_cancel_failed:
    'Try again with the same idempotency key; report the `X-Request-Id` if it stays so.',
  subscription_uncancel_failed:
    'Try again with the same idempotency key; report the `X-Request-Id` if it stays so.',
  plan_unavailable: 'Choose a plan that is still offered.',
  no_outstanding_invoice: 'Nothing has to be paid.',
  charge_in_progress: 'Wait until the charge under way has an answer, then look again.',
  charge_failed: 'Read `declineCode` in `details` and let the customer use another card.',
  idempotency_key_mismatch:
    'Use a new key for a new request; a retry has to repeat method, path and body exactly.',
  idempotency_in_progress: 'Wait a moment and repeat the request with the same key.',
  idempotency_unavailable: 'Repeat the request with the same key after the seconds in `Retry-After`.',
  seat_limit_exceeded: 'Remove seats first, or choose a plan that includes or sells enough.',
  no_change_requested: 'Send something that differs from what is there.',
  plans_not_in_same_group: 'Put both plans into one group, or choose a plan of the same one.',
  free_plan_change_not_supported: 'Leave out what belongs to paid plans only.',
  plan_change_scheduled:
    'Preview a change that takes effect immediately, or read the amounts of the next period.',
  addon_not_found: 'List the add-ons and send the id of one of them.',
  addon_already_active: 'Nothing has to be done: the subscription has it.',
  addon_not_active: 'Activate the add-on first.',
  addon_has_activations: 'Remove the add-on from every subscription first.',
  feature_already_exists: 'Choose another code or name, or use the feature that is there.',
  payment_method_in_use: 'Charge the subscription to another payment method first.',
  feature_in_use: 'Detach the feature from every plan and add-on first.',
  model_not_found: 'Send the name of a model the price catalog has.',
  pricing_mode_mismatch:
    'Send units for features of a fixed price, and token counts for those priced by model.',
  credit_pack_not_found: 'List the credit packs and send the id of one of them.',
  plan_group_not_found: 'List the plan groups and send the id of one of them.',
  offer_not_found: 'List the offers and send the id of an active one.',
  offer_not_applicable: 'Read the conditions of the offer: plan, interval, and whether it was used before.',
  card_promotions_not_available: 'Create a card promotion first, or leave it out.',
  promo_code_not_found: 'Check the spelling; codes are compared without regard to case.',
  promo_code_expired: 'Use another code, or extend the validity of this one.',
  webhook_not_found: 'List the webhook endpoints and send the id of one of them.',
  api_key_not_found: 'List the API keys and send the id of one of them.',
  invoice_not_found: 'List the invoices and send the id of one of them.',
  transaction_not_found: 'List the transactions and send the id of one of them.',
  price_not_found: 'Read the prices of the plan and send the id of one of them.',
  price_in_use: 'Move what depends on the price to another one first.',
  market_not_found: 'List the markets and send the id of one of them.',
  market_in_use: 'Remove the prices of the market first.',
  market_group_not_found: 'Handle it like `market_not_found`.',
  market_group_in_use: 'Handle it like `market_in_use`.',
  endpoint_not_available: 'Select a version that has the route, by the header `Service-Version`.',
  endpoint_deprecated: 'Stop calling the route; the reference names what took its place.',
  organization_already_claimed: 'Sign in to the organization instead.',
  claim_not_pending: 'Ask for a new claim link.',
  rate_limited: 'Wait the seconds in `Retry-After`, then go on more slowly.',
  internal_error: 'Try again with the same idempotency key; report the `X-Request-Id` if it stays so.',
};

/** The operations whose answers can carry a code, as method and path. */
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

/** Where a code is met, in a sentence or a list. */
function places(document: OpenApiDocument, code: string): string {
  const operations = operationsWith(document, code);
  const count = Object.values(document.paths).reduce((sum, methods) => sum + Object.keys(methods).length, 0);
  if (operations.length === 0) return 'No operation of this version names it.';
  if (operations.length === count) return 'Every operation can answer it.';
  return operations.map((operation) => `- \`${operation}\``).join('\n');
}

/** The Markdown page of a code at `/docs/api-reference/<version>/errors/<code>.md`; null for an address that names none. Old versions lead to the same pages (PLT-63). */
export function errorPage(document: OpenApiDocument, path: string): string | null {
  const [, code] = /^\/docs\/api-reference\/\d{4}-\d{2}-\d{2}\/errors\/([a-z_]+)\.md$/.exec(path) ?? [];
  const known = (Object.keys(errorCodes) as ErrorCode[]).find((candidate) => candidate === code);
  if (known === undefined) return null;
  const { type, status, meaning } = errorCodes[known];
  return `# ${known}

${meaning}

- Type: \`${type}\`
- HTTP status: ${status}

## What to do

${remedies[known]}

## Where it comes from

${places(document, known)}
`;
}
