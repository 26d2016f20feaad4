import {
  createBalanceConsumer,
  createConsumer,
  createCounter,
  createCreditsConsumer,
  of,
} from './consumers.ts';
import {
  activateAddon,
  advanceDays,
  attachFeature,
  clockSettled,
  createActiveSubscription,
  createAddon,
  createAdjustment,
  createApiKey,
  createClimber,
  createCredit,
  createCreditPack,
  createCustomer,
  createFeature,
  createMarket,
  createOffer,
  createPastDueSubscription,
  createPayer,
  createPayment,
  createPlan,
  createPlanGroup,
  createPrice,
  createPricedPlan,
  createPromoCode,
  createSubscription,
  createWebhook,
  latestInvoice,
  latestTransaction,
  makeClaimable,
  mendMethods,
  nextCountry,
  off,
  type Shop,
  setCurrency,
} from './factories.ts';
import { openPayouts } from './payouts.ts';
import { createGrantable, createGranted, grantBody } from './plan-grants.ts';

/** What a caller sends to an operation. */
export type Request = {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
};

/** Makes what an operation needs in a shop and answers a request it accepts. */
export type MakeRequest = (shop: Shop) => Promise<Request>;

const withFeature = async (shop: Shop) => {
  const [plan, feature] = [await createPlan(shop), await createFeature(shop)];
  await attachFeature(shop, plan.id, feature.id, { includedAmount: 3 });
  return { id: plan.id, featureId: feature.id };
};

const withPrice = async (shop: Shop) => {
  const plan = await createPricedPlan(shop);
  return { id: plan.id, priceId: plan.priceId };
};

/** A new endpoint, for which the oldest makes room once there are many: an environment has at most 20. */
const withWebhook = async (shop: Shop) => {
  const { body } = await shop.rest<{ data: readonly { id: string }[] }>('GET', '/webhooks?limit=100');
  const oldest = body.data.length >= 15 ? body.data.at(-1) : undefined;
  if (oldest !== undefined) await shop.rest('DELETE', `/webhooks/${oldest.id}`);
  const { id } = await createWebhook(shop);
  return { id };
};

/** One accepted request per operation, by method and path. */
export const requests: Readonly<Record<string, MakeRequest>> = {
  'GET /active-addons': async (shop) => {
    const { id, customerId } = await createActiveSubscription(shop);
    await activateAddon(shop, id, (await createAddon(shop)).id);
    return { query: { customerId } };
  },
  'GET /addons': async (shop) => {
    await createAddon(shop);
    return { query: { limit: '2' } };
  },
  'POST /addons': async (shop) => {
    const { id: featureId } = await createFeature(shop, 'usage');
    const terms = { consumptionModel: 'metered', includedUnits: 500, overageRate: 125 };
    return {
      body: { name: shop.next('addon'), basePrice: 1_450, featureId, description: 'For peaks.', ...terms },
    };
  },
  'GET /addons/{id}': async (shop) => ({ path: { id: (await createAddon(shop)).slug } }),
  'PATCH /addons/{id}': async (shop) => ({
    path: { id: (await createAddon(shop)).id },
    body: { name: 'Renamed', basePrice: 1_000 },
  }),
  'DELETE /addons/{id}': async (shop) => ({ path: { id: (await createAddon(shop)).id } }),
  'GET /api-keys': async (shop) => {
    await createApiKey(shop);
    return { query: { limit: '2' } };
  },
  'POST /api-keys': async (shop) => ({ body: { name: shop.next('key'), expiresInDays: 30 } }),
  'DELETE /api-keys/{id}': async (shop) => ({ path: { id: (await createApiKey(shop)).id } }),
  'POST /claim-link': async (shop) => {
    await makeClaimable(shop);
    return {};
  },
  'GET /credit-packs': async (shop) => {
    await createCreditPack(shop);
    return {};
  },
  'POST /credit-packs': async (shop) => ({
    body: {
      name: shop.next('pack'),
      credits: 1_000,
      price: 2_500,
      description: 'For a busy week.',
      isActive: true,
    },
  }),
  'PATCH /credit-packs/{id}': async (shop) => ({
    path: { id: (await createCreditPack(shop)).id },
    body: { price: 2_900 },
  }),
  'DELETE /credit-packs/{id}': async (shop) => ({ path: { id: (await createCreditPack(shop)).id } }),
  'GET /customers': async (shop) => ({ query: { externalId: (await createCustomer(shop)).externalId } }),
  'POST /customers': async (shop) => {
    const externalId = shop.next('customer');
    const address = { line1: '1 Main St', city: 'Springfield', postalCode: '12345', country: 'US' };
    return {
      body: {
        email: `${externalId}@shop.test`,
        externalId,
        fullName: 'Ada',
        address,
        timezone: 'Europe/Berlin',
        metadata: { tier: 1 },
      },
    };
  },
  'POST /customers/batch': async (shop) => {
    const [externalId, other] = [shop.next('customer'), shop.next('customer')];
    const good = { email: `${externalId}@shop.test`, externalId };
    return { body: { customers: [good, { ...good, id: other, fullName: 'Two names', metadata: { a: 1 } }] } };
  },
  'GET /customers/{id}': async (shop) => ({ path: { id: (await createCustomer(shop)).id } }),
  'PATCH /customers/{id}': async (shop) => ({
    path: { id: (await createCustomer(shop)).id },
    body: { fullName: 'Grace' },
  }),
  'GET /customers/{id}/credits': async (shop) => {
    const { id } = await createCustomer(shop);
    await createCredit(shop, id);
    return { path: { id } };
  },
  'POST /customers/{id}/credits': async (shop) => ({
    path: { id: (await createCustomer(shop)).externalId },
    body: { amount: 2_500, currency: 'usd', reason: 'An outage.', expiresAt: '2099-12-31T00:00:00Z' },
  }),
  'POST /customers/{id}/credits/{creditId}/revoke': async (shop) => {
    const { id } = await createCustomer(shop);
    return { path: { id, creditId: (await createCredit(shop, id)).id } };
  },
  'GET /customers/{id}/plan-grants': async (shop) => {
    const { customerId: id, grantId } = await createGranted(shop);
    // A subscription has one that is active, and any number that are not.
    await shop.rest('POST', `/customers/${id}/plan-grants/${grantId}/revoke`, { reason: 'Over.' });
    return { path: { id } };
  },
  'POST /customers/{id}/plan-grants': async (shop) => {
    const made = await createGrantable(shop);
    return { path: { id: made.customerId }, body: grantBody(made) };
  },
  'PATCH /customers/{id}/plan-grants/{grantId}': async (shop) => {
    const { customerId: id, grantId } = await createGranted(shop);
    return {
      path: { id, grantId },
      body: { reason: 'Until the fair.', duration: 'until_date', expiresAt: '2099-05-01T12:00:00Z' },
    };
  },
  'POST /customers/{id}/plan-grants/{grantId}/revoke': async (shop) => {
    const { customerId: id, grantId } = await createGranted(shop);
    return { path: { id, grantId }, body: { reason: 'Given by mistake.' } };
  },
  'GET /feature-access': async (shop) => ({ query: { customerId: (await createConsumer(shop)).customerId } }),
  'GET /feature-access/{code}': async (shop) => {
    const { customerId, feature } = await createConsumer(shop);
    return { path: { code: feature.code }, query: { customerId } };
  },
  'GET /features': async (shop) => {
    await createFeature(shop);
    return {};
  },
  'POST /features': async (shop) => {
    const code = shop.next('feature');
    return {
      body: { name: `Name of ${code}`, code, type: 'usage', description: 'Counts calls.', unitName: 'call' },
    };
  },
  'GET /features/{code}': async (shop) => ({ path: { code: (await createFeature(shop)).code } }),
  'PATCH /features/{code}': async (shop) => ({
    path: { code: (await createFeature(shop)).code },
    body: { description: 'Places at the table.' },
  }),
  'DELETE /features/{code}': async (shop) => ({ path: { code: (await createFeature(shop)).code } }),
  'GET /invoices': async (shop) => ({
    query: { subscriptionId: (await createActiveSubscription(shop)).id, status: 'paid' },
  }),
  'POST /invoices': async (shop) => ({
    body: {
      customerId: (await createCustomer(shop)).id,
      amount: 1_250,
      description: 'Hours of help',
      metadata: { ticket: 7 },
    },
  }),
  'GET /invoices/{id}': async (shop) => ({
    path: { id: await latestInvoice(shop, (await createActiveSubscription(shop)).id) },
  }),
  'POST /invoices/{id}/download-links': async (shop) => ({ path: { id: (await createAdjustment(shop)).id } }),
  'POST /invoices/{id}/send': async (shop) => ({ path: { id: (await createAdjustment(shop)).id } }),
  'PATCH /invoices/{id}/status': async (shop) => ({
    path: { id: (await createAdjustment(shop)).id },
    body: { status: 'paid' },
  }),
  'GET /markets': async (shop) => {
    await createMarket(shop);
    return {};
  },
  'POST /markets': async (shop) => ({
    body: {
      name: shop.next('market'),
      countryCodes: [nextCountry(shop), nextCountry(shop)],
      metadata: { tier: 1 },
    },
  }),
  'GET /markets/{id}': async (shop) => ({ path: { id: (await createMarket(shop)).id } }),
  'PATCH /markets/{id}': async (shop) => ({
    path: { id: (await createMarket(shop)).id },
    body: { name: shop.next('renamed'), countryCodes: [nextCountry(shop)], metadata: {} },
  }),
  'DELETE /markets/{id}': async (shop) => ({ path: { id: (await createMarket(shop)).id } }),
  'GET /offers': async (shop) => {
    await createOffer(shop, [off.trial(5), off.percent(4_000, 2), off.amount(500, null)]);
    return { query: { active: 'true' } };
  },
  'POST /offers': async (shop) => {
    const prices = [{ currency: 'usd', amount: 900 }];
    const phases = [
      off.trial(5),
      off.amount(500, 2),
      { type: 'fixed_price', durationCycles: 3, durationInterval: 'monthly', prices },
    ];
    return {
      body: {
        name: shop.next('offer'),
        phases,
        metadata: { a: 1 },
        startsAt: '2026-01-01T00:00:00Z',
        endsAt: null,
        active: false,
      },
    };
  },
  'GET /offers/{id}': async (shop) => ({ path: { id: (await createOffer(shop)).id } }),
  'PATCH /offers/{id}': async (shop) => ({
    path: { id: (await createOffer(shop)).id },
    body: { name: 'Renamed', phases: [off.percent(1_000, null)], active: false },
  }),
  'DELETE /offers/{id}': async (shop) => ({ path: { id: (await createOffer(shop)).id } }),
  'GET /plan-groups': async (shop) => {
    await createPlanGroup(shop);
    return { query: { limit: '2' } };
  },
  'POST /plan-groups': async (shop) => ({
    body: { name: shop.next('group'), description: 'For teams.', isPublic: false },
  }),
  'GET /plan-groups/{id}': async (shop) => ({ path: { id: (await createPlanGroup(shop, 2)).id } }),
  'PATCH /plan-groups/{id}': async (shop) => ({
    path: { id: (await createPlanGroup(shop)).id },
    body: { name: 'Renamed', isPublic: false },
  }),
  'DELETE /plan-groups/{id}': async (shop) => ({ path: { id: (await createPlanGroup(shop, 1)).id } }),
  'POST /plan-groups/{id}/plans': async (shop) => ({
    path: { id: (await createPlanGroup(shop, 1)).id },
    body: { planId: (await createPlan(shop)).id, sortOrder: 7 },
  }),
  'DELETE /plan-groups/{id}/plans/{planId}': async (shop) => {
    const { id, planIds } = await createPlanGroup(shop, 1);
    return { path: { id, planId: planIds[0] ?? '' } };
  },
  'PUT /plan-groups/{id}/plans/reorder': async (shop) => {
    const { id, planIds } = await createPlanGroup(shop, 2);
    return { path: { id }, body: { planIds: planIds.toReversed() } };
  },
  'GET /plans': async (shop) => {
    const plan = await createPricedPlan(shop);
    await attachFeature(shop, plan.id, (await createFeature(shop)).id);
    return { query: { includePrivate: 'true' } };
  },
  'POST /plans': async (shop) => {
    const code = shop.next('plan');
    return {
      body: {
        name: 'Team',
        code,
        description: 'For teams.',
        consumptionModel: 'metered',
        metadata: { colour: 'blue' },
      },
    };
  },
  'GET /plans/{id}': async (shop) => {
    const plan = await createPricedPlan(shop, { trialDays: 14 });
    await attachFeature(shop, plan.id, (await createFeature(shop, 'boolean')).id);
    return { path: { id: plan.id } };
  },
  'PATCH /plans/{id}': async (shop) => ({
    path: { id: (await createPlan(shop)).id },
    body: { name: 'Renamed', isPublic: false },
  }),
  'DELETE /plans/{id}': async (shop) => ({ path: { id: (await createPlan(shop)).id } }),
  'POST /plans/{id}/features': async (shop) => {
    const [plan, feature] = [await createPlan(shop), await createFeature(shop)];
    return {
      path: { id: plan.id },
      body: { featureId: feature.id, includedAmount: 5, overage: { enabled: true, unitPrice: 25_000 } },
    };
  },
  'PATCH /plans/{id}/features/{featureId}': async (shop) => ({
    path: await withFeature(shop),
    body: { includedAmount: 7 },
  }),
  'DELETE /plans/{id}/features/{featureId}': async (shop) => ({ path: await withFeature(shop) }),
  'POST /plans/{id}/prices': async (shop) => ({
    path: { id: (await createPlan(shop)).id },
    body: {
      billingInterval: 'yearly',
      price: 49_000,
      trialDays: 14,
      isDefault: true,
      metadata: { name: 'Yearly' },
    },
  }),
  'PATCH /plans/{id}/prices/{priceId}': async (shop) => ({
    path: await withPrice(shop),
    body: { price: 5900 },
  }),
  'DELETE /plans/{id}/prices/{priceId}': async (shop) => {
    const path = await withPrice(shop);
    const { id } = await createPrice(shop, path.id, { billingInterval: 'yearly' });
    return { path: { id: path.id, priceId: id } };
  },
  'PUT /plans/{id}/prices/{priceId}/default': async (shop) => {
    const path = await withPrice(shop);
    const { id } = await createPrice(shop, path.id, { billingInterval: 'yearly' });
    return { path: { id: path.id, priceId: id } };
  },
  'PUT /plans/{id}/prices/{priceId}/regional': async (shop) => ({
    path: await withPrice(shop),
    body: {
      overrides: [
        { currency: 'eur', price: 4_500, includedBalance: 90_000 },
        { currency: 'clp', price: 45_000 },
      ],
    },
  }),
  'DELETE /plans/{id}/prices/{priceId}/regional': async (shop) => {
    const path = await withPrice(shop);
    await setCurrency(shop, path.id, 'brl', 5.43);
    return { path };
  },
  'PUT /plans/{id}/regional': async (shop) => {
    const { id, priceId } = await withPrice(shop);
    const feature = await createFeature(shop);
    await attachFeature(shop, id, feature.id, { overage: { enabled: true, unitPrice: 180 } });
    return {
      path: { id },
      body: {
        currency: 'brl',
        exchangeRate: 5.43,
        prices: [{ priceId, price: 30_000, includedBalance: 100 }],
        features: [{ featureId: feature.id, overageUnitPrice: 900 }],
      },
    };
  },
  'PUT /plans/{id}/visibility': async (shop) => ({
    path: { id: (await createPlan(shop)).id },
    body: { isPublic: false },
  }),
  'POST /portal/sessions': async (shop) => ({
    body: { customerId: (await createCustomer(shop)).externalId, returnUrl: 'https://shop.test/account' },
  }),
  'GET /promo-codes': async (shop) => {
    await createPromoCode(shop);
    return { query: { limit: '2' } };
  },
  'POST /promo-codes': async (shop) => {
    const [offer, plan] = [await createOffer(shop), await createPlan(shop)];
    const limits = {
      billingInterval: 'monthly',
      maxRedemptions: 100,
      expiresAt: '2099-01-01T00:00:00Z',
      planIds: [plan.id],
    };
    return { body: { code: shop.next('Welcome-'), offerId: offer.id, ...limits } };
  },
  'GET /promo-codes/{id}': async (shop) => ({ path: { id: (await createPromoCode(shop)).id } }),
  'PATCH /promo-codes/{id}': async (shop) => ({
    path: { id: (await createPromoCode(shop)).id },
    body: { billingInterval: null, maxRedemptions: null, expiresAt: null, active: false, planIds: [] },
  }),
  'POST /provision': async (shop) => ({
    body: { name: shop.next('organization'), country: 'US', businessType: 'software' },
  }),
  'POST /seats': async (shop) => ({ body: { ...of(await createCounter(shop, 'seats')), count: 3 } }),
  'PUT /seats': async (shop) => ({ body: { ...of(await createCounter(shop, 'seats')), count: 5 } }),
  'GET /seats/balance': async (shop) => ({ query: of(await createCounter(shop, 'seats', {}, 6)) }),
  'GET /seats/balances': async (shop) => ({
    query: { customerId: (await createCounter(shop, 'seats', {}, 6)).customerId },
  }),
  'PUT /seats/bulk': async (shop) => {
    const { customerId, feature } = await createCounter(shop, 'seats');
    return { body: { customerId, seats: { [feature.code]: 5 } } };
  },
  'POST /seats/remove': async (shop) => ({
    body: { ...of(await createCounter(shop, 'seats', {}, 6)), count: 2 },
  }),
  'GET /subscriptions': async (shop) => ({
    query: { customerId: (await createActiveSubscription(shop)).customerId, status: 'active' },
  }),
  'POST /subscriptions': async (shop) => {
    const [plan, customer] = [await createPricedPlan(shop, { trialDays: 7 }), await createCustomer(shop)];
    return { body: { customerId: customer.id, planId: plan.id, name: 'Main', billingInterval: 'monthly' } };
  },
  'GET /subscriptions/active': async (shop) => ({
    query: { customerId: (await createActiveSubscription(shop)).customerId },
  }),
  'GET /subscriptions/{id}': async (shop) => ({ path: { id: (await createActiveSubscription(shop)).id } }),
  'POST /subscriptions/{id}/addons': async (shop) => ({
    path: { id: (await createActiveSubscription(shop)).id },
    body: { addonId: (await createAddon(shop)).slug },
  }),
  'DELETE /subscriptions/{id}/addons/{addonId}': async (shop) => {
    const [{ id }, { id: addonId }] = [await createActiveSubscription(shop), await createAddon(shop)];
    await activateAddon(shop, id, addonId);
    return { path: { id, addonId } };
  },
  'POST /subscriptions/{id}/balance/adjust': async (shop) => ({
    path: { id: (await createCreditsConsumer(shop)).subscriptionId },
    body: { amount: -40, reason: 'Counted twice.', type: 'credits' },
  }),
  'POST /subscriptions/{id}/balance/topup': async (shop) => ({
    path: { id: (await createBalanceConsumer(shop)).subscriptionId },
    body: { amount: 2_500 },
  }),
  'POST /subscriptions/{id}/cancel': async (shop) => ({
    path: { id: (await createActiveSubscription(shop)).id },
    body: { reason: 'Too expensive' },
  }),
  'POST /subscriptions/{id}/credits': async (shop) => ({
    path: { id: (await createCreditsConsumer(shop)).subscriptionId },
    body: { creditPackId: (await createCreditPack(shop)).id },
  }),
  'PUT /subscriptions/{id}/offer': async (shop) => ({
    path: { id: (await createSubscription(shop)).id },
    body: { offerId: (await createOffer(shop)).id, expiresAt: '2200-01-01T00:00:00.000Z' },
  }),
  'POST /subscriptions/{id}/payment-method/update': async (shop) => ({
    path: { id: (await createActiveSubscription(shop)).id },
    body: { successUrl: 'https://shop.test/thanks' },
  }),
  'POST /subscriptions/{id}/reactivate': async (shop) => {
    const { id } = await createActiveSubscription(shop);
    await shop.rest('POST', `/subscriptions/${id}/cancel`, { immediate: true });
    return { path: { id }, body: { offerId: (await createOffer(shop)).id } };
  },
  'POST /subscriptions/{id}/change-plan': async (shop) => {
    const { id, highId } = await createClimber(shop);
    return { path: { id }, body: { newPlanId: highId, offerId: (await createOffer(shop)).id } };
  },
  'POST /subscriptions/{id}/preview-change': async (shop) => {
    const { id, lowId } = await createClimber(shop);
    return {
      path: { id },
      body: { planId: lowId, billingInterval: 'yearly', offerId: (await createOffer(shop)).id },
    };
  },
  'POST /subscriptions/{id}/recovery-links': async (shop) => ({
    path: { id: (await createPastDueSubscription(shop)).id },
  }),
  'DELETE /subscriptions/{id}/offer': async (shop) => {
    const { id } = await createSubscription(shop);
    await shop.rest('PUT', `/subscriptions/${id}/offer`, { offerId: (await createOffer(shop)).id });
    return { path: { id } };
  },
  'POST /subscriptions/{id}/uncancel': async (shop) => {
    const { id } = await createActiveSubscription(shop);
    await shop.rest('POST', `/subscriptions/${id}/cancel`, {});
    return { path: { id } };
  },
  'GET /payments': async (shop) => {
    const { customerId } = await createPayer(shop);
    return { query: { customerId, limit: '2' } };
  },
  'POST /payments': async (shop) => {
    const { externalId: customerId } = await createCustomer(shop);
    const more = { customerId, successUrl: 'https://shop.test/thanks', metadata: { order: 'A-7' } };
    return { body: { amount: 18_450, currency: 'eur', description: 'Workshop in May', ...more } };
  },
  'GET /payments/{id}': async (shop) => ({ path: { id: (await createPayer(shop)).paymentId } }),
  'POST /payments/{id}/cancel': async (shop) => ({ path: { id: (await createPayment(shop)).id } }),
  'POST /payments/charge': async (shop) => {
    const { customerId } = await createPayer(shop);
    return {
      body: {
        customerId,
        amount: 2_500,
        currency: 'usd',
        description: 'An hour of support',
        metadata: { ticket: '12' },
      },
    };
  },
  'POST /payouts': async (shop) => {
    await openPayouts(shop);
    return { body: { amount: 1_500, description: 'For May.' } };
  },
  'POST /payouts/bank-accounts': async (shop) => {
    await openPayouts(shop);
    const account = {
      accountNumber: '000123456789',
      accountHolderName: 'Acme Inc.',
      routingNumber: '110000000',
      accountType: 'checking',
    };
    return { body: { ...account, setDefault: true } };
  },
  'POST /payouts/verification': async () => ({}),
  'GET /test-clock': async (shop) => {
    await advanceDays(shop, 1);
    return {};
  },
  'POST /test-clock': async (shop) => {
    await clockSettled(shop);
    return { body: { advanceDays: 1.5 } };
  },
  'POST /test-clock/process-billing': async () => ({}),
  'GET /transactions': async (shop) => {
    const { customerId } = await createActiveSubscription(shop);
    const { body } = await shop.rest<{ email: string }>('GET', `/customers/${customerId}`);
    return { query: { status: 'succeeded', customerEmail: body.email, limit: '2' } };
  },
  'GET /transactions/{id}': async (shop) => ({
    path: { id: await latestTransaction(shop, (await createActiveSubscription(shop)).id) },
  }),
  'POST /transactions/{id}/refund': async (shop) => ({
    path: { id: await latestTransaction(shop, (await createActiveSubscription(shop)).id) },
  }),
  'POST /transactions/{id}/retry': async (shop) => {
    const { id, customerId } = await createPastDueSubscription(shop);
    await mendMethods(shop, customerId);
    return { path: { id: await latestTransaction(shop, id) } };
  },
  'PUT /usage': async (shop) => ({
    body: { ...of(await createConsumer(shop)), value: 12, reason: 'Counted again.' },
  }),
  'POST /usage/check': async (shop) => ({ body: { ...of(await createConsumer(shop)), quantity: 3 } }),
  'POST /usage/events': async (shop) => ({
    body: {
      ...of(await createCreditsConsumer(shop)),
      value: 5,
      eventId: shop.next('event'),
      properties: [{ property: 'region', value: 'eu' }],
    },
  }),
  'POST /usage/events/batch': async (shop) => {
    const event = of(await createConsumer(shop, { terms: { includedAmount: 3 } }));
    return {
      body: { events: [{ ...event, value: 3, eventId: shop.next('event') }, event, { ...event, value: 0 }] },
    };
  },
  'GET /usage/quota': async (shop) => ({ query: of(await createCounter(shop, 'quota', {}, 6)) }),
  'POST /usage/quota': async (shop) => ({ body: { ...of(await createCounter(shop, 'quota')), count: 3 } }),
  'PUT /usage/quota': async (shop) => ({ body: { ...of(await createCounter(shop, 'quota')), count: 5 } }),
  'GET /usage/quota/all': async (shop) => ({
    query: { customerId: (await createCounter(shop, 'quota', {}, 6)).customerId },
  }),
  'POST /usage/quota/remove': async (shop) => ({ body: of(await createCounter(shop, 'quota', {}, 6)) }),
  'GET /webhooks': async (shop) => {
    await withWebhook(shop);
    return { query: { limit: '2' } };
  },
  'POST /webhooks': async (shop) => {
    await withWebhook(shop);
    const url = `https://hooks.test/${shop.next('hook')}`;
    return {
      body: {
        url,
        events: ['payout.failed', 'payout.paid'],
        description: 'Payouts.',
        apiVersion: '2026-08-27',
      },
    };
  },
  'GET /webhooks/{id}': async (shop) => ({ path: await withWebhook(shop) }),
  'PATCH /webhooks/{id}': async (shop) => ({
    path: await withWebhook(shop),
    body: { description: null, isActive: false },
  }),
  'DELETE /webhooks/{id}': async (shop) => ({ path: await withWebhook(shop) }),
  'POST /webhooks/{id}/test': async (shop) => ({ path: await withWebhook(shop) }),
};

/** The address of a request below /api/v1. */
export function addressOf(path: string, { path: parameters = {}, query = {} }: Request): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) =>
    encodeURIComponent(parameters[name] ?? ''),
  );
  const search = new URLSearchParams(query).toString();
  return search === '' ? filled : `${filled}?${search}`;
}
