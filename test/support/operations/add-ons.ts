import { createConsumer, createCreditsConsumer, createUnratedConsumer } from '../consumers.ts';
import {
  activateAddon,
  cards,
  createActiveSubscription,
  createAddon,
  createCustomer,
  createFeature,
  type Shop,
} from '../factories.ts';
import { canceled, freeOn, noId, noSlowGateway, untaxed } from './shared.ts';
import type { ModuleOperations } from './types.ts';

const metered = { consumptionModel: 'metered', includedUnits: 500, overageRate: 125 };

/** Creates an add-on with a rate. */
const withRate = async (shop: Shop) => {
  const { id: featureId } = await createFeature(shop, 'usage');
  return { id: (await createAddon(shop, { featureId, ...metered })).id };
};

/** Creates an active subscription, and an add-on that isn't active for it. */
const withAddon = async (shop: Shop) => ({
  id: (await createActiveSubscription(shop)).id,
  addonId: (await createAddon(shop)).id,
});

export const operations: ModuleOperations = {
  requests: {
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
      return {
        body: {
          name: shop.next('addon'),
          basePrice: 1_450,
          featureId,
          description: 'For peaks.',
          ...metered,
        },
      };
    },
    'GET /addons/{id}': async (shop) => ({ path: { id: (await createAddon(shop)).slug } }),
    'PATCH /addons/{id}': async (shop) => ({
      path: { id: (await createAddon(shop)).id },
      body: { name: 'Renamed', basePrice: 1_000 },
    }),
    'DELETE /addons/{id}': async (shop) => ({ path: { id: (await createAddon(shop)).id } }),
    'PUT /addons/{id}/rate': async (shop) => ({
      path: await withRate(shop),
      body: {
        rate: {
          model: 'graduated',
          tiers: [
            { upTo: '1000', amount: '0.02' },
            { upTo: null, amount: '0.015', flat: '1.50' },
          ],
        },
      },
    }),
    'DELETE /addons/{id}/rate': async (shop) => ({ path: await withRate(shop) }),
    'POST /subscriptions/{id}/addons': async (shop) => ({
      path: { id: (await createActiveSubscription(shop)).id },
      body: { addonId: (await createAddon(shop)).slug },
    }),
    'DELETE /subscriptions/{id}/addons/{addonId}': async (shop) => {
      const [{ id }, { id: addonId }] = [await createActiveSubscription(shop), await createAddon(shop)];
      await activateAddon(shop, id, addonId);
      return { path: { id, addonId } };
    },
  },
  provocations: {
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
  },
};
