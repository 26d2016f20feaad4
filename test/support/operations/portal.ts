import { createBalanceConsumer, createCreditsConsumer } from '../consumers.ts';
import {
  activateAddon,
  attachFeature,
  cards,
  createActiveSubscription,
  createAddon,
  createCreditPack,
  createCustomer,
  createDebit,
  createFeature,
  createOffer,
  createPastDueSubscription,
  createPlanGroup,
  createPrice,
  createPricedPlan,
  latestInvoice,
  nameRetentionOffer,
  openPortal,
  pay,
  payment,
  type Shop,
  subscribeTo,
} from '../factories.ts';
import { reasons } from './shared.ts';
import type { MakeVariables, ModuleOperations } from './types.ts';

/** Opens a portal session for a customer with an active subscription. */
const openSession: MakeVariables = async (shop) => ({
  token: await openPortal(shop, (await createActiveSubscription(shop)).customerId),
});

/** Opens a portal session for a customer with a limit on their own usage. */
async function openCap(shop: Shop): Promise<{ token: string; limitId: string }> {
  const token = await openPortal(shop, (await createActiveSubscription(shop)).customerId);
  const { portalLimitSet } = await shop.t.graphql<{
    portalLimitSet: { limits: readonly { limitId: string }[] };
  }>(
    'mutation ($input: PortalLimitSetInput!) { portalLimitSet(input: $input) { limits { limitId } } }',
    { input: { token, measure: 'spend', amount: 2_500 } },
    { key: null },
  );
  return { token, limitId: portalLimitSet.limits[0]?.limitId ?? '' };
}

/** Returns variables with a page token for a new, paid invoice. */
const hostedToken: MakeVariables = async (shop) => {
  const { id } = await createActiveSubscription(shop);
  const { invoice } = await shop.t.graphql<{ invoice: { hostedUrl: string } }>(
    'query ($id: ID!) { invoice(id: $id) { hostedUrl } }',
    { id: await latestInvoice(shop, id) },
    { key: shop.key },
  );
  return { token: invoice.hostedUrl.split('/').at(-1) };
};

/** Returns card details as a payer would enter them. */
const card = (number: string = cards.pays) => ({ number, expMonth: 12, expYear: 2099, cvc: '123' });

const autoTopUp = {
  threshold: 50_000,
  amount: 2_000,
  maxPerMonth: 5,
  maxAmountPerMonth: 20_000,
  statement: 'I agree.',
  language: 'en',
};

export const operations: ModuleOperations = {
  requests: {
    'POST /portal/sessions': async (shop) => ({
      body: { customerId: (await createCustomer(shop)).externalId, returnUrl: 'https://shop.test/account' },
    }),
  },
  provocations: {
    'POST /portal/sessions': { customer_not_found: async () => ({ body: { email: 'nobody@shop.test' } }) },
  },
  unrouted: {
    hostedInvoice: {
      because: reasons.portalPage,
      text: 'query ($token: String!) { hostedInvoice(token: $token) { invoice { invoiceNumber } } }',
      variables: hostedToken,
    },
    hostedInvoiceChanged: {
      because: reasons.live,
      text: 'subscription ($token: String!) { hostedInvoiceChanged(token: $token) { livemode } }',
      variables: hostedToken,
    },
    portalLogin: {
      because: reasons.portalPage,
      text: '{ portalLogin(slug: "no-such-shop") { locale } }',
      variables: async () => ({}),
    },
    portal: {
      because: reasons.portalPage,
      text: 'query ($token: String) { portal(token: $token) { customer { email } subscription { name } } }',
      variables: openSession,
    },
    portalPreview: {
      because: reasons.portalPage,
      text: 'query ($token: String, $action: PortalActionInput!) { portalPreview(token: $token, action: $action) { amountDue } }',
      variables: async (shop) => ({ ...(await openSession(shop)), action: { cancel: {} } }),
    },
    portalCustomerUpdate: {
      because: reasons.portalPage,
      text: 'mutation ($input: PortalCustomerUpdateInput!) { portalCustomerUpdate(input: $input) { fullName } }',
      variables: async (shop) => ({ input: { ...(await openSession(shop)), fullName: 'Ada Lovelace' } }),
    },
    portalAddonActivate: {
      because: reasons.portalPage,
      text: 'mutation ($input: PortalAddonActivateInput!) { portalAddonActivate(input: $input) { addons { name } } }',
      variables: async (shop) => ({
        input: { ...(await openSession(shop)), addonId: (await createAddon(shop)).id },
      }),
    },
    portalAddonDeactivate: {
      because: reasons.portalPage,
      text: 'mutation ($input: PortalAddonDeactivateInput!) { portalAddonDeactivate(input: $input) { addons { name } } }',
      variables: async (shop) => {
        const { id, customerId } = await createActiveSubscription(shop);
        const addon = await createAddon(shop);
        await activateAddon(shop, id, addon.id);
        return { input: { token: await openPortal(shop, customerId), addonId: addon.id } };
      },
    },
    portalBalanceTopUp: {
      because: reasons.portalPage,
      text: 'mutation ($input: PortalBalanceTopUpInput!) { portalBalanceTopUp(input: $input) { balance { remaining } } }',
      variables: async (shop) => ({
        input: { token: await openPortal(shop, (await createBalanceConsumer(shop)).customerId), amount: 700 },
      }),
    },
    portalAutoTopUpSet: {
      because: reasons.portalPage,
      text: 'mutation ($input: PortalAutoTopUpSetInput!) { portalAutoTopUpSet(input: $input) { autoTopUps { status } } }',
      variables: async (shop) => ({
        input: {
          token: await openPortal(shop, (await createBalanceConsumer(shop)).customerId),
          asset: 'usd',
          ...autoTopUp,
        },
      }),
    },
    portalAutoTopUpRemove: {
      because: reasons.portalPage,
      text: 'mutation ($input: PortalAutoTopUpRemoveInput!) { portalAutoTopUpRemove(input: $input) { autoTopUps { status } } }',
      variables: async (shop) => {
        const { customerId } = await createBalanceConsumer(shop);
        await shop.rest('PUT', `/customers/${customerId}/auto-top-up`, {
          threshold: 50_000,
          refill: { amount: 2_000 },
          maxAmountPerMonth: 20_000,
          consentReference: 'contract-7',
        });
        return { input: { token: await openPortal(shop, customerId), asset: 'usd' } };
      },
    },
    portalUsageLimits: {
      because: reasons.portalPage,
      text: 'query ($token: String) { portalUsageLimits(token: $token) { limits { setBy } } }',
      variables: openSession,
    },
    portalLimitSet: {
      because: reasons.portalPage,
      text: 'mutation ($input: PortalLimitSetInput!) { portalLimitSet(input: $input) { limits { amount } } }',
      variables: async (shop) => ({
        input: { ...(await openSession(shop)), measure: 'spend', amount: 2_500 },
      }),
    },
    portalLimitRaise: {
      because: reasons.portalPage,
      text: 'mutation ($input: PortalLimitRaiseInput!) { portalLimitRaise(input: $input) { limits { raise } } }',
      variables: async (shop) => ({ input: { ...(await openCap(shop)), amount: 1_000 } }),
    },
    portalLimitRemove: {
      because: reasons.portalPage,
      text: 'mutation ($input: PortalLimitRemoveInput!) { portalLimitRemove(input: $input) { limits { setBy } } }',
      variables: async (shop) => ({ input: await openCap(shop) }),
    },
    portalCreditsPurchase: {
      because: reasons.portalPage,
      text: 'mutation ($input: PortalCreditsPurchaseInput!) { portalCreditsPurchase(input: $input) { credits { remaining } } }',
      variables: async (shop) => {
        const { customerId } = await createCreditsConsumer(shop);
        return {
          input: {
            token: await openPortal(shop, customerId),
            creditPackId: (await createCreditPack(shop)).id,
          },
        };
      },
    },
    portalPaymentMethodStore: {
      because: reasons.portalPage,
      text: 'mutation ($input: PortalPaymentMethodStoreInput!) { portalPaymentMethodStore(input: $input) { paymentMethod { last4 } } }',
      variables: async (shop) => ({ input: { ...(await openSession(shop)), card: card() } }),
    },
    portalRetentionOfferAccept: {
      because: reasons.portalPage,
      text: 'mutation ($input: PortalRetentionOfferAcceptInput!) { portalRetentionOfferAccept(input: $input) { nextBillingDate } }',
      variables: async (shop) => {
        const { token } = await openSession(shop);
        await nameRetentionOffer(shop, (await createOffer(shop)).id);
        type Shown = { portal: { subscription: { retentionOffer: { key: string } } } };
        const { portal } = await shop.t.graphql<Shown>(
          'query ($token: String) { portal(token: $token) { subscription { retentionOffer { key } } } }',
          { token },
          { key: null },
        );
        return { input: { token, key: portal.subscription.retentionOffer.key } };
      },
    },
    portalPaymentMethodDefaultSet: {
      because: reasons.portalPage,
      text: 'mutation ($input: PortalPaymentMethodDefaultSetInput!) { portalPaymentMethodDefaultSet(input: $input) { paymentMethod { last4 } } }',
      variables: async (shop) => {
        const { token } = await openSession(shop);
        const cards = await shop.t.graphql<{ portal: { paymentMethods: { paymentMethodId: string }[] } }>(
          'query ($token: String) { portal(token: $token) { paymentMethods { paymentMethodId } } }',
          { token },
          { key: null },
        );
        return { input: { token, paymentMethodId: cards.portal.paymentMethods[0]?.paymentMethodId } };
      },
    },
    portalPaymentMethodRemove: {
      because: reasons.portalPage,
      text: 'mutation ($input: PortalPaymentMethodRemoveInput!) { portalPaymentMethodRemove(input: $input) { paymentMethods { last4 } } }',
      variables: async (shop) => {
        const { token } = await openSession(shop);
        await shop.t.graphql(
          'mutation ($input: PortalPaymentMethodStoreInput!) { portalPaymentMethodStore(input: $input) { status } }',
          { input: { token, card: card() } },
          { key: null },
        );
        const cards = await shop.t.graphql<{ portal: { paymentMethods: { paymentMethodId: string }[] } }>(
          'query ($token: String) { portal(token: $token) { paymentMethods { paymentMethodId } } }',
          { token },
          { key: null },
        );
        return { input: { token, paymentMethodId: cards.portal.paymentMethods.at(-1)?.paymentMethodId } };
      },
    },
    portalMandateRevoke: {
      because: reasons.portalPage,
      text: 'mutation ($input: PortalMandateRevokeInput!) { portalMandateRevoke(input: $input) { paymentMethods { last4 mandate { isActive } } } }',
      variables: async (shop) => {
        const { customerId, mandateId } = await createDebit(shop);
        return { input: { token: await openPortal(shop, customerId), mandateId } };
      },
    },
    portalSeatsSet: {
      because: reasons.portalPage,
      text: 'mutation ($input: PortalSeatsSetInput!) { portalSeatsSet(input: $input) { status } }',
      variables: async (shop) => {
        const feature = await createFeature(shop);
        const plan = await createPricedPlan(shop);
        await attachFeature(shop, plan.id, feature.id, { includedAmount: 5 });
        const { id: customerId } = await createCustomer(shop);
        const { token } = await subscribeTo(shop, customerId, plan.id);
        await pay(shop, token);
        await shop.t.settings({ portal: { seats: true } }, shop.environmentId);
        return { input: { token: await openPortal(shop, customerId), featureCode: feature.code, count: 2 } };
      },
    },
    portalCardAuthenticate: {
      because: reasons.portalPage,
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
      because: reasons.portalPage,
      text: 'mutation ($input: PortalPaymentRetryInput!) { portalPaymentRetry(input: $input) { status } }',
      variables: async (shop) => {
        const { customerId } = await createPastDueSubscription(shop);
        return { input: { token: await openPortal(shop, customerId), card: card() } };
      },
    },
    portalSubscriptionReactivate: {
      because: reasons.portalPage,
      text: 'mutation ($input: PortalSubscriptionReactivateInput!) { portalSubscriptionReactivate(input: $input) { status } }',
      variables: async (shop) => {
        const { id, customerId } = await createActiveSubscription(shop);
        await shop.rest('POST', `/subscriptions/${id}/cancel`, { immediate: true });
        return { input: { token: await openPortal(shop, customerId) } };
      },
    },
    portalPlanChange: {
      because: reasons.portalPage,
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
      because: reasons.portalPage,
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
      because: reasons.live,
      text: 'subscription ($token: String) { portalInvoiceChanged(token: $token) { invoiceId } }',
      variables: openSession,
    },
    portalSubscriptionCancel: {
      because: reasons.portalPage,
      text: 'mutation ($input: PortalSubscriptionCancelInput!) { portalSubscriptionCancel(input: $input) { status } }',
      variables: async (shop) => ({ input: await openSession(shop) }),
    },
    portalSubscriptionChanged: {
      because: reasons.live,
      text: 'subscription ($token: String) { portalSubscriptionChanged(token: $token) { status } }',
      variables: openSession,
    },
    portalSubscriptionUncancel: {
      because: reasons.portalPage,
      text: 'mutation ($input: PortalSubscriptionUncancelInput!) { portalSubscriptionUncancel(input: $input) { status } }',
      variables: async (shop) => {
        const { id, customerId } = await createActiveSubscription(shop);
        await shop.rest('POST', `/subscriptions/${id}/cancel`, {});
        return { input: { token: await openPortal(shop, customerId) } };
      },
    },
  },
};
