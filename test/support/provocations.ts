import {
  createBalanceConsumer,
  createConsumer,
  createCounter,
  createCreditsConsumer,
  createUnratedConsumer,
  of,
} from './consumers.ts';
import {
  activateAddon,
  attachFeature,
  cards,
  createActiveSubscription,
  createAddon,
  createClimber,
  createCreditPack,
  createCustomer,
  createFeature,
  createLadder,
  createMarket,
  createOffer,
  createPayer,
  createPlan,
  createPlanGroup,
  createPrice,
  createPricedPlan,
  createPromoCode,
  createSubscription,
  latestInvoice,
  latestTransaction,
  off,
  pay,
  requested,
  type Shop,
  setCurrency,
  subscribeTo,
} from './factories.ts';
import { createGrantable, createGranted, type Grantable, grantBody } from './plan-grants.ts';
import type { MakeRequest, Request } from './requests.ts';
import { makeUntaxable } from './taxes.ts';

// One way into each documented rejection that belongs to an operation. Those every operation shares are provoked in the test itself.

/** Why a documented code cannot be raised yet. */
export type Unreachable = { readonly because: string };

/** By operation, then by code: the request that meets it, or the reason why none does. */
export type Provocations = Readonly<Record<string, Readonly<Record<string, MakeRequest | Unreachable>>>>;

const noId =
  (path: Readonly<Record<string, string>>, body?: Request['body']): MakeRequest =>
  async () => ({ path, ...(body === undefined ? {} : { body }) });

const fault = {
  because: 'Stands for a fault of ours that has no better code; faults answer internal_error.',
};
const ofOrganization = {
  because: 'A state of the whole organization; provoked in the tests of provisioning.',
};
const noSlowGateway = {
  because: 'The sandbox gateway answers immediately; a charge stays open with a remote processor only.',
};
const noPortal = { because: 'Only the portal hides plans; provoked in the tests of the portal.' };

/** A new customer whose tax cannot be worked out. */
const createUntaxable = async (shop: Shop): Promise<string> =>
  makeUntaxable(shop, (await createCustomer(shop)).id);

/** A customer's subscription, once the customer's tax can no longer be worked out. */
async function untaxed(
  shop: Shop,
  { id, customerId }: { readonly id: string; readonly customerId: string },
): Promise<Request> {
  await makeUntaxable(shop, customerId);
  return { path: { id } };
}

/** A creation for a new customer with these choices on a paid plan. */
const creation =
  (choices: Readonly<Record<string, unknown>>): MakeRequest =>
  async (shop) => {
    const [plan, customer] = [await createPricedPlan(shop), await createCustomer(shop)];
    return { body: { customerId: customer.id, planId: plan.id, ...choices } };
  };

/** A creation that asks for seats of a feature; `attach` decides whether the plan contains it. */
const seats =
  (attach: boolean): MakeRequest =>
  async (shop) => {
    const [plan, customer, feature] = [
      await createPricedPlan(shop),
      await createCustomer(shop),
      await createFeature(shop),
    ];
    if (attach) await attachFeature(shop, plan.id, feature.id, { includedAmount: 3 });
    return { body: { customerId: customer.id, planId: plan.id, initialSeats: { [feature.code]: 4 } } };
  };

async function canceled(shop: Shop): Promise<Request> {
  const { id } = await createActiveSubscription(shop);
  await shop.rest('POST', `/subscriptions/${id}/cancel`, { immediate: true });
  return { path: { id } };
}

async function scheduled(shop: Shop): Promise<Request> {
  const { id } = await createActiveSubscription(shop);
  await shop.rest('POST', `/subscriptions/${id}/cancel`, {});
  return { path: { id } };
}

/** A plan with a price that has an amount for a market; `overridden` adds a variant that overrides it. */
async function marketPriced(shop: Shop, overridden: boolean) {
  const market = await createMarket(shop);
  const plan = await createPricedPlan(shop, {
    marketPrices: [{ marketGroupId: market.id, currency: 'eur', price: 100 }],
  });
  const body = { price: undefined, inheritsFromPriceId: plan.priceId };
  const marketPrices = [{ marketGroupId: market.id, currency: 'eur', price: 90 }];
  if (overridden) await createPrice(shop, plan.id, { ...body, marketPrices });
  return { marketId: market.id, id: plan.id, priceId: plan.priceId };
}

/** A creation in a currency in which the plan's seats have no unit price. */
async function unpricedSeats(shop: Shop): Promise<Request> {
  const [plan, feature, market] = [
    await createPlan(shop),
    await createFeature(shop),
    await createMarket(shop),
  ];
  await createPrice(shop, plan.id, {
    marketPrices: [{ marketGroupId: market.id, currency: 'eur', price: 100 }],
  });
  await attachFeature(shop, plan.id, feature.id, { overage: { enabled: true, unitPrice: 10_000 } });
  const customer = await createCustomer(shop, market.countryCodes[0]);
  return { body: { customerId: customer.id, planId: plan.id, initialSeats: { [feature.code]: 2 } } };
}

const rateBody = { currency: 'eur', exchangeRate: 0.92 };
const priceBody = { price: 100 };
const variant = {
  billingInterval: 'monthly',
  marketPrices: [{ marketGroupId: 'pmg_none', currency: 'eur', price: 100 }],
};
const market = { marketPrices: [{ marketGroupId: 'pmg_none', currency: 'eur', price: 100 }] };

/** A consumer whose balance is in a currency that its feature has no unit price in. */
const unpricedUnits = async (shop: Shop): Promise<Request> => ({
  body: of(
    await createUnratedConsumer(
      shop,
      { consumptionModel: 'balance' },
      { pricingMode: 'fixed', overage: { unitPrice: 50 } },
    ),
  ),
});

/** A subscription to a free plan of a customer who has never paid. */
const freeOn = async (shop: Shop, consumptionModel: string): Promise<string> =>
  (await createConsumer(shop, { plan: { isFree: true, consumptionModel }, terms: {}, type: 'seats' }))
    .subscriptionId;

/** An active subscription, and an add-on it does not have. */
const withAddon = async (shop: Shop) => ({
  id: (await createActiveSubscription(shop)).id,
  addonId: (await createAddon(shop)).id,
});

/** What asks for a grant, changed as told. */
const grantOf = (made: Grantable, changes: object = {}): Request => ({
  path: { id: made.customerId },
  body: { ...grantBody(made), ...changes },
});

const openEnded = { reason: 'None.', duration: 'until_revoked' };

/** A purchase of a new credit pack. */
const pack = async (shop: Shop, id: string): Promise<Request> => ({
  path: { id },
  body: { creditPackId: (await createCreditPack(shop)).id },
});

/** The rejections a plan change and its preview share, which call plan and interval by other names. */
const changes = (plan: string, interval: string): Record<string, MakeRequest> => ({
  subscription_not_found: noId({ id: 'sub_none' }, { [plan]: 'pln_none' }),
  subscription_not_active: async (shop) => ({ ...(await canceled(shop)), body: { [plan]: 'pln_none' } }),
  subscription_has_open_dispute: async (shop) => {
    const { id, highId } = await createClimber(shop, '4000000000000259');
    return { path: { id }, body: { [plan]: highId } };
  },
  already_scheduled: async (shop) => ({ ...(await scheduled(shop)), body: { [plan]: 'pln_none' } }),
  plan_not_found: async (shop) => ({
    path: { id: (await createClimber(shop)).id },
    body: { [plan]: 'pln_none' },
  }),
  no_change_requested: async (shop) => {
    const { id, lowId } = await createClimber(shop);
    return { path: { id }, body: { [plan]: lowId } };
  },
  plans_not_in_same_group: async (shop) => ({
    path: { id: (await createClimber(shop)).id },
    body: { [plan]: (await createPricedPlan(shop)).id },
  }),
  free_plan_change_not_supported: async (shop) => {
    const { id, freeId } = await createClimber(shop);
    return { path: { id }, body: { [plan]: freeId, [interval]: 'monthly' } };
  },
  no_prices_configured: async (shop) => {
    const { id: planGroupId } = await createPlanGroup(shop);
    const plans = [await createPlan(shop, { planGroupId }), await createPlan(shop, { planGroupId })];
    await createPrice(shop, plans[0]?.id ?? '');
    const { id, token } = await subscribeTo(shop, (await createCustomer(shop)).id, plans[0]?.id ?? '');
    await pay(shop, token);
    return { path: { id }, body: { [plan]: plans[1]?.id } };
  },
  price_not_found: async (shop) => {
    const { id, highId } = await createClimber(shop);
    return { path: { id }, body: { [plan]: highId, [interval]: 'weekly' } };
  },
  missing_regional_price: async (shop) => {
    const { subscriptionId, planId } = await createUnratedConsumer(shop, {});
    await createPrice(shop, planId, { billingInterval: 'yearly', price: 49_000 });
    return { path: { id: subscriptionId }, body: { [plan]: planId, [interval]: 'yearly' } };
  },
  offer_not_found: async (shop) => {
    const { id, highId } = await createClimber(shop);
    return { path: { id }, body: { [plan]: highId, offerId: 'ofr_none' } };
  },
  offer_not_applicable: async (shop) => {
    const { id, highId } = await createClimber(shop);
    return { path: { id }, body: { [plan]: highId, offerId: (await createOffer(shop, [off.trial(5)])).id } };
  },
  seat_limit_exceeded: async (shop) => {
    const { id, highId, lowId, customerId } = await createClimber(shop);
    const { id: featureId, code: featureCode } = await createFeature(shop);
    await attachFeature(shop, lowId, featureId, { includedAmount: 5 });
    await attachFeature(shop, highId, featureId, { includedAmount: 2 });
    await shop.rest('POST', '/seats', { customerId, featureCode, count: 3 });
    return { path: { id }, body: { [plan]: highId } };
  },
});

/** The rejections of everything that names a consumer and a usage feature. `body` is what else the operation needs. */
const consumerRejections = (body: Request['body'] = {}) => ({
  customer_not_found: async () => ({ body: { customerId: 'cus_none', featureCode: 'none', ...body } }),
  no_active_subscription: async (shop: Shop) => ({
    body: { customerId: (await createCustomer(shop)).id, featureCode: 'none', ...body },
  }),
  feature_not_found: async (shop: Shop) => ({
    body: { customerId: (await createConsumer(shop)).customerId, featureCode: 'none', ...body },
  }),
  feature_not_in_plan: async (shop: Shop) => {
    const [{ customerId }, { code }] = [await createConsumer(shop), await createFeature(shop, 'usage')];
    return { body: { customerId, featureCode: code, ...body } };
  },
  feature_disabled: async (shop: Shop) => ({
    body: { ...of(await createConsumer(shop, { terms: { enabled: false } })), ...body },
  }),
});

/** How an operation names a customer and a feature. */
type Naming = (customerId: string, featureCode: string) => Request;

const inQuery: Naming = (customerId, featureCode) => ({ query: { customerId, featureCode } });
const inBody: Naming = (customerId, featureCode) => ({ body: { customerId, featureCode, count: 1 } });
const inMap: Naming = (customerId, featureCode) => ({ body: { customerId, seats: { [featureCode]: 1 } } });

/** The rejections of everything that names a customer and a countable feature. */
const counterRejections = (type: 'seats' | 'quota', naming: Naming) => ({
  customer_not_found: async () => naming('cus_none', 'none'),
  no_active_subscription: async (shop: Shop) => naming((await createCustomer(shop)).id, 'none'),
  feature_not_found: async (shop: Shop) => naming((await createCounter(shop, type)).customerId, 'none'),
});

/** Those and the ones of a change. */
const countRejections = (type: 'seats' | 'quota', naming: Naming) => ({
  ...counterRejections(type, naming),
  feature_not_in_plan: async (shop: Shop) =>
    naming((await createCounter(shop, type)).customerId, (await createFeature(shop, type)).code),
  feature_disabled: async (shop: Shop) => {
    const { customerId, feature } = await createCounter(shop, type, { enabled: false });
    return naming(customerId, feature.code);
  },
});

/** A change to 1 where none is included and none is sold. */
const overLimit =
  (type: 'seats' | 'quota', naming: Naming): MakeRequest =>
  async (shop) => {
    const { customerId, feature } = await createCounter(shop, type, {
      includedAmount: 0,
      overage: { enabled: false },
    });
    return naming(customerId, feature.code);
  };

/** A consumer that has used up its units, which has been told: a rejection leaves no trace from then on. */
async function atLimit(shop: Shop) {
  const consumer = of(await createConsumer(shop, { terms: { includedAmount: 3 } }));
  await shop.rest('POST', '/usage/events', { ...consumer, value: 3 });
  return consumer;
}

export const provocations: Provocations = {
  'GET /active-addons': {
    customer_not_found: async () => ({ query: { customerId: 'cus_none' } }),
    no_active_subscription: async (shop) => ({ query: { customerId: (await createCustomer(shop)).id } }),
  },
  'POST /addons': {
    feature_not_found: noId(
      {},
      { name: 'None', basePrice: 100, featureId: 'ftr_none', consumptionModel: 'boolean' },
    ),
    feature_already_exists: async (shop) => {
      const { id: featureId } = await createFeature(shop);
      await createAddon(shop, { featureId });
      return { body: { name: shop.next('addon'), basePrice: 100, featureId, consumptionModel: 'boolean' } };
    },
    duplicate: async (shop) => {
      const { name } = await createAddon(shop);
      return {
        body: {
          name,
          basePrice: 100,
          featureId: (await createFeature(shop)).id,
          consumptionModel: 'boolean',
        },
      };
    },
  },
  'GET /addons/{id}': { addon_not_found: noId({ id: 'adn_none' }) },
  'PATCH /addons/{id}': { addon_not_found: noId({ id: 'adn_none' }, { name: 'None' }) },
  'DELETE /addons/{id}': {
    addon_not_found: noId({ id: 'adn_none' }),
    addon_has_activations: async (shop) => {
      const { id } = await createAddon(shop);
      await activateAddon(shop, (await createActiveSubscription(shop)).id, id);
      return { path: { id } };
    },
  },
  'DELETE /api-keys/{id}': { api_key_not_found: noId({ id: 'key_none' }) },
  'POST /claim-link': {
    claim_not_pending: ofOrganization,
    organization_already_claimed: ofOrganization,
  },
  'POST /credit-packs': {
    duplicate: async (shop) => ({
      body: { name: (await createCreditPack(shop)).name, credits: 5, price: 100 },
    }),
  },
  'PATCH /credit-packs/{id}': {
    credit_pack_not_found: noId({ id: 'cpk_none' }, { isActive: false }),
    duplicate: async (shop) => {
      const [pack, other] = [await createCreditPack(shop), await createCreditPack(shop)];
      return { path: { id: pack.id }, body: { name: other.name } };
    },
  },
  'DELETE /credit-packs/{id}': { credit_pack_not_found: noId({ id: 'cpk_none' }) },
  'GET /customers/{id}': { customer_not_found: noId({ id: 'cus_none' }) },
  'PATCH /customers/{id}': {
    customer_not_found: noId({ id: 'cus_none' }, { fullName: 'Nobody' }),
    duplicate: async (shop) => {
      const [customer, other] = [await createCustomer(shop), await createCustomer(shop)];
      return { path: { id: customer.id }, body: { externalId: other.externalId } };
    },
  },
  'GET /customers/{id}/credits': { customer_not_found: noId({ id: 'cus_none' }) },
  'POST /customers/{id}/credits': {
    customer_not_found: noId({ id: 'cus_none' }, { amount: 100, currency: 'usd', reason: 'None.' }),
  },
  'POST /customers/{id}/credits/{creditId}/revoke': {
    customer_not_found: noId({ id: 'cus_none', creditId: 'crd_none' }),
    not_found: async (shop) => ({ path: { id: (await createCustomer(shop)).id, creditId: 'crd_none' } }),
  },
  'GET /customers/{id}/plan-grants': { customer_not_found: noId({ id: 'cus_none' }) },
  'POST /customers/{id}/plan-grants': {
    customer_not_found: noId(
      { id: 'cus_none' },
      grantBody({ subscriptionId: 'sub_none', planId: 'pln_none' }),
    ),
    subscription_not_found: async (shop) => ({
      path: { id: (await createCustomer(shop)).id },
      body: grantBody({ subscriptionId: (await createActiveSubscription(shop)).id, planId: 'pln_none' }),
    }),
    plan_not_found: async (shop) => grantOf(await createGrantable(shop), { planId: 'pln_none' }),
    plans_not_in_same_group: async (shop) =>
      grantOf(await createGrantable(shop), { planId: (await createPlanGroup(shop, 1)).planIds[0] }),
    duplicate: async (shop) => grantOf(await createGranted(shop)),
    subscription_not_active: async (shop) => {
      const { id: subscriptionId, customerId } = await createSubscription(shop);
      return { path: { id: customerId }, body: grantBody({ subscriptionId, planId: 'pln_none' }) };
    },
  },
  'PATCH /customers/{id}/plan-grants/{grantId}': {
    customer_not_found: noId({ id: 'cus_none', grantId: 'pgr_none' }, openEnded),
    not_found: async (shop) => ({
      path: { id: (await createCustomer(shop)).id, grantId: (await createGranted(shop)).grantId },
      body: openEnded,
    }),
  },
  'POST /customers/{id}/plan-grants/{grantId}/revoke': {
    customer_not_found: noId({ id: 'cus_none', grantId: 'pgr_none' }, { reason: 'None.' }),
    not_found: async (shop) => {
      const { customerId: id, grantId } = await createGranted(shop);
      await shop.rest('POST', `/customers/${id}/plan-grants/${grantId}/revoke`, { reason: 'None.' });
      return { path: { id, grantId }, body: { reason: 'None.' } };
    },
  },
  'GET /feature-access': {
    customer_not_found: async () => ({ query: { customerId: 'cus_none' } }),
    no_active_subscription: async (shop) => ({ query: { customerId: (await createCustomer(shop)).id } }),
  },
  'GET /feature-access/{code}': {
    customer_not_found: async () => ({ path: { code: 'none' }, query: { customerId: 'cus_none' } }),
    no_active_subscription: async (shop) => ({
      path: { code: 'none' },
      query: { customerId: (await createCustomer(shop)).id },
    }),
    feature_not_found: async (shop) => ({
      path: { code: 'none' },
      query: { customerId: (await createConsumer(shop)).customerId },
    }),
    feature_not_in_plan: async (shop) => {
      const [{ customerId }, { code }] = [await createConsumer(shop), await createFeature(shop, 'usage')];
      return { path: { code }, query: { customerId } };
    },
  },
  'POST /features': {
    feature_already_exists: async (shop) => ({
      body: { name: 'Another name', code: (await createFeature(shop)).code, type: 'seats' },
    }),
  },
  'GET /features/{code}': { feature_not_found: noId({ code: 'none' }) },
  'PATCH /features/{code}': {
    feature_not_found: noId({ code: 'none' }, { description: 'None.' }),
    feature_already_exists: async (shop) => {
      const [feature, other] = [await createFeature(shop), await createFeature(shop)];
      return { path: { code: feature.code }, body: { name: other.name } };
    },
  },
  'DELETE /features/{code}': {
    feature_not_found: noId({ code: 'none' }),
    feature_in_use: async (shop) => {
      const [plan, feature] = [await createPlan(shop), await createFeature(shop)];
      await attachFeature(shop, plan.id, feature.id);
      return { path: { code: feature.code } };
    },
  },
  'POST /invoices': {
    customer_not_found: noId({}, { customerId: 'cus_none', amount: 100, description: 'None.' }),
    payment_failed: async (shop) => ({
      body: { customerId: await createUntaxable(shop), amount: 100, description: 'None.' },
    }),
  },
  'GET /invoices/{id}': { invoice_not_found: noId({ id: 'inv_none' }) },
  'POST /invoices/{id}/download-links': { invoice_not_found: noId({ id: 'inv_none' }) },
  'POST /invoices/{id}/send': { invoice_not_found: noId({ id: 'inv_none' }) },
  'PATCH /invoices/{id}/status': { invoice_not_found: noId({ id: 'inv_none' }, { status: 'void' }) },
  'POST /markets': {
    duplicate: async (shop) => ({
      body: { name: 'Rival', countryCodes: (await createMarket(shop)).countryCodes },
    }),
  },
  'GET /markets/{id}': { market_not_found: noId({ id: 'pmg_none' }) },
  'PATCH /markets/{id}': {
    market_not_found: noId({ id: 'pmg_none' }, { name: 'None', countryCodes: ['AQ'] }),
    duplicate: async (shop) => ({
      path: { id: (await createMarket(shop)).id },
      body: { name: 'Rival', countryCodes: (await createMarket(shop)).countryCodes },
    }),
  },
  'DELETE /markets/{id}': {
    market_not_found: noId({ id: 'pmg_none' }),
    market_in_use: async (shop) => ({ path: { id: (await marketPriced(shop, false)).marketId } }),
  },
  'GET /offers/{id}': { offer_not_found: noId({ id: 'ofr_none' }) },
  'PATCH /offers/{id}': {
    offer_not_found: noId({ id: 'ofr_none' }, { name: 'None', phases: [off.percent(1)] }),
  },
  'DELETE /offers/{id}': { offer_not_found: noId({ id: 'ofr_none' }) },
  'GET /plan-groups/{id}': { plan_group_not_found: noId({ id: 'plg_none' }) },
  'PATCH /plan-groups/{id}': { plan_group_not_found: noId({ id: 'plg_none' }, { name: 'None' }) },
  'DELETE /plan-groups/{id}': { plan_group_not_found: noId({ id: 'plg_none' }) },
  'POST /plan-groups/{id}/plans': {
    plan_group_not_found: async (shop) => ({
      path: { id: 'plg_none' },
      body: { planId: (await createPlan(shop)).id },
    }),
    plan_not_found: async (shop) => ({
      path: { id: (await createPlanGroup(shop)).id },
      body: { planId: 'pln_none' },
    }),
    duplicate: async (shop) => {
      const [group, other] = [await createPlanGroup(shop), await createPlanGroup(shop, 1)];
      return { path: { id: group.id }, body: { planId: other.planIds[0] } };
    },
  },
  'DELETE /plan-groups/{id}/plans/{planId}': {
    plan_group_not_found: async (shop) => ({ path: { id: 'plg_none', planId: (await createPlan(shop)).id } }),
    plan_not_found: async (shop) => ({
      path: { id: (await createPlanGroup(shop, 1)).id, planId: (await createPlan(shop)).id },
    }),
  },
  'PUT /plan-groups/{id}/plans/reorder': { plan_group_not_found: noId({ id: 'plg_none' }, { planIds: [] }) },
  'POST /plans': {
    plan_group_not_found: async (shop) => ({
      body: { name: 'Grouped', code: shop.next('plan'), planGroupId: 'plg_none' },
    }),
    duplicate: async (shop) => ({ body: { name: 'Again', code: (await createPlan(shop)).code } }),
  },
  'GET /plans/{id}': { plan_not_found: noId({ id: 'pln_none' }) },
  'PATCH /plans/{id}': { plan_not_found: noId({ id: 'pln_none' }, { name: 'None' }) },
  'DELETE /plans/{id}': { plan_not_found: noId({ id: 'pln_none' }) },
  'POST /plans/{id}/features': {
    plan_not_found: async (shop) => ({
      path: { id: 'pln_none' },
      body: { featureId: (await createFeature(shop)).id },
    }),
    feature_not_found: async (shop) => ({
      path: { id: (await createPlan(shop)).id },
      body: { featureId: 'ftr_none' },
    }),
    feature_already_exists: async (shop) => {
      const [plan, feature] = [await createPlan(shop), await createFeature(shop)];
      await attachFeature(shop, plan.id, feature.id);
      return { path: { id: plan.id }, body: { featureId: feature.id } };
    },
    duplicate: {
      because: 'A feature attached twice is feature_already_exists; nothing else of an attachment is unique.',
    },
  },
  'PATCH /plans/{id}/features/{featureId}': {
    plan_not_found: async (shop) => ({
      path: { id: 'pln_none', featureId: (await createFeature(shop)).id },
      body: { enabled: true },
    }),
    feature_not_found: async (shop) => ({
      path: { id: (await createPlan(shop)).id, featureId: 'ftr_none' },
      body: { enabled: true },
    }),
    not_found: async (shop) => {
      const [plan, feature] = [await createPlan(shop), await createFeature(shop)];
      return { path: { id: plan.id, featureId: feature.id }, body: { enabled: true } };
    },
  },
  'DELETE /plans/{id}/features/{featureId}': {
    not_found: async (shop) => ({
      path: { id: (await createPlan(shop)).id, featureId: (await createFeature(shop)).id },
    }),
  },
  'POST /plans/{id}/prices': {
    plan_not_found: noId({ id: 'pln_none' }, { billingInterval: 'monthly', price: 100 }),
    price_not_found: async (shop) => ({
      path: { id: (await createPlan(shop)).id },
      body: { ...variant, inheritsFromPriceId: 'pp_none' },
    }),
    market_not_found: async (shop) => ({
      path: { id: (await createPlan(shop)).id },
      body: { billingInterval: 'monthly', price: 100, ...market },
    }),
    duplicate: async (shop) => ({
      path: { id: (await createPricedPlan(shop)).id },
      body: { billingInterval: 'monthly', price: 100 },
    }),
  },
  'PATCH /plans/{id}/prices/{priceId}': {
    plan_not_found: noId({ id: 'pln_none', priceId: 'pp_none' }, priceBody),
    price_not_found: async (shop) => ({
      path: { id: (await createPlan(shop)).id, priceId: 'pp_none' },
      body: priceBody,
    }),
    market_not_found: async (shop) => {
      const { id, priceId } = await createPricedPlan(shop);
      return { path: { id, priceId }, body: market };
    },
    price_in_use: async (shop) => {
      const { id, priceId } = await marketPriced(shop, true);
      return { path: { id, priceId }, body: { marketPrices: [] } };
    },
  },
  'DELETE /plans/{id}/prices/{priceId}': {
    plan_not_found: noId({ id: 'pln_none', priceId: 'pp_none' }),
    price_not_found: async (shop) => ({ path: { id: (await createPlan(shop)).id, priceId: 'pp_none' } }),
    price_in_use: async (shop) => {
      const { id, priceId } = await createPricedPlan(shop);
      await createPrice(shop, id, { billingInterval: 'yearly' });
      return { path: { id, priceId } };
    },
  },
  'PUT /plans/{id}/prices/{priceId}/default': {
    plan_not_found: noId({ id: 'pln_none', priceId: 'pp_none' }),
    price_not_found: async (shop) => ({ path: { id: (await createPlan(shop)).id, priceId: 'pp_none' } }),
  },
  'PUT /plans/{id}/prices/{priceId}/regional': {
    plan_not_found: noId({ id: 'pln_none', priceId: 'pp_none' }, { overrides: [] }),
    price_not_found: async (shop) => ({
      path: { id: (await createPlan(shop)).id, priceId: 'pp_none' },
      body: { overrides: [] },
    }),
  },
  'DELETE /plans/{id}/prices/{priceId}/regional': {
    plan_not_found: noId({ id: 'pln_none', priceId: 'pp_none' }),
    price_not_found: async (shop) => ({ path: { id: (await createPlan(shop)).id, priceId: 'pp_none' } }),
    price_in_use: async (shop) => {
      const { id, priceId } = await createPricedPlan(shop);
      await setCurrency(shop, id, 'brl', 5.43);
      const customer = await createCustomer(shop, 'BR');
      await pay(shop, (await subscribeTo(shop, customer.id, id)).token);
      return { path: { id, priceId } };
    },
  },
  'PUT /plans/{id}/regional': {
    plan_not_found: noId({ id: 'pln_none' }, rateBody),
    price_not_found: async (shop) => ({
      path: { id: (await createPlan(shop)).id },
      body: { ...rateBody, prices: [{ priceId: 'pp_none', price: 1 }] },
    }),
    feature_not_found: async (shop) => ({
      path: { id: (await createPlan(shop)).id },
      body: { ...rateBody, features: [{ featureId: 'ftr_none', overageUnitPrice: 1 }] },
    }),
  },
  'PUT /plans/{id}/visibility': { plan_not_found: noId({ id: 'pln_none' }, { isPublic: true }) },
  'POST /portal/sessions': { customer_not_found: async () => ({ body: { email: 'nobody@shop.test' } }) },
  'POST /promo-codes': {
    offer_not_found: async () => ({ body: { code: 'NONE', offerId: 'ofr_none' } }),
    offer_not_applicable: async (shop) => ({
      body: { code: 'NONE', offerId: (await createOffer(shop, [off.trial(3)])).id },
    }),
    plan_not_found: async (shop) => ({
      body: { code: 'NONE', offerId: (await createOffer(shop)).id, planIds: ['pln_none'] },
    }),
    duplicate: async (shop) => ({
      body: { code: (await createPromoCode(shop)).code.toLowerCase(), offerId: (await createOffer(shop)).id },
    }),
  },
  'GET /promo-codes/{id}': { promo_code_not_found: noId({ id: 'prc_none' }) },
  'PATCH /promo-codes/{id}': {
    promo_code_not_found: noId({ id: 'prc_none' }, { active: false }),
    plan_not_found: async (shop) => ({
      path: { id: (await createPromoCode(shop)).id },
      body: { planIds: ['pln_none'] },
    }),
  },
  'POST /seats': { ...countRejections('seats', inBody), included_limit_reached: overLimit('seats', inBody) },
  'PUT /seats': { ...countRejections('seats', inBody), included_limit_reached: overLimit('seats', inBody) },
  'GET /seats/balance': counterRejections('seats', inQuery),
  'GET /seats/balances': {
    customer_not_found: async () => ({ query: { customerId: 'cus_none' } }),
    no_active_subscription: async (shop) => ({ query: { customerId: (await createCustomer(shop)).id } }),
  },
  'PUT /seats/bulk': {
    ...countRejections('seats', inMap),
    included_limit_reached: overLimit('seats', inMap),
  },
  'POST /seats/remove': {
    ...countRejections('seats', inBody),
    insufficient_seats: async (shop) => ({ body: { ...of(await createCounter(shop, 'seats')), count: 1 } }),
  },
  'POST /subscriptions': {
    customer_not_found: creation({ customerId: 'cus_none' }),
    plan_not_found: creation({ planId: 'pln_none' }),
    price_not_found: creation({ priceId: 'pp_none' }),
    feature_not_found: creation({ initialSeats: { none: 1 } }),
    feature_not_in_plan: seats(false),
    included_limit_reached: seats(true),
    offer_not_found: creation({ offerId: 'ofr_none' }),
    offer_not_applicable: async (shop) => {
      const [plan, customer] = [await createPlan(shop, { isFree: true }), await createCustomer(shop)];
      return { body: { customerId: customer.id, planId: plan.id, offerId: 'ofr_none' } };
    },
    promo_code_not_found: creation({ promoCode: 'NONE' }),
    card_promotions_not_available: creation({ cardPromotionId: 'cpr_none' }),
    provider_unsupported: creation({ provider: 'dlocal' }),
    no_prices_configured: async (shop) => ({
      body: { customerId: (await createCustomer(shop)).id, planId: (await createPlan(shop)).id },
    }),
    already_has_active_subscription: async (shop) => {
      const { customerId, planId } = await createActiveSubscription(shop);
      return { body: { customerId, planId } };
    },
    missing_regional_price: unpricedSeats,
    promo_code_expired: async (shop) => {
      const { code } = await createPromoCode(shop, { expiresAt: '2001-01-01T00:00:00Z' });
      return creation({ promoCode: code })(shop);
    },
    plan_unavailable: noPortal,
    payment_failed: async (shop) => creation({ customerId: await createUntaxable(shop) })(shop),
    subscription_creation_failed: fault,
    subscription_activation_failed: fault,
  },
  'GET /subscriptions/active': { customer_not_found: async () => ({ query: { customerId: 'cus_none' } }) },
  'GET /subscriptions/{id}': { subscription_not_found: noId({ id: 'sub_none' }) },
  'POST /subscriptions/{id}/addons': {
    subscription_not_found: noId({ id: 'sub_none' }, { addonId: 'adn_none' }),
    subscription_not_active: async (shop) => ({ ...(await canceled(shop)), body: { addonId: 'adn_none' } }),
    addon_not_found: async (shop) => ({
      path: { id: (await createActiveSubscription(shop)).id },
      body: { addonId: 'adn_none' },
    }),
    addon_already_active: async (shop) => {
      const { id, addonId } = await withAddon(shop);
      await activateAddon(shop, id, addonId);
      return { path: { id }, body: { addonId } };
    },
    feature_already_exists: async (shop) => {
      const { subscriptionId: id, feature } = await createConsumer(shop, { type: 'boolean', terms: {} });
      return { path: { id }, body: { addonId: (await createAddon(shop, { featureId: feature.id })).id } };
    },
    missing_regional_price: async (shop) => ({
      path: { id: (await createUnratedConsumer(shop, {})).subscriptionId },
      body: { addonId: (await createAddon(shop)).id },
    }),
    no_payment_method: async (shop) => ({
      path: { id: await freeOn(shop, 'metered') },
      body: { addonId: (await createAddon(shop)).id },
    }),
    charge_in_progress: noSlowGateway,
    charge_failed: async (shop) => ({
      path: { id: (await createCreditsConsumer(shop, 0, 7, cards.declinesLater)).subscriptionId },
      body: { addonId: (await createAddon(shop)).id },
    }),
    payment_failed: async (shop) => ({
      ...(await untaxed(shop, await createActiveSubscription(shop))),
      body: { addonId: (await createAddon(shop)).id },
    }),
  },
  'DELETE /subscriptions/{id}/addons/{addonId}': {
    subscription_not_found: noId({ id: 'sub_none', addonId: 'adn_none' }),
    subscription_not_active: async (shop) => ({
      path: { ...(await canceled(shop)).path, addonId: 'adn_none' },
    }),
    addon_not_found: async (shop) => ({
      path: { id: (await createActiveSubscription(shop)).id, addonId: 'adn_none' },
    }),
    addon_not_active: async (shop) => ({ path: await withAddon(shop) }),
  },
  'POST /subscriptions/{id}/balance/adjust': {
    subscription_not_found: noId({ id: 'sub_none' }, { amount: 1 }),
    subscription_not_active: async (shop) => ({ ...(await canceled(shop)), body: { amount: 1 } }),
    insufficient_credits: async (shop) => ({
      path: { id: (await createCreditsConsumer(shop, 640)).subscriptionId },
      body: { amount: -641 },
    }),
    insufficient_balance: async (shop) => ({
      path: { id: (await createBalanceConsumer(shop, 420_000)).subscriptionId },
      body: { amount: -420_001 },
    }),
  },
  'POST /subscriptions/{id}/balance/topup': {
    subscription_not_found: noId({ id: 'sub_none' }, { amount: 1 }),
    subscription_not_active: async (shop) => ({ ...(await canceled(shop)), body: { amount: 1 } }),
    no_payment_method: async (shop) => ({
      path: { id: await freeOn(shop, 'balance') },
      body: { amount: 100 },
    }),
    charge_in_progress: noSlowGateway,
    charge_failed: async (shop) => ({
      path: { id: (await createBalanceConsumer(shop, 0, true, cards.declinesLater)).subscriptionId },
      body: { amount: 100 },
    }),
    payment_failed: async (shop) => {
      const { subscriptionId: id, customerId } = await createBalanceConsumer(shop, 0);
      return { ...(await untaxed(shop, { id, customerId })), body: { amount: 100 } };
    },
  },
  'POST /subscriptions/{id}/cancel': {
    subscription_not_found: noId({ id: 'sub_none' }),
    subscription_already_canceled: canceled,
    already_scheduled: scheduled,
    one_time_subscription_not_cancelable: async (shop) => ({
      path: { id: (await createActiveSubscription(shop, { billingInterval: 'one_time' })).id },
    }),
    charge_in_progress: noSlowGateway,
    subscription_cancel_failed: fault,
  },
  'POST /subscriptions/{id}/credits': {
    subscription_not_found: noId({ id: 'sub_none' }, { creditPackId: 'cpk_none' }),
    subscription_not_active: async (shop) => ({
      ...(await canceled(shop)),
      body: { creditPackId: 'cpk_none' },
    }),
    credit_pack_not_found: async (shop) => ({
      path: { id: (await createCreditsConsumer(shop)).subscriptionId },
      body: { creditPackId: 'cpk_none' },
    }),
    missing_regional_price: async (shop) =>
      pack(
        shop,
        (await createUnratedConsumer(shop, { consumptionModel: 'credits' }, { creditsPerUnit: 7 }))
          .subscriptionId,
      ),
    no_payment_method: async (shop) => pack(shop, await freeOn(shop, 'credits')),
    charge_in_progress: noSlowGateway,
    charge_failed: async (shop) =>
      pack(shop, (await createCreditsConsumer(shop, 0, 7, cards.declinesLater)).subscriptionId),
    payment_failed: async (shop) => {
      const { subscriptionId: id, customerId } = await createCreditsConsumer(shop);
      await makeUntaxable(shop, customerId);
      return pack(shop, id);
    },
  },
  'PUT /subscriptions/{id}/offer': {
    subscription_not_found: noId({ id: 'sub_none' }, { offerId: 'ofr_none' }),
    offer_not_found: async (shop) => ({
      path: { id: (await createActiveSubscription(shop)).id },
      body: { offerId: 'ofr_none' },
    }),
    offer_not_applicable: async (shop) => ({
      path: { id: (await createActiveSubscription(shop)).id },
      body: { offerId: (await createOffer(shop, [off.trial(5)])).id },
    }),
    invalid_subscription_status: async (shop) => ({
      ...(await canceled(shop)),
      body: { offerId: (await createOffer(shop)).id },
    }),
  },
  'POST /subscriptions/{id}/payment-method/update': {
    subscription_not_found: noId({ id: 'sub_none' }),
    invalid_subscription_status: canceled,
    provider_unsupported: { because: 'Every connection there is can store a method.' },
  },
  'POST /subscriptions/{id}/change-plan': {
    ...changes('newPlanId', 'newBillingInterval'),
    plan_unavailable: noPortal,
    no_payment_method: async (shop) => {
      const [ladder, customer] = [await createLadder(shop), await createCustomer(shop)];
      const { id } = await subscribeTo(shop, customer.id, ladder.lowId);
      await shop.rest('PATCH', `/invoices/${await latestInvoice(shop, id)}/status`, { status: 'paid' });
      return { path: { id }, body: { newPlanId: ladder.highId } };
    },
    charge_in_progress: noSlowGateway,
    charge_failed: {
      because: 'Voids its invoice, so it leaves a trace; provoked in the tests of plan changes.',
    },
    payment_failed: async (shop) => {
      const climber = await createClimber(shop);
      return { ...(await untaxed(shop, climber)), body: { newPlanId: climber.highId } };
    },
  },
  'POST /subscriptions/{id}/preview-change': {
    ...changes('planId', 'billingInterval'),
    plan_change_scheduled: async (shop) => {
      const { id, freeId } = await createClimber(shop);
      return { path: { id }, body: { planId: freeId } };
    },
  },
  'POST /subscriptions/{id}/reactivate': {
    subscription_not_found: noId({ id: 'sub_none' }),
    invalid_subscription_status: async (shop) => ({
      path: { id: (await createActiveSubscription(shop)).id },
    }),
    offer_not_found: async (shop) => ({ ...(await canceled(shop)), body: { offerId: 'ofr_none' } }),
    offer_not_applicable: async (shop) => ({
      ...(await canceled(shop)),
      body: { offerId: (await createOffer(shop, [off.trial(5)])).id },
    }),
    missing_regional_price: {
      because: 'A currency a running price is sold in cannot be taken back from who pays in it.',
    },
    charge_failed: {
      because: 'Keeps its invoice, so it leaves a trace; provoked in the tests of reactivation.',
    },
    payment_failed: async (shop) => {
      const subscription = await createActiveSubscription(shop);
      await shop.rest('POST', `/subscriptions/${subscription.id}/cancel`, { immediate: true });
      return untaxed(shop, subscription);
    },
    already_has_active_subscription: async (shop) => {
      const { id, customerId, planId } = await createActiveSubscription(shop);
      await shop.rest('POST', `/subscriptions/${id}/cancel`, { immediate: true });
      await pay(shop, (await subscribeTo(shop, customerId, planId)).token);
      return { path: { id } };
    },
    no_outstanding_invoice: {
      because: 'A past-due subscription always has the invoice it is past due over.',
    },
    no_payment_method: { because: 'Keeps its invoice as well; provoked in the tests of reactivation.' },
    charge_in_progress: {
      because: 'The sandbox gateway answers immediately; a charge stays open with a remote processor only.',
    },
    subscription_has_open_dispute: async (shop) => {
      const { id, token } = await createSubscription(shop);
      await pay(shop, token, '4000000000000259');
      await shop.rest('POST', `/subscriptions/${id}/cancel`, { immediate: true });
      return { path: { id } };
    },
    plan_unavailable: async (shop) => {
      const { id, planId } = await createActiveSubscription(shop);
      await shop.rest('POST', `/subscriptions/${id}/cancel`, { immediate: true });
      await shop.rest('DELETE', `/plans/${planId}`);
      return { path: { id } };
    },
    subscription_activation_failed: fault,
  },
  'POST /subscriptions/{id}/recovery-links': {
    subscription_not_found: noId({ id: 'sub_none' }),
    invalid_subscription_status: async (shop) => ({
      path: { id: (await createActiveSubscription(shop)).id },
    }),
    no_outstanding_invoice: {
      because: 'A past-due subscription always has the invoice it is past due over.',
    },
  },
  'DELETE /subscriptions/{id}/offer': {
    subscription_not_found: noId({ id: 'sub_none' }),
    offer_not_found: async (shop) => ({ path: { id: (await createSubscription(shop)).id } }),
    invalid_subscription_status: canceled,
  },
  'POST /subscriptions/{id}/uncancel': {
    subscription_not_found: noId({ id: 'sub_none' }),
    not_scheduled_for_cancellation: async (shop) => ({
      path: { id: (await createActiveSubscription(shop)).id },
    }),
    subscription_already_canceled: canceled,
    subscription_uncancel_failed: fault,
  },
  'POST /test-clock/process-billing': { endpoint_deprecated: async () => ({}) },
  'POST /payments': {
    customer_not_found: async () => ({ body: requested({ customerId: 'cus_none' }) }),
    payment_failed: async (shop) => ({ body: requested({ customerId: await createUntaxable(shop) }) }),
  },
  'GET /payments/{id}': { payment_not_found: noId({ id: 'pay_none' }) },
  'POST /payments/{id}/cancel': {
    payment_not_found: noId({ id: 'pay_none' }),
    payment_not_cancelable: async (shop) => ({ path: { id: (await createPayer(shop)).paymentId } }),
  },
  'POST /payments/charge': {
    customer_not_found: async () => ({ body: requested({ customerId: 'cus_none' }) }),
    no_payment_method: async (shop) => ({ body: requested({ customerId: (await createCustomer(shop)).id }) }),
    payment_failed: { because: 'A decline leaves a failed payment; met in the tests of payments.' },
    provider_unsupported: {
      because: 'Every method that is stored was stored by a gateway that can charge it.',
    },
  },
  'POST /payouts': {
    insufficient_balance: { because: 'Payouts are live only; met in the tests of payouts.' },
    payouts_not_available_in_sandbox: async () => ({ body: { amount: 1_000 } }),
  },
  'POST /payouts/bank-accounts': {
    payouts_not_available_in_sandbox: async () => ({
      body: { accountNumber: '0001234', accountHolderName: 'Acme' },
    }),
  },
  'POST /payouts/verification': { endpoint_deprecated: async () => ({}) },
  'GET /transactions/{id}': { transaction_not_found: noId({ id: 'txn_none' }) },
  'POST /transactions/{id}/refund': {
    transaction_not_found: noId({ id: 'txn_none' }),
    payment_failed: { because: 'The sandbox gateway declines no refund.' },
    provider_unsupported: { because: 'Every gateway there is can return money.' },
  },
  'POST /transactions/{id}/retry': {
    transaction_not_found: noId({ id: 'txn_none' }),
    no_outstanding_invoice: async (shop) => ({
      path: { id: await latestTransaction(shop, (await createActiveSubscription(shop)).id) },
    }),
    no_payment_method: {
      because: 'Anyone who is past due has stored a method at the checkout, and none can be taken away.',
    },
    charge_in_progress: {
      because: 'The sandbox gateway answers immediately; a charge stays open with a remote processor only.',
    },
    charge_failed: {
      because: 'A decline uses up a dunning slot, so it leaves a trace; met in the tests of transactions.',
    },
  },
  'GET /webhooks/{id}': { webhook_not_found: noId({ id: 'whe_none' }) },
  'PATCH /webhooks/{id}': { webhook_not_found: noId({ id: 'whe_none' }, {}) },
  'DELETE /webhooks/{id}': { webhook_not_found: noId({ id: 'whe_none' }) },
  'PUT /usage': {
    ...consumerRejections({ value: 4 }),
    included_limit_reached: async (shop) => ({ body: { ...(await atLimit(shop)), value: 4 } }),
  },
  'POST /usage/check': {
    ...consumerRejections(),
    insufficient_balance: unpricedUnits,
  },
  'POST /usage/events': {
    ...consumerRejections(),
    included_limit_reached: async (shop) => ({ body: await atLimit(shop) }),
    insufficient_credits: async (shop) => ({ body: { ...of(await createCreditsConsumer(shop, 6)) } }),
    insufficient_balance: async (shop) => ({ body: { ...of(await createBalanceConsumer(shop, 49)) } }),
    pricing_mode_mismatch: async (shop) => ({
      body: { ...of(await createConsumer(shop)), model: 'gpt', inputTokens: 1, outputTokens: 1 },
    }),
    model_not_found: async (shop) => {
      const terms = { pricingMode: 'ai_model', margin: 0 };
      const consumer = await createConsumer(shop, { plan: { consumptionModel: 'balance' }, terms });
      return { body: { ...of(consumer), model: 'no/model', inputTokens: 1, outputTokens: 1 } };
    },
    duplicate: async (shop) => {
      const [consumer, eventId] = [await createConsumer(shop), shop.next('event')];
      await shop.rest('POST', '/usage/events', { ...of(consumer), eventId });
      return { body: { ...of(consumer), eventId, value: 2 } };
    },
  },
  'GET /usage/quota': {
    ...counterRejections('quota', inQuery),
    feature_not_in_plan: async (shop) => ({
      query: {
        customerId: (await createCounter(shop, 'quota')).customerId,
        featureCode: (await createFeature(shop, 'quota')).code,
      },
    }),
  },
  'POST /usage/quota': {
    ...countRejections('quota', inBody),
    included_limit_reached: overLimit('quota', inBody),
  },
  'PUT /usage/quota': {
    ...countRejections('quota', inBody),
    included_limit_reached: overLimit('quota', inBody),
  },
  'GET /usage/quota/all': {
    customer_not_found: async () => ({ query: { customerId: 'cus_none' } }),
    no_active_subscription: async (shop) => ({ query: { customerId: (await createCustomer(shop)).id } }),
  },
  'POST /usage/quota/remove': {
    ...countRejections('quota', inBody),
    insufficient_balance: async (shop) => ({ body: { ...of(await createCounter(shop, 'quota')), count: 1 } }),
  },
  'POST /webhooks/{id}/test': { webhook_not_found: noId({ id: 'whe_none' }) },
};
