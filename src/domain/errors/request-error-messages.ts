import type { ErrorCode } from './error-codes.ts';

/**
 * Messages for rejections that concern the API client, the request, or the service, by code and reason. Messages for
 * billing rules are in `error-messages.ts`.
 */
export const requestErrorMessages = {
  invalid_json: {
    not_utf8: 'The request body must be JSON in UTF-8.',
  },
  unauthorized: {
    api_key_missing: 'The API key is missing or invalid. Send a valid API key in the `x-api-key` header.',
    metrics_token:
      'The bearer token is missing or invalid. Send the value of `METRICS_TOKEN` as a bearer token in the `Authorization` header.',
    not_signed_in: "You aren't signed in. Sign in, then try again.",
    wrong_password: 'The email address or password is incorrect.',
    wrong_passkey:
      "The passkey isn't registered, or its signature is invalid. Sign in with another passkey or with your password.",
  },
  forbidden: {
    policy_amount: 'The call exceeds an amount in the policy of the API key.',
    policy_calls: 'The API key has reached the number of calls per hour in its policy. Try again later.',
    limit_amount: 'The call exceeds a limit on the money that the API key or the member can move.',
    limit_calls: 'The API key or the member has reached a limit on the number of calls.',
    policy_operation: "The policy of the API key doesn't allow this operation.",
    policy_customer: "The policy of the API key doesn't allow operations on this customer.",
    policy_keys: "An API key with a policy can't create API keys.",
    approval_required:
      'The policy of the API key requires the approval of a member. Repeat the call after a member has approved it.',
    preview_changed:
      'The effects of the call have changed since it was approved. Repeat the call after a member has approved the new effects.',
    run_changed:
      'The effects of the call have changed since it was requested, so the call was not made. If the API key repeats the call, it requests an approval of the new effects.',
    unknown_document:
      'Requests without an API key can only run the GraphQL operations of the hosted pages. Send an API key in the `x-api-key` header.',
    metrics_elsewhere:
      'Metrics are available only to requests from this machine. To allow other machines, set `METRICS_TOKEN` or `METRICS_PORT`.',
    payout_account_missing: 'Submit the organization for verification before you add a bank account.',
    other_invitee: 'This invitation is for {email}. Sign in with an account that has this email address.',
    payout_account_unverified:
      'Payouts require a verified organization. Submit the organization for verification first.',
    bank_account_missing: 'Payouts require a bank account. Add a bank account first.',
    bank_account_rejected: 'The bank rejected this bank account. Add another bank account.',
    portal_off: "This action isn't available in the customer portal. Contact the merchant.",
    promo_codes_off: "This checkout doesn't accept promo codes. Omit the promo code.",
    provisioning_off:
      'Provisioning is turned off on this installation. Ask the operator to create an organization.',
    address_unverified:
      'Verify your email address first. Open the link in the email we sent you, or request another email.',
    foreign_origin:
      'Account requests must come from pages on {origin}, or from API clients that send no `Origin` header.',
    csrf_header_missing: 'Requests that use a session cookie must include the `x-quittance-csrf: 1` header.',
    role: 'Only members with the role {role} or higher can do this.',
    limited_role:
      'The role {role} has no access to this. An owner or admin of the organization can change your role.',
    owner_role: "The owner's role can't be changed. Transfer ownership to another member first.",
    not_owner: 'Only the owner can transfer ownership.',
    owner_removal: "The owner can't be removed. Transfer ownership to another member first.",
    members_live_only: 'Members can only be managed in the live environment. Switch to the live environment.',
    permission: "The API key doesn't have the permission {permission}. Use a key with this permission.",
    scope: "The API key doesn't have the scope {scope}. Use a key with this scope.",
    live_only: 'This action is only available in the live environment. Use a live key.',
    shared_settings:
      "Sandbox keys can't change settings that live customers see. Use a live key, or sign in as an admin.",
    wider_permission:
      "An API key can grant only its own permissions, and this key doesn't have the permission {permission}. Remove the permission from the request.",
    wider_scope:
      "An API key can grant only its own scopes, and this key doesn't have the scope {scope}. Remove the scope from the request.",
    claim_after_charge:
      "The organization has already charged a customer in the live environment, so API keys can't create claim links. Ask the operator of the service for a link.",
    account_request: "You don't have permission to do this.",
  },
  organization_already_claimed: {
    owned: 'The organization already has an owner. Ask the owner for an invitation.',
  },
  sandbox_only: {
    replay_live:
      'In the live environment, only requests that read can be repeated. Repeat this request in the sandbox.',
    operation: 'This operation is only available in a sandbox. Use a sandbox key.',
    preset: 'This preset is only available in the sandbox. Choose another preset.',
  },
  idempotency_key_mismatch: {
    other_request:
      'This idempotency key was already used with different credentials or with a different method, path, or body. Use a new key.',
  },
  idempotency_in_progress: {
    approved_call: 'Quittance is making this approved call. Try again in a moment to get the response.',
    approved_call_interrupted:
      'Quittance was interrupted while it made this approved call. Check whether the changes were made before you request another approval.',
  },
  idempotency_unavailable: {
    nothing_executed:
      "The idempotency key store is unavailable, so the request wasn't executed. Retry with the same key.",
    outcome_unknown:
      'The connection to the idempotency key store was lost before the response was stored. Retry with the same key.',
  },
  endpoint_deprecated: {
    verification: 'This operation is no longer available. Verify the organization in the dashboard.',
    clock_execution: 'This operation is no longer available. Advance the test clock to run due tasks.',
  },
  rate_limited: {
    emails: 'Too many emails were sent to this address or by this organization. Try again in {minutes} min.',
    account_window: 'Too many attempts. Wait for the number of seconds in the `Retry-After` header.',
    device_codes: 'Too many codes were entered. Try again in {minutes} min.',
    computation: 'Another calculation is already running in this environment. Try again in a moment.',
    live_fields_of_caller:
      'A client can subscribe to up to {most} live fields at the same time. Unsubscribe from a live field first.',
    live_fields_of_environment:
      'An environment can have up to {most} live fields at the same time. Unsubscribe from a live field first.',
    sockets_of_caller: 'A client can have up to {most} open WebSocket connections. Close a connection first.',
    export_stream: 'You are already reading an export stream. Wait until the stream ends.',
    purchases_per_hour:
      'A pricing table accepts up to {most} new purchases an hour. Try again later, or contact the merchant.',
    purchases_of_visit:
      'This purchase was restarted too many times. Complete the open checkout, or contact the merchant.',
    window: 'Too many requests. The limit resets in {resetSeconds} s.',
    payments_per_day:
      'The daily limit for payment retries ({retriesPerDay}) has been reached. Try again tomorrow.',
    account_attempts: 'Too many attempts. Try again in a minute.',
    operations_of_customer:
      'The customer has reached the number of purchases that a limit allows. Try again later, or raise the limit.',
    approvals_of_key:
      'An API key can have up to {most} pending approvals. Wait until a member decides about one of them.',
    payments_per_hour:
      'A payment can be attempted up to 10 times an hour. Try again later, or contact the merchant.',
  },
  quota_exceeded: {
    rows: 'This sandbox has reached its quota of {most} rows. Go live to continue, or use another sandbox.',
    clock:
      'The test clock of this sandbox can be up to {most} years ahead of real time. Choose an earlier time.',
    exports: 'This sandbox can request up to {most} exports per 24 hours. Try again later.',
  },
  response_too_large: {
    limit: 'The response would exceed {most} bytes. Request smaller pages or fewer fields.',
  },
  internal_error: {
    open_transaction: "A payment provider can't be called while a database transaction is open.",
    refund_lost: "The refund {refundId} wasn't found after it was stored. List the refunds before you retry.",
    busy: 'The service is busy. Try again in a moment.',
    hidden: 'Something went wrong on our end. Try again, and contact support if the problem continues.',
  },
} as const satisfies { readonly [code in ErrorCode]?: Readonly<Record<string, string>> };
