import type { Access } from '../../src/graphql/access.ts';
import { schema } from '../../src/schema.ts';
import { createBalanceConsumer, createConsumer, createCreditsConsumer, listModel, of } from './consumers.ts';
import {
  activateAddon,
  allowCardPromotions,
  cards,
  clockSettled,
  connectionKeys,
  createActiveSubscription,
  createAddon,
  createCardPromotion,
  createClimber,
  createConnection,
  createCreditPack,
  createCustomer,
  createDelivery,
  createDispute,
  createOffer,
  createPastDueSubscription,
  createPayment,
  createPlanGroup,
  createPrice,
  createPricedPlan,
  createSubscription,
  createTaxRegistration,
  neededAddress,
  nextCountry,
  noteRegistration,
  openPortal,
  pay,
  payLink,
  payment,
  type Shop,
  subscribeTo,
} from './factories.ts';
import { createPayout, openPayouts, verificationInput } from './payouts.ts';
import { routes, textOf, variablesFor } from './queries.ts';
import { type Request, requests } from './requests.ts';

/** A GraphQL operation with what it is given. */
export type Operation = { readonly text: string; readonly variables: Readonly<Record<string, unknown>> };

type MakeVariables = (shop: Shop) => Promise<Record<string, unknown>>;

/** Why a root field has no REST route. */
type Unrouted = { readonly because: string; readonly text: string; readonly variables: MakeVariables };

const none: MakeVariables = async () => ({});

const startRun: MakeVariables = async (shop) => {
  await clockSettled(shop);
  const { body } = await shop.rest<{ id: string }>('POST', '/test-clock', { advanceDays: 1 });
  return { id: body.id };
};

const openCheckout: MakeVariables = async (shop) => ({ token: (await createSubscription(shop)).token });

/** First digits of a card no other promotion of the shop is for. */
const freshBin = (shop: Shop): string => shop.next('bin').replace('bin', '').padStart(6, '4');

/** A portal session of a customer with an active subscription. */
const openSession: MakeVariables = async (shop) => ({
  token: await openPortal(shop, (await createActiveSubscription(shop)).customerId),
});

/** A card as a payer types it in. */
const card = (number: string = cards.pays) => ({ number, expMonth: 12, expYear: 2099, cvc: '123' });

const openMethodPage = async (shop: Shop): Promise<string> => {
  const { id } = await createActiveSubscription(shop);
  const { body } = await shop.rest<{ checkoutUrl: string }>(
    'POST',
    `/subscriptions/${id}/payment-method/update`,
    {},
  );
  return body.checkoutUrl.split('/').at(-1) ?? '';
};

/** A recovery page of a subscription that could not be reactivated. */
const openRecovery = async (shop: Shop): Promise<string> => {
  const { id, token } = await createSubscription(shop);
  await pay(shop, token, cards.declinesLater);
  await shop.rest('POST', `/subscriptions/${id}/cancel`, { immediate: true });
  const { body } = await shop.rest<{ error: { details: { recoveryUrl: string } } }>(
    'POST',
    `/subscriptions/${id}/reactivate`,
    {},
  );
  return body.error.details.recoveryUrl.split('/').at(-1) ?? '';
};

const live = 'A live field; REST has nothing that streams.';
const page = 'What the checkout page calls; the contract knows the page by its address only (design §1).';
const cardPage =
  'What the pages call that ask for a card; the contract knows them by their addresses only (design §1).';
const payPage =
  'What the page of a payment link calls; the contract knows it by its address only (design §1).';
const rule = 'Beyond the contract, needed by a rule (design §1).';
const portal = 'What the portal page calls; the contract knows the page by its address only (design §1).';
const claim = 'What the claim page calls (design §1).';
const members = 'People are managed by people, on dashboards (design §1).';
const more = 'Beyond the contract, wanted by dashboards (design §1).';

/** Root fields without REST, each with the reason and an operation that is accepted. */
export const unrouted: Readonly<Record<string, Unrouted>> = {
  aiModel: {
    because: more,
    text: 'query ($id: ID!) { aiModel(id: $id) { id inputRate history { inputRate } } }',
    variables: async (shop) => ({ id: await listModel(shop) }),
  },
  aiModels: {
    because: more,
    text: '{ aiModels(first: 5) { edges { node { id isActive } } } }',
    variables: async (shop) => {
      await listModel(shop);
      return {};
    },
  },
  cardPromotion: {
    because: more,
    text: 'query ($id: ID!) { cardPromotion(id: $id) { id bins offer { name } } }',
    variables: async (shop) => ({ id: (await createCardPromotion(shop, [freshBin(shop)])).id }),
  },
  cardPromotionCreate: {
    because: rule,
    text: 'mutation ($input: CardPromotionCreateInput!) { cardPromotionCreate(input: $input) { id } }',
    variables: async (shop) => {
      await allowCardPromotions(shop);
      return { input: { offerId: (await createOffer(shop)).id, bins: [freshBin(shop)] } };
    },
  },
  cardPromotionDelete: {
    because: rule,
    text: 'mutation ($id: ID!) { cardPromotionDelete(input: { id: $id }) { deletedId } }',
    variables: async (shop) => ({ id: (await createCardPromotion(shop, [freshBin(shop)])).id }),
  },
  cardPromotionUpdate: {
    because: rule,
    text: 'mutation ($id: ID!) { cardPromotionUpdate(input: { id: $id, autoDiscovered: true }) { id } }',
    variables: async (shop) => ({ id: (await createCardPromotion(shop, [freshBin(shop)])).id }),
  },
  cardPromotions: {
    because: more,
    text: '{ cardPromotions(first: 5) { edges { node { id bins } } } }',
    variables: async (shop) => {
      await createCardPromotion(shop, [freshBin(shop)]);
      return {};
    },
  },
  connectedAccount: {
    because: rule,
    text: 'query ($id: ID!) { connectedAccount(id: $id) { id name publishableKey isDefault countries webhookUrl hasWebhookSecret } }',
    variables: async (shop) => ({ id: (await createConnection(shop)).id }),
  },
  connectedAccountCreate: {
    because: rule,
    text: 'mutation ($input: ConnectedAccountCreateInput!) { connectedAccountCreate(input: $input) { id } }',
    variables: async (shop) => ({ input: connectionKeys(shop) }),
  },
  connectedAccountUpdate: {
    because: rule,
    text: 'mutation ($id: ID!) { connectedAccountUpdate(input: { id: $id, name: "Second" }) { id name } }',
    variables: async (shop) => ({ id: (await createConnection(shop)).id }),
  },
  connectedAccounts: {
    because: rule,
    text: '{ connectedAccounts(first: 5) { edges { node { id name } } } }',
    variables: async (shop) => {
      await createConnection(shop);
      return {};
    },
  },
  gatewayReconcile: {
    because: rule,
    text: 'mutation ($input: GatewayReconcileInput!) { gatewayReconcile(input: $input) { checked open isComplete next differences { kind } } }',
    variables: () => Promise.resolve({ input: { limit: 10 } }),
  },
  paymentRouteSet: {
    because: rule,
    text: 'mutation ($input: PaymentRouteSetInput!) { paymentRouteSet(input: $input) { country isRouted connection { id } } }',
    variables: (shop) => Promise.resolve({ input: { country: nextCountry(shop), provider: 'platform' } }),
  },
  checkout: {
    because: page,
    text: 'query ($token: String!) { checkout(token: $token) { status } }',
    variables: openCheckout,
  },
  checkoutPay: {
    because: page,
    text: 'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status subscription { subscriptionId status } } }',
    variables: async (shop) => {
      const { token } = await createSubscription(shop);
      return { input: { ...payment(token), ...(await neededAddress(shop, 'checkout', token)) } };
    },
  },
  paymentMethodUpdate: {
    because: cardPage,
    text: 'query ($token: String!) { paymentMethodUpdate(token: $token) { status } }',
    variables: async (shop) => ({ token: await openMethodPage(shop) }),
  },
  paymentMethodStore: {
    because: cardPage,
    text: 'mutation ($input: PaymentMethodStoreInput!) { paymentMethodStore(input: $input) { status } }',
    variables: async (shop) => ({ input: payment(await openMethodPage(shop)) }),
  },
  paymentMethodAuthenticate: {
    because: cardPage,
    text: 'mutation ($input: PaymentMethodAuthenticateInput!) { paymentMethodAuthenticate(input: $input) { status } }',
    variables: async (shop) => {
      const token = await openMethodPage(shop);
      const store =
        'mutation ($input: PaymentMethodStoreInput!) { paymentMethodStore(input: $input) { status } }';
      await shop.t.graphql(store, { input: payment(token, cards.authenticates) }, { key: null });
      return { input: { token, succeed: true } };
    },
  },
  paymentLink: {
    because: payPage,
    text: 'query ($token: String!) { paymentLink(token: $token) { status nextStep amountTotal } }',
    variables: async (shop) => ({ token: (await createPayment(shop)).token }),
  },
  paymentLinkAuthenticate: {
    because: payPage,
    text: 'mutation ($input: PaymentLinkAuthenticateInput!) { paymentLinkAuthenticate(input: $input) { status } }',
    variables: async (shop) => {
      const { token } = await createPayment(shop);
      await payLink(shop, token, { email: 'payer@shop.test' }, cards.authenticates);
      return { input: { token, succeed: true } };
    },
  },
  paymentLinkPay: {
    because: payPage,
    text: 'mutation ($input: PaymentLinkPayInput!) { paymentLinkPay(input: $input) { status paymentLink { status } } }',
    variables: async (shop) => {
      const { token } = await createPayment(shop);
      return {
        input: {
          ...payment(token),
          email: 'payer@shop.test',
          ...(await neededAddress(shop, 'paymentLink', token)),
        },
      };
    },
  },
  payout: {
    because: more,
    text: 'query ($id: ID!) { payout(id: $id) { id status bankAccount { last4 } } }',
    variables: async (shop) => ({ id: await createPayout(shop) }),
  },
  payouts: { because: more, text: '{ payouts(first: 2) { edges { node { id amount } } } }', variables: none },
  payoutBankAccounts: {
    because: more,
    text: '{ payoutBankAccounts(first: 2) { edges { node { id last4 } } } }',
    variables: none,
  },
  payoutAccount: { because: rule, text: '{ payoutAccount { status country } }', variables: none },
  payoutBalance: {
    because: rule,
    text: '{ payoutBalance { pending available frozen inTransit currency } }',
    variables: none,
  },
  payoutCancel: {
    because: rule,
    text: 'mutation ($input: PayoutCancelInput!) { payoutCancel(input: $input) { id status } }',
    variables: async (shop) => ({ input: { id: await createPayout(shop) } }),
  },
  payoutVerification: {
    because: rule,
    text: '{ payoutVerification { status reasons { code } } }',
    variables: none,
  },
  payoutVerificationSubmit: {
    because: rule,
    text: 'mutation ($input: PayoutVerificationSubmitInput!) { payoutVerificationSubmit(input: $input) { status } }',
    variables: async () => ({ input: verificationInput() }),
  },
  payoutSimulate: {
    because: rule,
    text: 'mutation ($input: PayoutSimulateInput!) { payoutSimulate(input: $input) { id status } }',
    variables: async (shop) => {
      await openPayouts(shop);
      return { input: { amount: 1_500 } };
    },
  },
  payoutOutcomeSimulate: {
    because: rule,
    text: 'mutation ($input: PayoutOutcomeSimulateInput!) { payoutOutcomeSimulate(input: $input) { id status } }',
    variables: async (shop) => ({ input: { id: await createPayout(shop), outcome: 'paid' } }),
  },
  recovery: {
    because: cardPage,
    text: 'query ($token: String!) { recovery(token: $token) { status } }',
    variables: async (shop) => ({ token: await openRecovery(shop) }),
  },
  recoveryPay: {
    because: cardPage,
    text: 'mutation ($input: RecoveryPayInput!) { recoveryPay(input: $input) { status } }',
    variables: async (shop) => ({ input: payment(await openRecovery(shop)) }),
  },
  recoveryAuthenticate: {
    because: cardPage,
    text: 'mutation ($input: RecoveryAuthenticateInput!) { recoveryAuthenticate(input: $input) { status } }',
    variables: async (shop) => {
      const token = await openRecovery(shop);
      const recover = 'mutation ($input: RecoveryPayInput!) { recoveryPay(input: $input) { status } }';
      await shop.t.graphql(recover, { input: payment(token, cards.authenticates) }, { key: null });
      return { input: { token, succeed: true } };
    },
  },
  checkoutAuthenticate: {
    because: page,
    text: 'mutation ($input: CheckoutAuthenticateInput!) { checkoutAuthenticate(input: $input) { status } }',
    variables: async (shop) => {
      const { token } = await createSubscription(shop);
      await pay(shop, token, cards.authenticates);
      return { input: { token, succeed: true } };
    },
  },
  claimLink: {
    because: claim,
    text: 'query ($token: String!) { claimLink(token: $token) { organizationName status } }',
    variables: async () => ({ token: 'none' }),
  },
  balanceLedger: {
    because: more,
    text: 'query ($id: ID!) { balanceLedger(subscriptionId: $id, first: 5) { edges { node { id type amount resulting cause } } } }',
    variables: async (shop) => ({ id: (await createBalanceConsumer(shop)).subscriptionId }),
  },
  creditLedger: {
    because: more,
    text: 'query ($id: ID!) { creditLedger(subscriptionId: $id, first: 5) { edges { node { id pool amount resulting cause } } } }',
    variables: async (shop) => ({ id: (await createCreditsConsumer(shop)).subscriptionId }),
  },
  usageEvents: {
    because: more,
    text: 'query ($customerId: String) { usageEvents(first: 5, customerId: $customerId) { edges { node { id value featureCode } } } }',
    variables: async (shop) => {
      const consumer = await createConsumer(shop);
      await shop.rest('POST', '/usage/events', of(consumer));
      return { customerId: consumer.customerId };
    },
  },
  usageSeries: {
    because: more,
    text: `query ($customerId: String!, $featureCode: String!, $from: DateTime!, $to: DateTime!) {
      usageSeries(customerId: $customerId, featureCode: $featureCode, from: $from, to: $to, granularity: month) { start value events } }`,
    variables: async (shop) => ({
      ...of(await createConsumer(shop)),
      from: '2027-01-01T00:00:00Z',
      to: '2027-03-01T00:00:00Z',
    }),
  },
  events: {
    because: more,
    text: '{ events(first: 5) { edges { node { id event data } } } }',
    variables: async (shop) => {
      await createCustomer(shop);
      return {};
    },
  },
  ledgerVerify: { because: more, text: '{ ledgerVerify { ok mismatches { account } } }', variables: none },
  memberInvitation: {
    because: claim,
    text: 'query ($token: String!) { memberInvitation(token: $token) { organizationName } }',
    variables: async () => ({ token: 'none' }),
  },
  memberInvitationAccept: {
    because: claim,
    text: 'mutation ($input: MemberInvitationAcceptInput!) { memberInvitationAccept(input: $input) { role } }',
    variables: async () => ({ input: { token: 'none' } }),
  },
  memberInvitationCancel: {
    because: members,
    text: 'mutation ($input: MemberInvitationCancelInput!) { memberInvitationCancel(input: $input) { deletedId } }',
    variables: async () => ({ input: { id: 'inv_none' } }),
  },
  memberInvitations: { because: members, text: '{ memberInvitations { email } }', variables: none },
  liveTicketCreate: {
    because: members,
    text: 'mutation { liveTicketCreate { ticket expiresAt } }',
    variables: none,
  },
  memberInvite: {
    because: members,
    text: 'mutation ($input: MemberInviteInput!) { memberInvite(input: $input) { email } }',
    variables: async (shop) => ({ input: { email: `${shop.next('person')}@people.test`, role: 'member' } }),
  },
  memberRemove: {
    because: members,
    text: 'mutation ($input: MemberRemoveInput!) { memberRemove(input: $input) { deletedId } }',
    variables: async () => ({ input: { id: 'mem_none' } }),
  },
  memberRoleSet: {
    because: members,
    text: 'mutation ($input: MemberRoleSetInput!) { memberRoleSet(input: $input) { role } }',
    variables: async () => ({ input: { id: 'mem_none', role: 'admin' } }),
  },
  members: { because: members, text: '{ members { email role } }', variables: none },
  memberships: { because: members, text: '{ memberships { organizationId } }', variables: none },
  organizationClaim: {
    because: claim,
    text: 'mutation ($input: OrganizationClaimInput!) { organizationClaim(input: $input) { role } }',
    variables: async () => ({ input: { token: 'none' } }),
  },
  node: {
    because: 'REST has an address for each kind of object.',
    text: 'query ($id: ID!) { node(id: $id) { id ... on Customer { email } } }',
    variables: async (shop) => ({ id: (await createCustomer(shop)).id }),
  },
  nodes: {
    because: 'REST has an address for each kind of object.',
    text: 'query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Customer { email } } }',
    variables: async (shop) => ({ ids: [(await createCustomer(shop)).id] }),
  },
  countries: { because: more, text: '{ countries { code name } }', variables: none },
  currencies: { because: more, text: '{ currencies { code decimals } }', variables: none },
  viewer: { because: members, text: '{ viewer { email } }', variables: none },
  organization: { because: more, text: '{ organization { id name language } }', variables: none },
  organizationUpdate: {
    because: 'The contract knows no settings; dashboards change them (design §1).',
    text: 'mutation ($input: OrganizationUpdateInput!) { organizationUpdate(input: $input) { name issuerName } }',
    variables: async (shop) => ({ input: { issuerName: shop.next('issuer') } }),
  },
  planPriceIntroductoryOfferSet: {
    because: rule,
    text: 'mutation ($input: PlanPriceIntroductoryOfferSetInput!) { planPriceIntroductoryOfferSet(input: $input) { id offerId } }',
    variables: async (shop) => {
      const [{ id, priceId }, offer] = [await createPricedPlan(shop), await createOffer(shop)];
      return { input: { planId: id, priceId, offerId: offer.id } };
    },
  },
  checkoutQuote: {
    because: page,
    text: 'query ($input: CheckoutQuoteInput!) { checkoutQuote(input: $input) { currency amountDue } }',
    variables: async (shop) => ({ input: { ...(await openCheckout(shop)), country: 'US' } }),
  },
  portal: {
    because: portal,
    text: 'query ($token: String) { portal(token: $token) { customer { email } subscription { name } } }',
    variables: openSession,
  },
  portalPreview: {
    because: portal,
    text: 'query ($token: String, $action: PortalActionInput!) { portalPreview(token: $token, action: $action) { amountDue } }',
    variables: async (shop) => ({ ...(await openSession(shop)), action: { cancel: {} } }),
  },
  portalCustomerUpdate: {
    because: portal,
    text: 'mutation ($input: PortalCustomerUpdateInput!) { portalCustomerUpdate(input: $input) { fullName } }',
    variables: async (shop) => ({ input: { ...(await openSession(shop)), fullName: 'Ada Lovelace' } }),
  },
  portalAddonActivate: {
    because: portal,
    text: 'mutation ($input: PortalAddonActivateInput!) { portalAddonActivate(input: $input) { addons { name } } }',
    variables: async (shop) => ({
      input: { ...(await openSession(shop)), addonId: (await createAddon(shop)).id },
    }),
  },
  portalAddonDeactivate: {
    because: portal,
    text: 'mutation ($input: PortalAddonDeactivateInput!) { portalAddonDeactivate(input: $input) { addons { name } } }',
    variables: async (shop) => {
      const { id, customerId } = await createActiveSubscription(shop);
      const addon = await createAddon(shop);
      await activateAddon(shop, id, addon.id);
      return { input: { token: await openPortal(shop, customerId), addonId: addon.id } };
    },
  },
  portalBalanceTopUp: {
    because: portal,
    text: 'mutation ($input: PortalBalanceTopUpInput!) { portalBalanceTopUp(input: $input) { balance { remaining } } }',
    variables: async (shop) => ({
      input: { token: await openPortal(shop, (await createBalanceConsumer(shop)).customerId), amount: 700 },
    }),
  },
  portalCreditsPurchase: {
    because: portal,
    text: 'mutation ($input: PortalCreditsPurchaseInput!) { portalCreditsPurchase(input: $input) { credits { remaining } } }',
    variables: async (shop) => {
      const { customerId } = await createCreditsConsumer(shop);
      return {
        input: { token: await openPortal(shop, customerId), creditPackId: (await createCreditPack(shop)).id },
      };
    },
  },
  portalPaymentMethodStore: {
    because: portal,
    text: 'mutation ($input: PortalPaymentMethodStoreInput!) { portalPaymentMethodStore(input: $input) { paymentMethod { last4 } } }',
    variables: async (shop) => ({ input: { ...(await openSession(shop)), card: card() } }),
  },
  portalCardAuthenticate: {
    because: portal,
    text: 'mutation ($input: PortalCardAuthenticateInput!) { portalCardAuthenticate(input: $input) { paymentMethod { last4 } } }',
    variables: async (shop) => {
      const { customerId } = await createActiveSubscription(shop);
      const token = await openPortal(shop, customerId);
      const store =
        'mutation ($input: PortalPaymentMethodStoreInput!) { portalPaymentMethodStore(input: $input) { status } }';
      await shop.t.graphql(store, { input: payment(token, cards.authenticates) }, { key: null });
      return { input: { token, succeed: true } };
    },
  },
  portalPaymentRetry: {
    because: portal,
    text: 'mutation ($input: PortalPaymentRetryInput!) { portalPaymentRetry(input: $input) { status } }',
    variables: async (shop) => {
      const { customerId } = await createPastDueSubscription(shop);
      return { input: { token: await openPortal(shop, customerId), card: card() } };
    },
  },
  portalSubscriptionReactivate: {
    because: portal,
    text: 'mutation ($input: PortalSubscriptionReactivateInput!) { portalSubscriptionReactivate(input: $input) { status } }',
    variables: async (shop) => {
      const { id, customerId } = await createActiveSubscription(shop);
      await shop.rest('POST', `/subscriptions/${id}/cancel`, { immediate: true });
      return { input: { token: await openPortal(shop, customerId) } };
    },
  },
  portalPlanChange: {
    because: portal,
    text: 'mutation ($input: PortalPlanChangeInput!) { portalPlanChange(input: $input) { outcome checkoutUrl subscription { planName } } }',
    variables: async (shop) => {
      const { planIds } = await createPlanGroup(shop, 2);
      const [lower = '', upper = ''] = planIds;
      for (const planId of planIds) await createPrice(shop, planId);
      const { id: customerId } = await createCustomer(shop);
      await pay(shop, (await subscribeTo(shop, customerId, lower)).token);
      return {
        input: { token: await openPortal(shop, customerId), planId: upper, billingInterval: 'monthly' },
      };
    },
  },
  portalScheduledChangeRevoke: {
    because: portal,
    text: 'mutation ($input: PortalScheduledChangeRevokeInput!) { portalScheduledChangeRevoke(input: $input) { status } }',
    variables: async (shop) => {
      const { planIds } = await createPlanGroup(shop, 2);
      const [lower = '', upper = ''] = planIds;
      for (const planId of planIds) await createPrice(shop, planId);
      const { id: customerId } = await createCustomer(shop);
      const { id, token } = await subscribeTo(shop, customerId, upper);
      await pay(shop, token);
      await shop.rest('POST', `/subscriptions/${id}/change-plan`, { newPlanId: lower });
      return { input: { token: await openPortal(shop, customerId) } };
    },
  },
  portalInvoiceChanged: {
    because: live,
    text: 'subscription ($token: String) { portalInvoiceChanged(token: $token) { invoiceId } }',
    variables: openSession,
  },
  portalSubscriptionCancel: {
    because: portal,
    text: 'mutation ($input: PortalSubscriptionCancelInput!) { portalSubscriptionCancel(input: $input) { status } }',
    variables: async (shop) => ({ input: await openSession(shop) }),
  },
  portalSubscriptionChanged: {
    because: live,
    text: 'subscription ($token: String) { portalSubscriptionChanged(token: $token) { status } }',
    variables: openSession,
  },
  portalSubscriptionUncancel: {
    because: portal,
    text: 'mutation ($input: PortalSubscriptionUncancelInput!) { portalSubscriptionUncancel(input: $input) { status } }',
    variables: async (shop) => {
      const { id, customerId } = await createActiveSubscription(shop);
      await shop.rest('POST', `/subscriptions/${id}/cancel`, {});
      return { input: { token: await openPortal(shop, customerId) } };
    },
  },
  subscriptionScheduledChangeRevoke: {
    because: rule,
    text: 'mutation ($input: SubscriptionScheduledChangeRevokeInput!) { subscriptionScheduledChangeRevoke(input: $input) { id status } }',
    variables: async (shop) => {
      const { id, freeId } = await createClimber(shop);
      await shop.rest('POST', `/subscriptions/${id}/change-plan`, { newPlanId: freeId });
      return { input: { id } };
    },
  },
  taxRegistrationCreate: {
    because: rule,
    text: 'mutation ($input: TaxRegistrationCreateInput!) { taxRegistrationCreate(input: $input) { id country region rateBps } }',
    variables: async (shop) => {
      noteRegistration(shop);
      return { input: { country: nextCountry(shop), rateBps: 750 } };
    },
  },
  taxRegistrationDelete: {
    because: rule,
    text: 'mutation ($id: ID!) { taxRegistrationDelete(input: { id: $id }) { id: deletedId deleted } }',
    variables: async (shop) => ({ id: (await createTaxRegistration(shop)).id }),
  },
  taxRegistrations: {
    because: rule,
    text: '{ taxRegistrations(first: 5) { edges { node { id country region rateBps } } } }',
    variables: async (shop) => {
      await createTaxRegistration(shop);
      return {};
    },
  },
  subscriptionPreview: {
    because: rule,
    text: 'query ($command: SubscriptionPreviewInput!) { subscriptionPreview(command: $command) { rejection { code } invoices { total lineItems { amount } } events subscription { status } } }',
    variables: async (shop) => ({ command: { cancel: { id: (await createActiveSubscription(shop)).id } } }),
  },
  subscriptionForecast: {
    because: rule,
    text: 'query ($id: ID!) { subscriptionForecast(id: $id, months: 2) { until invoices { total status } totals { currency invoiced } } }',
    variables: async (shop) => ({ id: (await createActiveSubscription(shop)).id }),
  },
  testClockSimulate: {
    because: rule,
    text: 'query ($input: TestClockSimulateInput!) { testClockSimulate(input: $input) { targetTime items { outcome } totals { currency invoiced } } }',
    variables: async (shop) => {
      await clockSettled(shop);
      return {
        input: { until: '9000-01-01T00:00:00Z', subscriptionIds: [(await createSubscription(shop)).id] },
      };
    },
  },
  testClockRun: {
    because: more,
    text: 'query ($id: ID!) { testClockRun(id: $id) { id status } }',
    variables: startRun,
  },
  testClockCancel: {
    because: more,
    text: 'mutation ($input: TestClockCancelInput!) { testClockCancel(input: $input) { id } }',
    variables: async (shop) => ({ input: await startRun(shop) }),
  },
  transactionDisputeResolve: {
    because: 'Only the sandbox plays the bank of the payer.',
    text: 'mutation ($input: TransactionDisputeResolveInput!) { transactionDisputeResolve(input: $input) { status disputeOutcome } }',
    variables: async (shop) => ({ input: { id: (await createDispute(shop)).id, outcome: 'won' } }),
  },
  emails: {
    because: more,
    text: 'query ($id: String) { emails(customerId: $id, kind: receipt, status: sent, first: 5) { edges { node { id kind subject customer { id } event { id } } } } }',
    variables: async (shop) => ({ id: (await createCustomer(shop)).id }),
  },
  webhookDeliveries: {
    because: more,
    text: 'query ($id: ID!) { webhookDeliveries(webhookId: $id, status: failed, first: 5) { edges { node { id status webhook { url } } } } }',
    variables: async (shop) => ({ id: (await createDelivery(shop)).webhookId }),
  },
  webhookDeliveryResend: {
    because: more,
    text: 'mutation ($input: WebhookDeliveryResendInput!) { webhookDeliveryResend(input: $input) { id status } }',
    variables: async (shop) => ({ input: { id: (await createDelivery(shop)).id } }),
  },
  eventStream: {
    because: live,
    text: 'subscription { eventStream(afterPosition: 0) { id event } }',
    variables: none,
  },
  eventDigest: {
    because: live,
    text: 'subscription { eventDigest(everyMs: 100, afterPosition: 0) { toPosition counts { event count } customerIds } }',
    variables: none,
  },
  transactionChanged: {
    because: live,
    text: 'subscription ($id: ID!) { transactionChanged(customerId: $id, statuses: [succeeded]) { id status } }',
    variables: async (shop) => ({ id: (await createActiveSubscription(shop)).customerId }),
  },
  payoutChanged: {
    because: live,
    text: 'subscription { payoutChanged { id status } }',
    variables: async (shop) => {
      await createPayout(shop);
      return {};
    },
  },
  webhookDeliveryChanged: {
    because: live,
    text: 'subscription ($id: ID!) { webhookDeliveryChanged(webhookId: $id) { id status } }',
    variables: async (shop) => ({ id: (await createDelivery(shop)).webhookId }),
  },
  testClockChanged: {
    because: live,
    text: 'subscription { testClockChanged { isActive latestRun { id progress } } }',
    variables: none,
  },
  invoiceChanged: {
    because: live,
    text: 'subscription ($id: ID!) { invoiceChanged(customerId: $id) { id } }',
    variables: async (shop) => ({ id: (await createActiveSubscription(shop)).customerId }),
  },
  featureAccessChanged: {
    because: live,
    text: 'subscription ($id: ID!) { featureAccessChanged(customerId: $id) { ... on UsageFeatureAccess { code allowed } } }',
    variables: async (shop) => ({ id: (await createConsumer(shop)).customerId }),
  },
  subscriptionChanged: {
    because: live,
    text: 'subscription ($id: ID!) { subscriptionChanged(id: $id) { id status } }',
    variables: async (shop) => ({ id: (await createActiveSubscription(shop)).id }),
  },
  testClockRunProgress: {
    because: live,
    text: 'subscription ($id: ID!) { testClockRunProgress(id: $id) { id status } }',
    variables: startRun,
  },
};

/** A root field of the schema, with what a test needs to call it through each door it has. */
export type RootField = {
  readonly name: string;
  readonly kind: 'query' | 'mutation' | 'live';
  readonly access: Access;
  readonly route: (typeof routes)[number] | null;
  readonly make: (shop: Shop) => Promise<{ readonly request: Request | null; readonly operation: Operation }>;
};

const kinds = [
  ['query', schema.getQueryType()],
  ['mutation', schema.getMutationType()],
  ['live', schema.getSubscriptionType()],
] as const;

/** All root fields of the schema. Throws for one that is neither routed nor listed, or that does not say who may call it. */
export const rootFields: readonly RootField[] = kinds.flatMap(([kind, type]) =>
  Object.values(type?.getFields() ?? {}).map(({ name, extensions }): RootField => {
    const { access } = extensions as { access?: Access };
    const route = routes.find((candidate) => candidate.field.name === name) ?? null;
    const listed = unrouted[name];
    if (access === undefined || (route === null && listed === undefined))
      throw new Error(`${name} cannot be called by a test.`);
    const make: RootField['make'] = async (shop) => {
      if (route === null)
        return {
          request: null,
          operation: { text: listed?.text ?? '', variables: (await listed?.variables(shop)) ?? {} },
        };
      const request = await requests[`${route.method} ${route.path}`]?.(shop);
      if (request === undefined) throw new Error(`No request for ${name} is known.`);
      return { request, operation: { text: textOf(route), variables: variablesFor(route, request) } };
    };
    return { name, kind, access, route, make };
  }),
);
