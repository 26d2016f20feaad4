import {
  attachFeature,
  createActiveSubscription,
  createCustomer,
  createFeature,
  createMarket,
  createOffer,
  createPlan,
  createPrice,
  createPricedPlan,
  createPromoCode,
  createSubscription,
  off,
  pay,
  type Shop,
  subscribeTo,
} from '../factories.ts';
import {
  canceled,
  createUntaxable,
  noId,
  noPortal,
  noSlowGateway,
  reasons,
  scheduled,
  untaxed,
} from './shared.ts';
import type { MakeRequest, ModuleOperations, Request } from './types.ts';

const fault = {
  because: 'Stands for a fault of ours that has no better code; faults answer internal_error.',
};

/** Returns a request to create a subscription to a paid plan for a new customer. */
const creation =
  (choices: Readonly<Record<string, unknown>>): MakeRequest =>
  async (shop) => {
    const [plan, customer] = [await createPricedPlan(shop), await createCustomer(shop)];
    return { body: { customerId: customer.id, planId: plan.id, ...choices } };
  };

/** Returns a request to create a subscription with seats. `attach` determines whether the plan contains the feature. */
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

/** Returns a request to create a subscription in a currency that has no unit price for seats. */
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

export const operations: ModuleOperations = {
  requests: {
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
    'POST /subscriptions/{id}/cancel': async (shop) => ({
      path: { id: (await createActiveSubscription(shop)).id },
      body: { reason: 'Too expensive' },
    }),
    'POST /subscriptions/{id}/reactivate': async (shop) => {
      const { id } = await createActiveSubscription(shop);
      await shop.rest('POST', `/subscriptions/${id}/cancel`, { immediate: true });
      return { path: { id }, body: { offerId: (await createOffer(shop)).id } };
    },
    'POST /subscriptions/{id}/uncancel': async (shop) => {
      const { id } = await createActiveSubscription(shop);
      await shop.rest('POST', `/subscriptions/${id}/cancel`, {});
      return { path: { id } };
    },
  },
  provocations: {
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
    'POST /subscriptions/{id}/uncancel': {
      subscription_not_found: noId({ id: 'sub_none' }),
      not_scheduled_for_cancellation: async (shop) => ({
        path: { id: (await createActiveSubscription(shop)).id },
      }),
      subscription_already_canceled: canceled,
      subscription_uncancel_failed: fault,
    },
  },
  unrouted: {
    upcomingDeadlines: {
      because: reasons.more,
      text: 'query ($customerId: String) { upcomingDeadlines(customerId: $customerId, kinds: [period_end], first: 5) { nodes { kind dueAt notice customer { id } subscription { id } } } }',
      variables: async (shop) => ({ customerId: (await createActiveSubscription(shop)).customerId }),
    },
    upcomingPayments: {
      because: reasons.more,
      text: '{ upcomingPayments(days: 31, currency: usd) { total expected atRisk count paymentsAtRisk(first: 5) { amount reason customer { id } subscription { id } paymentMethod { id } } } }',
      variables: async (shop) => {
        await createActiveSubscription(shop);
        return {};
      },
    },
    upcomingDeadlineDays: {
      because: reasons.more,
      text: '{ upcomingDeadlineDays(days: 40) { day kind count } }',
      variables: async (shop) => {
        await createActiveSubscription(shop);
        return {};
      },
    },
    subscriptionChanged: {
      because: reasons.live,
      text: 'subscription ($id: ID!) { subscriptionChanged(id: $id) { id status } }',
      variables: async (shop) => ({ id: (await createActiveSubscription(shop)).id }),
    },
  },
};
