// The operations of the pages that ask for a card outside the checkout.

import { authenticationFields } from './documents.js';

const fields = `status organizationName branding { accentColor logoUrl } customerEmail name amountDue amountOwed paymentUrl nextRetryAt accessEndsAt
  subscriptionStatus currency currencyDecimals successUrl livemode publishableKey ${authenticationFields}`;

/** Of a payment that keeps a subscription from running. */
export const payment = {
  load: `query Recovery($token: String!) { request: recovery(token: $token) { ${fields} } }`,
  submit: `mutation Pay($input: RecoveryPayInput!) { request: recoveryPay(input: $input) { ${fields} } }`,
  authenticate: `mutation Authenticate($input: RecoveryAuthenticateInput!) { request: recoveryAuthenticate(input: $input) { ${fields} } }`,
};

/** Of a card that takes the place of the stored one. */
export const storing = {
  load: `query Method($token: String!) { request: paymentMethodUpdate(token: $token) { ${fields} } }`,
  submit: `mutation Store($input: PaymentMethodStoreInput!) { request: paymentMethodStore(input: $input) { ${fields} } }`,
  authenticate: `mutation Authenticate($input: PaymentMethodAuthenticateInput!) { request: paymentMethodAuthenticate(input: $input) { ${fields} } }`,
};
