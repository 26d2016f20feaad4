import { approvalErrorMessages } from './approval-error-messages.ts';
import { attemptErrorMessages } from './attempt-error-messages.ts';
import { countErrorMessages } from './count-error-messages.ts';
import type { ErrorCode } from './error-codes.ts';
import { requestErrorMessages } from './request-error-messages.ts';

/** Messages that replace a code's default message, by code and reason. Call sites pass the reason and the values in braces. */
export const errorMessages = {
  ...requestErrorMessages,
  validation_error: {
    ...approvalErrorMessages,
    ...attemptErrorMessages,
    ...countErrorMessages,
    toolset: "The toolset {toolset} doesn't exist. Use the name of an area, such as catalog, or all.",
    no_dry_run: "This operation doesn't support dry runs. Call the operation without dryRun.",
    range_reversed: "The range can't end before it starts. Choose a later end or an earlier start.",
    retention_months: "This number of months isn't supported. Use one of these numbers: {months}.",
    scheduled_series:
      'Only lists can be exported on a schedule. {kind} is a series for a fixed date range, so request a one-time export instead.',
  },
  not_found: {
    request: "The request isn't recorded in this environment, or was deleted after the retention period.",
    tool: "The tool {name} doesn't exist. List the tools, or call find_operations.",
    address: 'No resource exists at {path}. Check the URL.',
    card_promotion: "The card promotion doesn't exist in this environment.",
    credit_note: "The credit note doesn't exist in this environment.",
    model_price: "This environment doesn't have its own prices for the AI model.",
    customer_credit: "The customer doesn't have this credit.",
    auto_topup: "The customer doesn't have an automatic top-up of this account.",
    commitment: "The commitment doesn't exist in this environment.",
    mandate: "The mandate doesn't exist in this environment.",
    receipt: "The receipt doesn't exist in this environment.",
    customer_note: "The note doesn't exist in this environment.",
    usage_event:
      "The usage event doesn't exist in this environment, or was deleted after its retention period.",
    lot: "The lot doesn't exist in this environment.",
    rate_card: "The rate card doesn't exist in this environment.",
    open_lot:
      "The lot doesn't exist in this environment, or its remaining amount has expired or was revoked.",
    member: "The member doesn't exist in this organization.",
    organization: "The ID doesn't match your current organization. Use the ID of your current organization.",
    session: "The session doesn't exist.",
    app_request: 'The request of the app is invalid or has expired. Connect the app again.',
    device_login: 'The code is wrong, has expired, or was already used. Run `quittance login` again.',
    saved_view: "The saved view doesn't exist.",
    invitation: "The invitation doesn't exist in this organization.",
    invitation_over:
      'This invitation is no longer valid. Ask an admin of the organization for a new invitation.',
    payment_connection: "The payment connection doesn't exist in this environment.",
    payout: "The payout doesn't exist.",
    plan_feature: "The plan doesn't include this feature.",
    asset: "The custom unit doesn't exist.",
    plan_pool: "The plan doesn't have a pool of this asset.",
    attempt: "The payment attempt doesn't exist in this environment.",
    tax_registration: "The tax registration doesn't exist in this environment.",
    clock_run: "The test clock run doesn't exist in this environment.",
    webhook_delivery: "The webhook delivery doesn't exist in this environment.",
    account_address: "This account endpoint doesn't exist.",
    passkeys: 'Passkeys require a host name, but the public URL of this service is an IP address.',
    passkey: "The passkey doesn't exist.",
    route: "The route {method} {path} doesn't exist. Check the method and the path.",
    page: "The page {path} doesn't exist. Check the URL.",
    plan_grant: "The customer doesn't have this plan grant, or the grant has ended.",
    export: "The export doesn't exist in this environment.",
    export_schedule: "The export schedule doesn't exist in this environment.",
    pricing_table: "The pricing table doesn't exist in this environment.",
    limit: "The limit doesn't exist in this environment.",
    limit_raise: "The limit doesn't have this raise.",
    approval: "The approval doesn't exist in this environment.",
    hold: "The hold doesn't exist in this environment.",
    budget: "The customer doesn't have this budget.",
  },
  feature_not_found: {
    by_code: "Feature {code} doesn't exist in this environment.",
  },
  plan_not_found: {
    of_group: "The plan isn't in this plan group.",
    deleted_before_start:
      'The plan was deleted before the subscription started. Create a new subscription with another plan.',
  },
  subscription_not_found: {
    missing: "Subscription {missing} doesn't exist in this environment.",
  },
  no_active_subscription: {
    in_force: 'The customer has no active subscription. Create a subscription first.',
    no_access: 'The customer has no subscription that gives access to features. Create a subscription first.',
  },
  already_has_active_subscription: {
    subscription: 'The customer already has a subscription ({id}). Change its plan or cancel it first.',
    same_address:
      'You already have a subscription. To change your plan, use the link that we sent to your email address.',
  },
  subscription_has_open_dispute: {
    payment: 'A payment of the subscription is disputed. Wait until the dispute is resolved.',
  },
  provider_unsupported: {
    receipt_refund:
      "A payment by bank transfer can't be refunded to the payer's account. Return the money with your bank.",
    stripe_unreachable: "We couldn't reach Stripe to check the key. Try again in a moment.",
    provider_unavailable:
      "The provider {provider} isn't available yet. Use `platform`, `stripe`, or the ID of a payment connection.",
    connection_unusable:
      "The payment connection {provider} doesn't exist or can't be used. Use the ID of another payment connection.",
    no_live_connection:
      'The organization has no payment connection that can charge live cards. Connect a payment provider first.',
    unverified:
      'The platform can charge customers only after the organization is verified. Submit the organization for verification first.',
    instrument_unfit:
      "This payment method can't be used for the currency, the country, or the amount. Use another payment method.",
    instrument_too_slow: "This payment method confirms payments later, so it can't be used here. Use a card.",
    taken_elsewhere:
      'Payments from this billing country are collected through another payment connection. Reload the page, and enter the payment details again.',
    connect_first:
      'The organization has no payment connection that can charge live cards. Connect a payment provider first.',
  },
  no_payment_method: {
    none_stored: 'The customer has no stored payment method. Add a payment method first.',
  },
  duplicate: {
    receipt_known: 'The receipt {receiptId} has this reference at the bank. A transfer is recorded once.',
    hold_id: 'A different hold with this `holdId` exists. Use another `holdId`.',
    hold_settled: 'The hold was settled. Record further usage without the hold.',
    hold_released: 'The hold was released. Record the usage without the hold.',
    slug: 'Another organization already has this slug. Choose another slug.',
    saved_view: 'You already have a view with this name for this list. Choose another name.',
    addon_slug: 'The slug {slug}, derived from the name, belongs to another add-on. Choose another name.',
    card_promotion_bin:
      'A card promotion for this BIN already exists. Update or delete the existing card promotion.',
    credit_pack_name: 'Another credit pack already has this name. Choose another name.',
    customer_external_id: 'Another customer already has this external ID. Use another external ID.',
    market_country:
      'One of the countries is already in another market. Remove the country from that market first.',
    plan_in_group:
      'The plan is already in {where}. A plan can be in only one plan group. To move the plan, remove it from its current group first.',
    base_price_interval:
      'The plan already has a base price for this billing interval. Update that price, or archive it first.',
    plan_code: 'Another plan already has this code. Choose another code.',
    budget_key: 'The customer already has a budget with this key. Choose another key.',
    replacement:
      'Another limit already replaces the template for this customer or budget. Update or delete that limit.',
    asset_code: 'Another custom unit already has this code. Choose another code.',
    plan_sort_order: 'Another plan in the group already has this sort order. Choose another sort order.',
    promo_code: 'A promo code with this code already exists. Choose another code.',
    rate_card_code: 'Another rate card already has this code. Choose another code.',
    tax_registration:
      'The organization already has a tax registration for this country or region. Delete the existing tax registration first.',
    member: 'This person is already a member of the organization.',
    invitation:
      'This email address already has a pending invitation. Cancel that invitation to send a new one.',
    own_membership: 'You are already a member of this organization.',
    plan_grant: 'The subscription already has an active plan grant. Revoke that plan grant first.',
    corrected_event: 'The usage event was already corrected. Correct its replacement instead.',
    event_id: 'The event ID was already used for a different event. Send a unique ID for each event.',
  },
  already_scheduled: {
    cancellation: 'The subscription is already scheduled to cancel.',
    withdraw_cancellation: 'The subscription is scheduled to cancel. Uncancel the subscription first.',
  },
  feature_not_in_plan: {
    selected: "The plan doesn't include the feature {code}. Add the feature to the plan first.",
    by_code: "The plan doesn't include the feature {code}. Add the feature to the plan first.",
  },
  feature_disabled: {
    in_plan: 'The feature {code} is disabled in the plan. Enable the feature in the plan first.',
    by_code: 'The feature {code} is disabled. Enable the feature in the plan first.',
  },
  insufficient_balance: {
    not_covered: 'The balance is too low for the usage. Top up the balance first.',
    in_use: "The number of units can't fall below 0. Current number of units: {count}.",
    negative: 'The adjustment would make the balance negative. Deduct a smaller amount.',
    limit: 'The usage exceeds a limit. Raise the limit, or wait until the usage fits.',
    no_unit_price:
      "The feature has no unit price in the subscription's currency. Set the unit price in the plan first.",
  },
  insufficient_credits: {
    limit: 'The usage exceeds a limit. Raise the limit, or wait until the usage fits.',
    left: "The customer doesn't have enough credits. Remaining credits: {credits}.",
  },
  insufficient_seats: {
    removable:
      'The number of seats to remove exceeds the number of seats left after pending removals ({futureCount}). Remove fewer seats.',
  },
  included_limit_reached: {
    limit: 'The usage exceeds a limit. Raise the limit, or wait until the usage fits.',
    not_covered: "The usage exceeds the included units, and the feature doesn't allow overage.",
    amount:
      "The number of units exceeds the included number ({includedAmount}), and the feature doesn't allow overage.",
  },
  payment_failed: {
    given_up: "The bank authentication wasn't completed, so nothing was charged. Try again.",
    tax_not_computed: "The tax couldn't be calculated. {message}",
  },
  payment_not_found: {
    no_authentication: 'No card authentication is pending. Enter the card again.',
    no_checkout_authentication:
      'The authentication of this checkout is no longer pending. Enter the card again.',
    no_payment_authentication: 'No authentication is pending for the payment. Enter the card again.',
    checkout_authentication: 'No authentication is pending for the checkout. Enter the card again.',
    authentication: 'No authentication is pending for the card. Enter the card again.',
  },
  payment_not_cancelable: {
    charge: "A charge can't be canceled. Only unpaid payment links can be canceled.",
    under_way: 'The payment is still processing. Try again in a moment.',
    paid: 'The payment was already made. Refund the payment instead.',
    other_payer: 'Someone has already tried to pay with this link. Try canceling the link again in a moment.',
  },
  invalid_subscription_status: {
    nothing_owed: 'The subscription has no outstanding invoice, so there is nothing to pay.',
    not_over: "The subscription hasn't ended. Only a canceled subscription can be reactivated.",
    retention: 'A retention offer can be accepted only while the subscription is active or trialing.',
    no_renewal: 'The subscription has no upcoming renewal, trial end, or usage window reset to preview.',
    nothing_to_recover: "The subscription isn't past due. Only a past-due subscription can be recovered.",
    no_method_charged: "The payment method of a subscription with the status {status} can't be replaced.",
    checkout_payment: 'A payment of this checkout is still processing. Try again in a moment.',
    checkout_settled:
      "The price and seats of this checkout can't change because the checkout continues an earlier subscription.",
    never_began:
      "The subscription was canceled before it became active, so it can't be reactivated. Create a new subscription instead.",
  },
  one_time_subscription_not_cancelable: {
    purchase: "A one-time purchase can't be canceled.",
  },
  not_scheduled_for_cancellation: {
    none_scheduled: "The subscription isn't scheduled to cancel.",
  },
  plan_unavailable: {
    not_selectable: "The plan isn't available. Choose another plan.",
    own_plan_gone:
      "The subscription's plan is no longer available. Create a new subscription with another plan.",
  },
  no_outstanding_invoice: {
    nothing_owed: 'The subscription has no outstanding invoice.',
    paid: 'The payment was already made.',
    link_canceled: 'The payment link was canceled.',
    settled: 'The outstanding invoice was already paid or canceled.',
    no_failed_charge:
      "The transaction isn't a failed charge of an outstanding invoice. Send the ID of a failed transaction of the invoice.",
  },
  charge_in_progress: {
    provider_silent:
      "The payment provider hasn't responded yet. Retry with the same idempotency key in a moment.",
    outcome_unknown: 'The payment is still processing. Try again in a moment.',
    subscription: 'Another charge of the subscription is still processing. Try again in a moment.',
  },
  charge_failed: {
    provider_unreachable:
      "We couldn't reach the payment provider. Nothing was charged. Try again in a moment.",
  },
  seat_limit_exceeded: {
    room: "The plan doesn't sell additional seats for {code}. Included seats: {included}. Remove seats first.",
  },
  no_change_requested: {
    same_plan: 'The subscription already has this plan and billing interval.',
    no_scheduled_change: 'The subscription has no scheduled change.',
  },
  plans_not_in_same_group: {
    two_plans:
      "The granted plan isn't in the plan group of the subscription's plan. Choose a plan in that group.",
    exchange:
      "The new plan isn't in the plan group of the subscription's current plan. Choose a plan in that group.",
  },
  free_plan_change_not_supported: {
    option: "The option {param} isn't available on a free plan. Omit the option.",
  },
  plan_change_scheduled: {
    at_period_end:
      "The change takes effect at the end of the current period, so there's no proration to preview.",
  },
  addon_already_active: {
    subscription: 'The subscription already has this add-on.',
  },
  addon_has_activations: {
    active: 'A subscription still has this add-on. Deactivate the add-on for that subscription first.',
  },
  feature_already_exists: {
    addon_feature: 'This feature already has an add-on. Update the existing add-on instead.',
    taken: 'Another feature already has this {param}. Choose another {param}.',
    plan_feature: 'The plan already includes this feature. Update the existing feature of the plan instead.',
    subscription:
      "The subscription already includes the feature {code}, so an add-on for the feature can't be added.",
  },
  feature_in_use: {
    plan: 'A plan includes this feature. Remove the feature from the plan first.',
    addon: 'This feature is sold as an add-on. Delete the add-on first.',
    source: 'The feature `{code}` counts the events of this feature. Change the meter of `{code}` first.',
  },
  model_not_found: {
    ambiguous:
      "The name {name} doesn't match exactly one AI model. Use the model's ID, such as openai/gpt-4o.",
  },
  offer_not_found: {
    no_direct_offer: "The checkout has no offer that was applied directly. Other offers can't be removed.",
    card_promotion: "The card promotion doesn't exist in this environment.",
  },
  offer_not_applicable: {
    trial_used: 'The customer has already had a free trial. Create the subscription without a trial.',
    card_promotion_phases: 'The first phase of an offer for card promotions must be a discount.',
    introductory_phases:
      'An introductory offer can contain a free trial, a time-limited percentage or amount discount, or the trial followed by the discount.',
    retention_phases: "A retention offer can't include a free trial.",
    promo_code_phases:
      "A promo code's offer must have exactly one phase: either a percentage discount or an amount discount.",
    card_promotion_interval:
      'The card promotion is for another billing interval. Choose that interval, or omit the card promotion.',
    other_card: "The offer doesn't apply to this card. Confirm the full price to pay.",
    expired: 'The offer of this checkout has expired. Reload the page to see the current price.',
    other_currency: "The checkout's offer isn't available in the currency of the billing country.",
    below_minimum:
      'The offer would reduce the first charge below the minimum charge amount. Use another offer.',
    retention_used: 'The customer has already accepted this retention offer.',
    retention_changed:
      'The retention offer has changed or is no longer available. Reload the page to see the current offer.',
    retention_saves_nothing:
      "The retention offer doesn't lower the price of the plan, so it can't be applied.",
    other_offer: "The checkout already has an offer or a trial, so another offer can't be applied.",
    plan_change: "A promo code can't be used for a plan change. Omit the promo code.",
    free_plan: "Offers can't be applied to a free plan. Omit the offer.",
  },
  transaction_not_found: {
    not_under_way: 'The transaction {transactionId} has no payment attempt in progress.',
  },
  price_in_use: {
    rate_card: 'A feature of a plan, or an add-on, has the rates of this rate card. Set another rate first.',
    asset:
      'A plan has a pool of this unit, or a credit pack sells it. Remove the pool and delete the credit pack first.',
    pool: "Usage of a feature is deducted from this pool. Change the feature's settlement first.",
    inherited: 'Price variants inherit from this price. Archive the variants first.',
    default: 'This is the default price of the plan. Make another price the default first.',
    billed:
      'Some subscriptions are billed at this price in {currency}. Change their plans or cancel them first.',
    overridden_market:
      'A price variant has an amount for a market that would be removed. Remove the market from the variant first.',
  },
  market_in_use: {
    price: 'A price has an amount for this market. Remove the amount first.',
    rate: 'A feature, add-on, or rate card has a rate for this market. Remove the override first.',
    subscription:
      "Some subscriptions are billed at this market's prices. Change their plans or cancel them first.",
  },
  claim_not_pending: {
    invalid_link: 'This claim link is invalid, or a newer link replaced it. Request a new link.',
    expired_link: 'This claim link has expired. Request a new link.',
    ownerless: "The owner of the organization has left, so it can't be claimed. Contact the operator.",
  },
} as const satisfies { readonly [code in ErrorCode]?: Readonly<Record<string, string>> };
