import {
  createBalanceConsumer,
  createConsumer,
  createCreditsConsumer,
  createUnratedConsumer,
  of,
} from '../consumers.ts';
import { createFeature, type Shop } from '../factories.ts';
import { perShop, reasons, unsubscribed } from './shared.ts';
import type { ModuleOperations, Request } from './types.ts';

/** Returns a request to record usage of a feature that has no unit price in the currency of the consumer's balance. */
const unpricedUnits = async (shop: Shop): Promise<Request> => ({
  body: of(
    await createUnratedConsumer(
      shop,
      { consumptionModel: 'balance' },
      { pricingMode: 'fixed', overage: { unitPrice: 50 } },
    ),
  ),
});

/** Returns a customer with a usage feature that isn't used. */
const consumer = perShop((shop) => createConsumer(shop));
/** Returns a customer whose plan contains a usage feature, but doesn't enable it. */
const disabledConsumer = perShop((shop) => createConsumer(shop, { terms: { enabled: false } }));

/** Returns the rejections shared by all operations on a consumer's usage feature. `body` contains the other required fields. */
const consumerRejections = (body: Request['body'] = {}) => ({
  customer_not_found: async () => ({ body: { customerId: 'cus_none', featureCode: 'none', ...body } }),
  no_active_subscription: async (shop: Shop) => ({
    body: { customerId: (await unsubscribed(shop)).id, featureCode: 'none', ...body },
  }),
  feature_not_found: async (shop: Shop) => ({
    body: { customerId: (await consumer(shop)).customerId, featureCode: 'none', ...body },
  }),
  feature_not_in_plan: async (shop: Shop) => {
    const [{ customerId }, { code }] = [await consumer(shop), await createFeature(shop, 'usage')];
    return { body: { customerId, featureCode: code, ...body } };
  },
  feature_disabled: async (shop: Shop) => ({
    body: { ...of(await disabledConsumer(shop)), ...body },
  }),
});

/** Request with token counts for a feature that is sold in units. */
const modelForUnits = async (shop: Shop): Promise<Request> => ({
  body: { ...of(await consumer(shop)), model: 'gpt', inputTokens: 1, outputTokens: 1 },
});

/** Request with tokens for a model that isn't in the catalog. */
async function unknownModel(shop: Shop): Promise<Request> {
  const terms = { pricingMode: 'ai_model', margin: 0 };
  const consumer = await createConsumer(shop, { plan: { consumptionModel: 'balance' }, terms });
  return { body: { ...of(consumer), model: 'no/model', inputTokens: 1, outputTokens: 1 } };
}

/** Creates a consumer at its usage limit. The limit event is already recorded, so a rejected request changes nothing. */
const atLimit = perShop(async (shop) => {
  const used = of(await createConsumer(shop, { terms: { includedAmount: 3 } }));
  await shop.rest('POST', '/usage/events', { ...used, value: 3 });
  return used;
});

export const operations: ModuleOperations = {
  requests: {
    'PUT /usage': async (shop) => ({
      body: { ...of(await createConsumer(shop)), value: 12, reason: 'Counted again.' },
    }),
    'GET /usage/totals': async (shop) => {
      const meter = { aggregation: 'sum', dimensions: [{ property: 'model' }] };
      const consumer = await createConsumer(shop, { meter });
      const properties = [{ property: 'model', value: 'large' }];
      await shop.rest('POST', '/usage/events', { ...of(consumer), value: 5, properties });
      return { query: { ...of(consumer), groupBy: 'model' } };
    },
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
        body: {
          events: [{ ...event, value: 3, eventId: shop.next('event') }, event, { ...event, value: 0 }],
        },
      };
    },
  },
  provocations: {
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
      pricing_mode_mismatch: modelForUnits,
      model_not_found: unknownModel,
      duplicate: async (shop) => {
        const [consumer, eventId] = [await createConsumer(shop), shop.next('event')];
        await shop.rest('POST', '/usage/events', { ...of(consumer), eventId });
        return { body: { ...of(consumer), eventId, value: 2 } };
      },
    },
  },
  unrouted: {
    usageStream: {
      because: reasons.live,
      text: 'subscription ($customerId: ID!) { usageStream(filter: { customerId: $customerId }, afterPosition: 0) { events { id value } omitted toPosition } }',
      variables: async (shop) => {
        const consumer = await createConsumer(shop);
        await shop.rest('POST', '/usage/events', { ...of(consumer), value: 1 });
        return { customerId: consumer.customerId };
      },
    },
    usageSeries: {
      because: reasons.more,
      text: `query ($customerId: String!, $featureCode: String!, $from: DateTime!, $to: DateTime!) {
      usageSeries(customerId: $customerId, featureCode: $featureCode, from: $from, to: $to, granularity: month) { start value events } }`,
      variables: async (shop) => ({
        ...of(await createConsumer(shop)),
        from: '2027-01-01T00:00:00Z',
        to: '2027-03-01T00:00:00Z',
      }),
    },
  },
};
