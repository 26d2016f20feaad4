// What a payer reads about an error: one sentence for each code, so that no message meant for developers is shown.

/** @type {Record<string, string>} */
const declines = {
  card_declined: 'The card was declined. Try again or use another card.',
  insufficient_funds: 'The card has insufficient funds. Use another card.',
  expired_card: 'The card has expired. Use another card.',
  incorrect_cvc: 'The security code is wrong. Check it and try again.',
  authentication_failed: 'This was not confirmed with your bank. Try again or use another card.',
  authentication_abandoned: 'This was not confirmed with your bank. Try again or use another card.',
  authentication_required: 'The card has to be confirmed with your bank. Try again or use another card.',
};

const declined = 'The payment was declined. Try again or use another card.';

/** @type {Record<string, string>} */
const codes = {
  addon_already_active: 'This add-on is switched on already.',
  addon_not_active: 'This add-on is switched off already.',
  addon_not_found: 'This add-on is not offered any more.',
  already_has_active_subscription: 'You have a subscription already.',
  already_scheduled: 'A change is scheduled already. Take it back first.',
  charge_in_progress: 'Another payment is still under way. Wait for it before you try again.',
  credit_pack_not_found: 'These credits are not offered any more.',
  customer_not_found: 'This link is not valid. Ask the seller for a new one.',
  feature_already_exists: 'Your plan has what this add-on brings already.',
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
  no_active_subscription: 'There is no subscription.',
  no_change_requested: 'This is your plan already.',
  no_outstanding_invoice: 'There is nothing left to pay.',
  no_payment_method: 'No card is stored. Enter one first.',
  not_scheduled_for_cancellation: 'Your subscription is not about to end.',
  offer_not_applicable:
    'The discount is not available any more. The full price is shown now; pay again to accept it.',
  one_time_subscription_not_cancelable: 'A one-time purchase cannot be canceled.',
  payment_method_not_found: 'This card is not stored any more.',
  payment_not_found: 'Nothing waits to be confirmed any more.',
  plan_not_found: 'This plan is not offered any more.',
  plans_not_in_same_group: 'You cannot change to this plan here. Ask the seller.',
  plan_unavailable: 'This plan is not offered any more.',
  provider_unsupported: 'The card cannot be taken right now. Reload the page and enter it again.',
  rate_limited: 'There were too many tries. Wait a while, then try again.',
  seat_limit_exceeded: 'You use more seats than this plan has. Remove seats first.',
  subscription_already_canceled: 'Your subscription has ended already.',
  subscription_has_open_dispute: 'One of your payments is in dispute. Ask the seller.',
  subscription_not_active: 'This is not possible while a payment is open.',
  subscription_not_found: 'There is no subscription.',
  unauthorized: 'This link is not valid any more. Ask the seller for a new one.',
  validation_error: 'Something was not filled in right. Check what you typed in.',
};

/** Reasons in `details.reason` that say more than their code. @type {Record<string, string>} */
const reasons = {
  card_not_eligible:
    'The discount is not for this card. The full price is shown now; pay again to accept it.',
  tax_not_computed: 'The tax depends on where you are. Fill in the state or province.',
};

/** What to do about a field of a page. @type {Record<string, string>} */
const fields = {
  number: 'Check the card number.',
  expiry: 'Check the expiry date.',
  cvc: 'Check the security code: 3 or 4 digits.',
  line1: 'Enter the street and number.',
  city: 'Enter the city.',
  postalCode: 'Enter the postal code.',
  state: 'Check the state or province.',
  country: 'Choose a country.',
  taxDocument: 'Check the tax number.',
  fullName: 'Check the name.',
  email: 'Enter an e-mail address.',
  topup: 'Enter an amount above 0.',
};

/** What to do about a field. @param {string} name */
export const fieldSentence = (name) => fields[name] ?? codes['validation_error'] ?? '';

/**
 * What a payer reads about an error of the service.
 * @param {{ code: string, details?: any }} refusal
 */
export function sentenceOf({ code, details }) {
  const { declineCode, reason } = details ?? {};
  if (declineCode !== undefined) return declines[declineCode] ?? declined;
  if (code === 'charge_failed' || code === 'payment_failed') return reasons[reason] ?? declined;
  return (
    reasons[reason] ?? codes[code] ?? 'This did not work. Reload the page and try again, or ask the seller.'
  );
}

/** What is said while nobody knows whether a step was carried out. */
export const unknownOutcome =
  'The service cannot be reached, so it is not known yet whether this went through. What you entered is kept. Try again: nothing is charged twice.';

/** What is said when something could not even be asked for. */
export const unreachable = 'The service cannot be reached right now. Nothing was changed. Try again.';
