// The operations of the page of a payment link.

import { authenticationFields } from './documents.js';

export const linkQuery = `query Link($token: String!, $country: String, $state: String, $taxDocument: String) {
  paymentLink(token: $token, country: $country, state: $state, taxDocument: $taxDocument) {
    status nextStep organizationName branding { accentColor logoUrl } customerEmail description amountSubtotal taxAmount tax { name ratePpm } amountTotal currency currencyDecimals country
    successUrl livemode publishableKey requiresBillingCountry ${authenticationFields}
  }
}`;

export const payMutation = `mutation Pay($input: PaymentLinkPayInput!) { paymentLinkPay(input: $input) { status } }`;

export const authenticateMutation = `mutation Authenticate($input: PaymentLinkAuthenticateInput!) { paymentLinkAuthenticate(input: $input) { status } }`;
