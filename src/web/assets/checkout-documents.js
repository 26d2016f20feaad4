// The operations of the checkout page.

import { authenticationFields } from './documents.js';

const priced = `kind currency currencyDecimals price billingInterval lineItems { description quantity amount } discountAmount taxAmount
    tax { name ratePpm } amountDue isOfferConditional trialDays nextCharge { date amount isFinal currency currencyDecimals billingInterval }`;

export const checkoutQuery = `query Checkout($token: String!, $country: String) {
  checkout(token: $token) {
    status nextStep organizationName branding { accentColor logoUrl } customerEmail name trialEndsAt successUrl livemode publishableKey(country: $country) requiresBillingCountry ${authenticationFields}
    ${priced}
  }
}`;

export const quoteQuery = `query Quote($input: CheckoutQuoteInput!) { checkoutQuote(input: $input) { publishableKey ${priced} } }`;

export const payMutation = `mutation Pay($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }`;

export const authenticateMutation = `mutation Authenticate($input: CheckoutAuthenticateInput!) { checkoutAuthenticate(input: $input) { status } }`;
