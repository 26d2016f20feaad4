import { createUnratedConsumer } from '../consumers.ts';
import {
  attachFeature,
  createClimber,
  createCustomer,
  createFeature,
  createLadder,
  createOffer,
  createPlan,
  createPlanGroup,
  createPrice,
  createPricedPlan,
  latestInvoice,
  off,
  pay,
  subscribeTo,
} from '../factories.ts';
import { canceled, noId, noPortal, noSlowGateway, perShop, reasons, scheduled, untaxed } from './shared.ts';
import type { MakeRequest, ModuleOperations } from './types.ts';

/** Returns a customer on the lower paid plan of a group. */
const climber = perShop((shop) => createClimber(shop));

/** Rejections that a plan change and its preview share. They use different argument names for the plan and interval. */
const changes = (plan: string, interval: string): Record<string, MakeRequest> => ({
  subscription_not_found: noId({ id: 'sub_none' }, { [plan]: 'pln_none' }),
  subscription_not_active: async (shop) => ({ ...(await canceled(shop)), body: { [plan]: 'pln_none' } }),
  subscription_has_open_dispute: async (shop) => {
    const { id, highId } = await createClimber(shop, '4000000000000259');
    return { path: { id }, body: { [plan]: highId } };
  },
  already_scheduled: async (shop) => ({ ...(await scheduled(shop)), body: { [plan]: 'pln_none' } }),
  plan_not_found: async (shop) => ({
    path: { id: (await climber(shop)).id },
    body: { [plan]: 'pln_none' },
  }),
  no_change_requested: async (shop) => {
    const { id, lowId } = await climber(shop);
    return { path: { id }, body: { [plan]: lowId } };
  },
  plans_not_in_same_group: async (shop) => ({
    path: { id: (await climber(shop)).id },
    body: { [plan]: (await createPricedPlan(shop)).id },
  }),
  free_plan_change_not_supported: async (shop) => {
    const { id, freeId } = await climber(shop);
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
    const { id, highId } = await climber(shop);
    return { path: { id }, body: { [plan]: highId, [interval]: 'weekly' } };
  },
  missing_regional_price: async (shop) => {
    const { subscriptionId, planId } = await createUnratedConsumer(shop, {});
    await createPrice(shop, planId, { billingInterval: 'yearly', price: 49_000 });
    return { path: { id: subscriptionId }, body: { [plan]: planId, [interval]: 'yearly' } };
  },
  offer_not_found: async (shop) => {
    const { id, highId } = await climber(shop);
    return { path: { id }, body: { [plan]: highId, offerId: 'ofr_none' } };
  },
  offer_not_applicable: async (shop) => {
    const { id, highId } = await climber(shop);
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

export const operations: ModuleOperations = {
  requests: {
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
  },
  provocations: {
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
        const { id, freeId } = await climber(shop);
        return { path: { id }, body: { planId: freeId } };
      },
    },
  },
  unrouted: {
    subscriptionScheduledChangeRevoke: {
      because: reasons.rule,
      text: 'mutation ($input: SubscriptionScheduledChangeRevokeInput!) { subscriptionScheduledChangeRevoke(input: $input) { id status } }',
      variables: async (shop) => {
        const { id, freeId } = await createClimber(shop);
        await shop.rest('POST', `/subscriptions/${id}/change-plan`, { newPlanId: freeId });
        return { input: { id } };
      },
    },
  },
};
