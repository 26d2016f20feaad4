/** What customers' pages say in English about what went wrong: loaded once something is done. */
export const words = {
  /** What to do about a field. */
  problems: {
    number: 'Check the card number.',
    expiry: 'Check the expiry date.',
    cvc: 'Check the security code: 3 or 4 digits.',
    companyName: 'Enter the name of the company.',
    line1: 'Enter the street and number.',
    city: 'Enter the city.',
    postalCode: 'Enter the postal code.',
    state: 'Check the state or province.',
    country: 'Choose a country.',
    name: 'Enter your name.',
    password: 'Check the password: 10 characters or more.',
    taxDocument: 'Check the tax number.',
    email: 'Enter an email address.',
    phone: 'Enter a telephone number.',
    consent: 'Accept the terms to go on.',
    promoCode: 'This promo code cannot be used here.',
  },

  cardFieldsMissing: 'The card fields cannot be loaded right now. Reload the page to try again.',
  stillWaiting: 'No answer yet. Finding out whether it went through …',
  amountChanged: 'The amount has changed. Check it and pay again.',
  declined: 'The payment was declined. Try again or use another card.',
  declines: {
    card_declined: 'The card was declined. Try again or use another card.',
    insufficient_funds: 'The card has insufficient funds. Use another card.',
    expired_card: 'The card has expired. Use another card.',
    cvc_not_checked: 'Your bank could not check the security code. Use another card.',
    incorrect_cvc: 'The security code is wrong. Check it and try again.',
    authentication_failed: 'This was not confirmed with your bank. Try again or use another card.',
    authentication_abandoned: 'This was not confirmed with your bank. Try again or use another card.',
    authentication_required: 'The card has to be confirmed with your bank. Try again or use another card.',
  },

  /** One sentence for each code of an error, so that no message meant for developers is shown. */
  codes: {
    already_has_active_subscription: 'You have a subscription already.',
    charge_in_progress: 'Another payment is still under way. Wait for it before you try again.',
    customer_not_found: 'This link is not valid. Ask the seller for a new one.',
    feature_disabled: 'This is not offered any more.',
    feature_not_found: 'This is not offered any more.',
    feature_not_in_plan: 'This is not part of the plan.',
    forbidden: 'This is not possible here. Ask the seller.',
    included_limit_reached: 'The plan takes no more of this.',
    price_not_found: 'This is not sold for this billing interval.',
    idempotency_key_mismatch:
      'An earlier try reached the seller. Look at how things stand before you try again.',
    invalid_subscription_status: 'This is not possible any more.',
    missing_regional_price: 'This is not sold in the currency of your country. Ask the seller.',
    no_outstanding_invoice: 'There is nothing left to pay.',
    offer_not_applicable:
      'The discount is not available any more. The full price is shown now; pay again to accept it.',
    payment_method_not_found: 'The stored card cannot be used here any more. Enter a card.',
    payment_not_found: 'Nothing waits to be confirmed any more.',
    not_found: 'This is not offered any more.',
    plan_not_found: 'This plan is not offered any more.',
    plan_unavailable: 'This plan is not offered any more.',
    provider_unsupported: 'The card cannot be taken right now. Reload the page and enter it again.',
    rate_limited: 'There were too many tries. Wait a while, then try again.',
    unauthorized: 'This link is not valid any more. Ask the seller for a new one.',
    validation_error: 'Something was not filled in right. Check what you typed in.',
  },

  /** Reasons of an error that say more than its code. */
  reasons: {
    card_not_eligible:
      'The discount is not for this card. The full price is shown now; pay again to accept it.',
    tax_not_computed: 'The tax depends on where you are. Fill in the state or province.',
  },

  /** Why a promo code cannot be used. */
  promoReasons: {
    unknown: 'This promo code is not known.',
    inactive: 'This promo code is not valid any more.',
    expired: 'This promo code has expired.',
    max_redemptions_reached: 'This promo code is used up.',
    already_redeemed: 'You have used this promo code before.',
    plan_not_eligible: 'This promo code is for another plan.',
    interval_not_eligible: 'This promo code is for another billing interval.',
    intro_offer_active: 'A better offer applies already.',
    currency_not_configured: 'This promo code is for another currency.',
    below_minimum: 'This promo code needs a higher amount.',
  },
} as const;
