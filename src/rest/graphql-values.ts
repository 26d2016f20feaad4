import { exampleId } from './openapi-examples.ts';

type Values = Readonly<Record<string, unknown>>;

/** Placeholder for page tokens. The token of a pricing page is part of its URL. */
const token = 'eyJwYWdlIjoi.c2lnbmF0dXJl';
const card = { number: '4242424242424242', expMonth: 12, expYear: 2099, cvc: '123' };

/** Variables for hosted page operations. These operations accept the page token as an argument or a bearer token. */
const pages: Readonly<Record<string, Values>> = {
  checkout: { token },
  checkoutQuote: { input: { token, promoCode: 'WELCOME' } },
  checkoutPay: { input: { token, card } },
  checkoutAuthenticate: { input: { token, succeed: true } },
  claimLink: { token },
  memberInvitation: { token },
  memberInvitationAccept: { input: { token } },
  organizationClaim: { input: { token } },
  paymentLink: { token },
  paymentLinkPay: { input: { token, card, email: 'ada@example.com' } },
  paymentLinkAuthenticate: { input: { token, succeed: true } },
  paymentMethodUpdate: { token },
  paymentMethodStore: { input: { token, card } },
  paymentMethodAuthenticate: { input: { token, succeed: true } },
  recovery: { token },
  recoveryPay: { input: { token, card } },
  recoveryAuthenticate: { input: { token, succeed: true } },
  portalAddonActivate: { input: { addonId: exampleId('addon') } },
  portalAddonDeactivate: { input: { addonId: exampleId('addon') } },
  portalBalanceTopUp: { input: { amount: 2_500 } },
  portalCardAuthenticate: { input: { succeed: true } },
  portalCreditsPurchase: { input: { creditPackId: exampleId('credit_pack'), card } },
  portalPaymentMethodStore: { input: { card } },
  portalPaymentRetry: { input: {} },
  portalPlanChange: { input: { planId: exampleId('plan'), billingInterval: 'yearly' } },
  portalPreview: { action: { cancel: {} } },
  portalScheduledChangeRevoke: { input: {} },
  portalSubscriptionCancel: { input: { reason: 'Too expensive' } },
  portalSubscriptionReactivate: { input: {} },
  portalSubscriptionUncancel: { input: {} },
};

const merchants: Readonly<Record<string, Values>> = {
  cardPromotionCreate: { input: { offerId: exampleId('offer'), bins: ['424242'] } },
  connectedAccountCreate: {
    input: { name: 'Acme', secretKey: 'sk_test_1', publishableKey: 'pk_test_1' },
  },
  gatewayReconcile: { input: { limit: 100 } },
  node: { id: exampleId('customer') },
  nodes: { ids: [exampleId('customer'), exampleId('plan')] },
  organizationLogoSet: { input: { image: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB' } },
  organizationUpdate: { input: { issuerName: 'Acme Inc.', accentColor: '#1f6feb' } },
  subscriptionPreview: { command: { cancel: { id: exampleId('subscription') } } },
  testClockSimulate: {
    input: { subscriptionIds: [exampleId('subscription')], until: '2099-01-01T00:00:00.000Z' },
  },
  usageSeries: {
    customerId: exampleId('customer'),
    featureCode: 'api_calls',
    from: '2026-08-01T00:00:00.000Z',
    to: '2026-09-01T00:00:00.000Z',
    granularity: 'day',
  },
};

/** Example variables for root fields without a REST route, if the schema doesn't provide suitable values. */
export const graphqlValues: Readonly<Record<string, Values>> = { ...pages, ...merchants };
