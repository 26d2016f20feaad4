import type { ErrorCode } from './error-codes.ts';

/**
 * What an error says instead of the default message of its code, by code and reason. Call sites name the reason and pass the values in braces.
 */
export const errorMessages = {
  validation_error: {
    too_many_views: 'A person has at most {maxViews} views in an organization.',
    too_many_organizations: 'A person owns at most {maxOwned} organizations.',
    too_many_members: 'An organization has at most {maxMembers} people.',
    range_reversed: 'The range ends before it begins.',
    retention_months: 'Retention is kept for {months} months.',
    scheduled_series: 'Only lists have schedules; {kind} is a series, whose arguments name days.',
    too_many_pricing_tables: 'An environment has at most {most} pricing tables.',
    too_many_schedules: 'An environment has at most {most} schedules of exports.',
    too_many_points: 'The range has {points} points by {interval}; {most} are the most.',
  },
  invalid_json: {
    not_utf8: 'The body is not JSON in UTF-8.',
  },
  unauthorized: {
    api_key_missing: 'A valid API key is required in the header x-api-key.',
    metrics_token: 'The metrics need the token of METRICS_TOKEN in the header Authorization, as Bearer.',
    not_signed_in: 'No one has signed in.',
    wrong_password: 'The email address or the password is wrong.',
    wrong_passkey: 'No account has this passkey, or its signature is wrong.',
  },
  forbidden: {
    unknown_document: 'Without an API key, only the documents of the hosted pages are accepted here.',
    metrics_elsewhere:
      'The metrics are for calls from this machine. METRICS_TOKEN or METRICS_PORT opens them to others.',
    payout_account_missing: 'Bank accounts need a payout account.',
    other_invitee: 'This invitation is for {email}. Sign in with an account of that address.',
    payout_account_unverified: 'Payouts need a verified payout account.',
    bank_account_missing: 'Payouts need a bank account.',
    bank_account_rejected: 'The bank has rejected the account; register another one.',
    portal_off: 'The seller does not offer this in the portal.',
    promo_codes_off: 'The seller takes no promo codes at the checkout.',
    provisioning_off: 'Provisioning is switched off here.',
    foreign_origin: 'Accounts are used from pages of {origin}, or by programs, which send no Origin.',
    csrf_header_missing: 'A cookie counts only beside the header x-quittance-csrf.',
    role: 'This needs the role {role} in the organization.',
    owner_role: 'The owner stays one until ownership is handed over.',
    not_owner: 'Only the owner hands ownership over.',
    owner_removal: 'The owner cannot be removed; ownership has to be handed over first.',
    members_live_only: 'Members are changed in the live environment only.',
    scope: 'The API key lacks the scope {scope}.',
    account_request: 'This is not allowed.',
  },
  sandbox_only: {
    operation: 'This operation exists in the sandbox environment only.',
  },
  not_found: {
    address: 'There is nothing at {path}.',
    card_promotion: 'No such card promotion.',
    customer_credit: 'The customer has no such credit.',
    customer_note: 'No such note.',
    member: 'No such member.',
    organization: 'This is not the organization you are in.',
    session: 'No such session.',
    saved_view: 'No such view.',
    invitation: 'No such invitation.',
    invitation_over: 'This invitation is not valid any more.',
    payment_connection: 'No such payment connection.',
    payout: 'No such payout.',
    plan_feature: 'The plan does not have this feature.',
    attempt: 'No such attempt.',
    tax_registration: 'No such tax registration.',
    clock_run: 'No such clock run.',
    webhook_delivery: 'No such webhook delivery.',
    account_address: 'Accounts have no such address.',
    passkeys: 'Passkeys need an address with a host name, and the service is reached at an IP address.',
    passkey: 'No such passkey.',
    route: 'There is no route {method} {path}.',
    page: 'There is no page {path}.',
    plan_grant: 'The customer has no such plan grant in force.',
    export: 'No such export.',
    export_schedule: 'No such schedule of exports.',
    pricing_table: 'No such pricing table.',
  },
  feature_not_found: {
    by_code: 'There is no feature {code}.',
  },
  plan_not_found: {
    of_group: 'The group has no such plan.',
    deleted_before_start: 'The plan was deleted before the subscription began.',
  },
  subscription_not_found: {
    missing: 'There is no subscription {missing}.',
  },
  no_active_subscription: {
    in_force: 'The customer has no subscription in force.',
    no_access: 'The customer has no subscription that gives access.',
  },
  already_has_active_subscription: {
    subscription: 'The customer has the subscription {id}.',
  },
  subscription_has_open_dispute: {
    payment: 'A payment of the subscription is in dispute.',
  },
  provider_unsupported: {
    stripe_unreachable: 'Stripe cannot be reached to check the key; try again in a moment.',
    connection_unusable: 'The payment connection {provider} cannot be used.',
    no_live_connection: 'No payment connection that can charge live cards is set up.',
    unverified: 'The organization has to be verified before the platform charges for it.',
    taken_elsewhere:
      'Payments are taken elsewhere; load the page again with the country of the billing address.',
    connect_first: 'No payment connection that can charge live cards is set up. Connect one first.',
  },
  no_payment_method: {
    none_stored: 'No payment method is stored.',
  },
  duplicate: {
    slug: 'Another organization has this slug.',
    saved_view: 'You have a view of this name in the list.',
    addon_slug: 'The name gives the slug {slug}, which another add-on has.',
    card_promotion_bin: 'Another card promotion is for cards of these digits.',
    credit_pack_name: 'Another credit pack has this name.',
    customer_external_id: 'Another customer has this external id.',
    market_country: 'A country belongs to another market.',
    plan_in_group: 'The plan is in {where} already.',
    base_price_interval: 'The plan has a base price of this interval already.',
    plan_code: 'Another plan has this code.',
    plan_sort_order: 'A plan of the group has this sort order.',
    promo_code: 'Another promo code has this code.',
    tax_registration: 'The organization is registered for tax there already.',
    member: 'This person belongs to the organization.',
    invitation: 'This address has an invitation that waits for an answer.',
    own_membership: 'You belong to this organization already.',
    plan_grant: 'The subscription has an active plan grant.',
    event_id: 'The event id was used for another event.',
  },
  already_scheduled: {
    cancellation: 'The cancellation is already scheduled.',
    withdraw_cancellation: 'A cancellation of the subscription is scheduled; withdraw it first.',
  },
  feature_not_in_plan: {
    selected: 'The plan does not contain the feature {code}.',
    by_code: 'The plan does not contain {code}.',
  },
  feature_disabled: {
    in_plan: 'The feature {code} is switched off in the plan.',
    by_code: 'The feature {code} is switched off.',
  },
  insufficient_balance: {
    not_covered: 'The balance does not cover this.',
    in_use: 'Only {count} are in use.',
    negative: 'The balance would become negative.',
    no_unit_price: 'The feature has no unit price in the currency of the subscription.',
  },
  insufficient_credits: {
    left: 'Only {credits} credits are left.',
  },
  insufficient_seats: {
    removable: 'Only {futureCount} seats can be removed.',
  },
  included_limit_reached: {
    not_covered: 'The included units do not cover this.',
    amount: 'Only {includedAmount} are included.',
  },
  payment_failed: {
    given_up: 'The payment was given up.',
    tax_not_computed: 'The tax could not be computed. {message}',
  },
  payment_not_found: {
    no_authentication: 'No authentication is awaited here any more.',
    no_checkout_authentication: 'No authentication is awaited at this checkout any more.',
    no_payment_authentication: 'No authentication is awaited for this payment.',
    checkout_authentication: 'No authentication is awaited at this checkout.',
    authentication: 'No authentication is awaited here.',
  },
  payment_not_cancelable: {
    charge: 'A charge cannot be canceled.',
    under_way: 'The payment is under way.',
    paid: 'The payment has been made already.',
    other_payer: 'Someone else has begun to pay.',
  },
  invalid_subscription_status: {
    nothing_owed: 'Nothing is owed that could be paid here.',
    not_over: 'The subscription has not ended.',
    retention: 'An offer to stay can be accepted while the subscription is active or in a trial.',
    no_renewal: 'Nothing of this subscription ends automatically.',
    nothing_to_recover: 'Only a past-due subscription has something to recover.',
    no_method_charged: 'The subscription is {status}; no method is charged.',
    checkout_payment: 'A payment of the checkout is under way.',
    checkout_settled: 'What this checkout is for is settled.',
    never_began: 'The subscription ended before it had ever begun; create another one.',
  },
  one_time_subscription_not_cancelable: {
    purchase: 'A purchase made once cannot be canceled.',
  },
  not_scheduled_for_cancellation: {
    none_scheduled: 'No cancellation of the subscription is scheduled.',
  },
  plan_unavailable: {
    not_selectable: 'The plan cannot be chosen.',
    own_plan_gone: 'The plan of the subscription cannot be chosen any more.',
  },
  no_outstanding_invoice: {
    nothing_owed: 'The subscription owes nothing.',
    paid: 'The payment has been made already.',
    link_canceled: 'The payment link was canceled.',
    settled: 'Nothing is to be paid here any more.',
    no_failed_charge: 'No failed charge of an outstanding invoice is behind the transaction.',
  },
  charge_in_progress: {
    provider_silent: 'The payment provider has not answered yet; the outcome is not known.',
    outcome_unknown: 'The payment is under way; its outcome is not known yet.',
    subscription: 'Another charge of the subscription is under way.',
  },
  charge_failed: {
    provider_unreachable: 'The payment provider cannot be reached; nothing was charged.',
  },
  idempotency_key_mismatch: {
    other_request: 'This idempotency key was used with another method, path or body.',
  },
  idempotency_in_progress: {
    retry: 'The first request with this idempotency key is still running; try again in a moment.',
  },
  idempotency_unavailable: {
    nothing_executed:
      'The store of idempotency keys cannot be used at the moment; nothing was executed. Retry with the same key.',
    outcome_unknown:
      'The connection to the store of idempotency keys was lost at the end; the outcome is unknown. Retry with the same key.',
  },
  seat_limit_exceeded: {
    room: 'The plan has room for {included} of {code} only.',
  },
  no_change_requested: {
    same_plan: 'The subscription has this plan and interval.',
    no_scheduled_change: 'No change of the subscription is scheduled.',
  },
  plans_not_in_same_group: {
    two_plans: 'The two plans are not in the same group.',
    exchange: 'Plans can only be exchanged within a group.',
  },
  free_plan_change_not_supported: {
    option: 'A free plan takes no {param}.',
  },
  plan_change_scheduled: {
    at_period_end: 'The change waits for the end of the period, so nothing is prorated.',
  },
  addon_already_active: {
    subscription: 'The subscription has the add-on already.',
  },
  addon_has_activations: {
    active: 'A subscription has this add-on active.',
  },
  feature_already_exists: {
    addon_feature: 'Another add-on sells this feature.',
    taken: 'Another feature has this {param}.',
    plan_feature: 'The plan has this feature already.',
    subscription: 'The subscription contains {code} already.',
  },
  feature_in_use: {
    plan: 'A plan contains this feature.',
    addon: 'An add-on sells this feature.',
  },
  model_not_found: {
    ambiguous: 'There is no one AI model named {name}.',
  },
  offer_not_found: {
    no_direct_offer: 'The checkout has no direct offer.',
    card_promotion: 'There is no such card promotion.',
  },
  offer_not_applicable: {
    card_promotion_phases: 'The offer of a card promotion begins with a discount.',
    introductory_phases: 'An introductory offer has at most a trial and one share or amount off with an end.',
    retention_phases: 'An offer to stay has no free trial.',
    promo_code_phases: 'A promo code hands out an offer with exactly one phase, a share or an amount off.',
    card_promotion_interval: 'The card promotion is for another billing interval.',
    other_card: 'The offer of the checkout is not for this card. The full price is due; confirm it to pay.',
    expired: 'The offer of the checkout has expired meanwhile.',
    other_currency: 'The offer of the checkout has amounts in the currency of another country.',
    below_minimum: 'The first charge would be below the smallest amount that can be charged.',
    retention_used: 'The customer has accepted this offer to stay before.',
    retention_changed: 'The offer to stay is another one by now, or is not made any more.',
    retention_saves_nothing: 'The offer does not lower the price of the plan.',
    other_offer: 'The checkout has an offer or a trial already.',
    plan_change: 'A promo code cannot be used for a change of plan.',
    free_plan: 'A free plan takes no offer.',
  },
  transaction_not_found: {
    not_under_way: 'No attempt {transactionId} is under way.',
  },
  price_in_use: {
    inherited: 'Variants inherit from this price.',
    default: 'This is the default price; make another one the default first.',
    billed: 'Subscriptions are billed by the price in {currency}.',
    overridden_market: 'A variant overrides a market that would lose its amount.',
  },
  market_in_use: {
    price: 'A price has an amount for this market.',
    subscription: 'A subscription is priced in this market.',
  },
  endpoint_deprecated: {
    verification: 'This operation has been retired; organizations are verified on the dashboard.',
    clock_execution: 'This operation has been retired; moving the clock executes what is due.',
  },
  organization_already_claimed: {
    owned: 'A human owns this organization already.',
  },
  claim_not_pending: {
    invalid_link: 'This claim link is not valid; a newer one may have replaced it.',
    expired_link: 'This claim link has expired.',
    ownerless: 'The owner of this organization has left; it does not wait for a claim.',
  },
  rate_limited: {
    account_window: 'Too many attempts; wait the seconds in Retry-After.',
    export_stream: 'This caller reads an export stream already; one at a time.',
    purchases_per_hour:
      'A pricing table takes {most} new purchases an hour. Wait a while, or ask the seller.',
    purchases_of_visit: 'This purchase was begun again too often. Pay what is open, or ask the seller.',
    window: 'Too many requests in this window; try again in {resetSeconds} seconds.',
    payments_per_day: 'A payment can be tried {retriesPerDay} times a day.',
    account_attempts: 'Too many attempts; wait a minute.',
    payments_per_hour: 'A payment can be tried 10 times an hour. Wait a while, or ask the seller.',
  },
  internal_error: {
    open_transaction: 'A gateway cannot be asked over a network while a transaction is open.',
    refund_lost: 'The refund {refundId} was not stored.',
    busy: 'The service is busy; try again in a moment.',
    hidden: 'Something went wrong on our side.',
  },
} as const satisfies { readonly [code in ErrorCode]?: Readonly<Record<string, string>> };
