import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parsePriceList } from '../../../../src/modules/catalog/ai-models/parse-price-list.ts';
import { saveModelPrices } from '../../../../src/modules/catalog/ai-models/store.ts';
import { syncModelPrices } from '../../../../src/modules/catalog/ai-models/sync.ts';
import { scheduledTaskLoop } from '../../../../src/worker/scheduled-tasks.ts';
import { MovableClock, withSettings } from '../../../support/billing-world.ts';
import { createAiConsumer, createConsumer, listModel, of } from '../../../support/consumers.ts';
import { eventually } from '../../../support/eventually.ts';
import {
  attachFeature,
  createCustomer,
  createFeature,
  createPlan,
  createPrice,
  firstShop,
  otherShop,
  pay,
  type Shop,
  setCurrency,
  subscribeTo,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { allEvents } from '../../../support/stories.ts';

let t: TestApp;
let shop: Shop;
let directory: string;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
  directory = await mkdtemp(path.join(tmpdir(), 'quittance-prices-'));
});
afterAll(async () => {
  await t.close();
  await rm(directory, { recursive: true, force: true });
});
const noModels = { models: [], invalidIds: [], unknownPrices: 0 };
beforeEach(async () => {
  await t.app.database.query('DELETE FROM "OwnModelPrice"');
  await saveModelPrices(t.app.database, noModels, t.app.wall.now());
});

/** Writes a price list to a file and imports the file into the catalog. */
async function sync(list: unknown): Promise<object> {
  const file = path.join(directory, 'prices.json');
  await writeFile(file, typeof list === 'string' ? list : JSON.stringify(list));
  return syncModelPrices(t.app, file);
}

const perToken = (provider: string, input: number, output: number, more: object = {}) => ({
  litellm_provider: provider,
  input_cost_per_token: input,
  output_cost_per_token: output,
  mode: 'chat',
  ...more,
});

type ModelList = {
  aiModels: {
    edges: { node: Record<string, unknown> }[];
    pageInfo: { hasNextPage: boolean; endCursor: string };
  };
};
const listQuery = `query ($first: Int, $after: String, $provider: String, $name: String, $isActive: Boolean) {
  aiModels(first: $first, after: $after, provider: $provider, name: $name, isActive: $isActive) {
    edges { node { id } } pageInfo { hasNextPage endCursor } } }`;
const list = (args: Record<string, unknown> = {}) => t.graphql<ModelList>(listQuery, args);
const ids = async (args: Record<string, unknown> = {}) =>
  (await list(args)).aiModels.edges.map(({ node }) => node['id']);

const model = async (id: string) =>
  (
    await t.graphql<{ aiModel: Record<string, unknown> }>(
      `query ($id: ID!) { aiModel(id: $id) { id provider name inputRate outputRate cacheReadRate cacheWriteRate isActive
         history { inputRate outputRate cacheReadRate cacheWriteRate } object } }`,
      { id },
    )
  ).aiModel;
const failure = async (query: string, variables: Record<string, unknown>) =>
  (await t.graphqlFailure(query, variables)).errors[0]?.extensions['code'];
const modelFailure = (id: string) => failure('query ($id: ID!) { aiModel(id: $id) { id } }', { id });

describe('the AI model catalog', () => {
  test('imports prices per token from a LiteLLM price map and skips models without prices (CON-32a)', async () => {
    expect(
      await sync({
        sample_spec: perToken('one of the providers', 0, 0),
        'two-step': perToken('maker', 2.15e-6, 8.6e-6, {
          cache_read_input_token_cost: 2.15e-7,
          cache_creation_input_token_cost: 2.6875e-6,
        }),
        'host/two-step': perToken('host', 3e-6, 9e-6, { cache_read_input_token_cost: null }),
        'image-maker': { litellm_provider: 'maker', output_cost_per_image: 0.04 },
        'paid-back': perToken('maker', -1, 1),
      }),
    ).toEqual({ listed: 2, repriced: 2, gone: 0, invalid: 1, unknownPrices: 0 });
    const rates = { inputRate: 21_500, outputRate: 86_000, cacheReadRate: 2_150, cacheWriteRate: 26_875 };
    expect(await model('maker/two-step')).toEqual({
      id: 'maker/two-step',
      provider: 'maker',
      name: 'two-step',
      ...rates,
      isActive: true,
      history: [rates],
      object: 'ai_model',
    });
    expect(await model('host/two-step')).toMatchObject({
      name: 'two-step',
      inputRate: 30_000,
      cacheReadRate: null,
      cacheWriteRate: null,
    });
  });

  test('imports the prices of all classes and of long context, and counts unknown prices and invalid entries (CON-32a, PRM-114, PRM-117)', async () => {
    const complete = perToken('maker', 3e-6, 1.5e-5, {
      cache_read_input_token_cost: 3e-7,
      cache_creation_input_token_cost: 3.75e-6,
      cache_creation_input_token_cost_above_1hr: 6e-6,
      input_cost_per_audio_token: 1e-5,
      input_cost_per_image_token: '2.000001e-6',
      output_cost_per_reasoning_token: 2e-5,
      output_cost_per_audio_token: 3e-5,
      output_cost_per_image_token: 4e-5,
      input_cost_per_token_above_200k_tokens: 6e-6,
      output_cost_per_token_above_200k_tokens: 2.25e-5,
      max_tokens: 8_192,
      search_context_cost_per_query: { search_context_size_low: 0.01 },
      input_cost_per_video_per_second: 0.1,
    });
    await sync({ kept: perToken('maker', 1e-6, 2e-6) });
    expect(
      await sync({ complete, kept: { ...perToken('maker', 1e-6, 2e-6), output_cost_per_token: 'free' } }),
    ).toEqual({
      listed: 1,
      repriced: 1,
      gone: 0,
      invalid: 1,
      unknownPrices: 2,
    });
    const { aiModel } = await t.graphql<{ aiModel: { prices: object } }>(
      '{ aiModel(id: "maker/complete") { prices { upTo classes { class price } } } }',
    );
    const shared = [
      { class: 'cache_read', price: '0.3' },
      { class: 'cache_write', price: '3.75' },
      { class: 'cache_write_1h', price: '6' },
      { class: 'audio_input', price: '10' },
      { class: 'image_input', price: '2.000001' },
    ];
    const outputs = [
      { class: 'reasoning', price: '20' },
      { class: 'audio_output', price: '30' },
      { class: 'image_output', price: '40' },
    ];
    expect(aiModel.prices).toEqual([
      {
        upTo: 200_000,
        classes: [{ class: 'input', price: '3' }, ...shared, { class: 'output', price: '15' }, ...outputs],
      },
      {
        upTo: null,
        classes: [{ class: 'input', price: '6' }, ...shared, { class: 'output', price: '22.5' }, ...outputs],
      },
    ]);
    expect(await model('maker/kept')).toMatchObject({ isActive: true, inputRate: 10_000 });
  });

  test('imports prices per million tokens from a plain list and adds history only for changed prices (CON-32a)', async () => {
    const large = { provider: 'acme', name: 'plain 🌍', input: '2.15', output: 8.6 };
    expect(await sync({ models: [large] })).toMatchObject({ listed: 1, repriced: 1, gone: 0 });
    expect(await sync({ models: [large] })).toMatchObject({ listed: 1, repriced: 0, gone: 0 });
    expect(await sync({ models: [{ ...large, output: 8.7 }] })).toMatchObject({
      listed: 1,
      repriced: 1,
      gone: 0,
    });
    expect(await model('acme/plain 🌍')).toMatchObject({
      outputRate: 87_000,
      history: [{ outputRate: 87_000 }, { outputRate: 86_000 }],
    });
  });

  test('deactivates missing models, keeps their history, and reactivates models that return (CON-32a)', async () => {
    const old = { provider: 'acme', name: 'old', input: 1, output: 2 };
    const other = { provider: 'acme', name: 'other', input: 1, output: 2 };
    await sync({ models: [old, other] });
    expect(await sync({ models: [other] })).toMatchObject({ listed: 1, repriced: 0, gone: 1 });
    expect(await model('acme/old')).toMatchObject({ isActive: false, history: [{ inputRate: 10_000 }] });
    expect(await modelFailure('old')).toBe('model_not_found');
    await sync({ models: [old, other] });
    expect(await model('old')).toMatchObject({
      id: 'acme/old',
      isActive: true,
      history: [{ inputRate: 10_000 }],
    });
  });

  test.each([
    ['invalid JSON', '{', "isn't valid JSON"],
    ['a JSON array', '[]', "isn't a JSON object"],
    ['no models', '{}', 'has no model'],
    ['an empty list', '{"models":[]}', 'has no model'],
    [
      'only a negative price',
      { models: [{ provider: 'a', name: 'b', input: -1, output: 1 }] },
      'has no model',
    ],
    [
      'only a null character in a name',
      { models: [{ provider: 'a', name: 'b\u0000', input: 1, output: 1 }] },
      'has no model',
    ],
  ])('stays unchanged if the source contains %s', async (_what, text, message) => {
    await listModel(shop);
    await expect(sync(text)).rejects.toThrow(message);
    expect(await ids({ isActive: true })).toEqual(['acme/large']);
  });

  test('lists models by ID in pages, and filters by provider, name and active state', async () => {
    const named = (provider: string, name: string) => ({ provider, name, input: 1, output: 1 });
    await sync({ models: [named('x1', 'c'), named('x1', 'a'), named('x2', 'a'), named('x1', 'b')] });
    expect(await ids({ provider: 'x1' })).toEqual(['x1/a', 'x1/b', 'x1/c']);
    expect(await ids({ name: 'a', isActive: true })).toEqual(['x1/a', 'x2/a']);
    const { aiModels } = await list({ provider: 'x1', first: 2 });
    expect(aiModels.pageInfo.hasNextPage).toBe(true);
    expect(await ids({ provider: 'x1', first: 2, after: aiModels.pageInfo.endCursor })).toEqual(['x1/c']);
    await sync({ models: [named('x1', 'a')] });
    expect(await ids({ provider: 'x1', isActive: false })).toEqual(['x1/b', 'x1/c']);
    expect(await failure(listQuery, { after: 'bm90aGluZw' })).toBe('validation_error');
  });

  test('finds a model by its plain name if only one provider uses that name (CON-32)', async () => {
    const named = (provider: string) => ({ provider, name: 'shared', input: 1, output: 1 });
    await sync({ models: [named('y1')] });
    expect(await model('shared')).toMatchObject({ id: 'y1/shared' });
    await sync({ models: [named('y1'), named('y2')] });
    expect(await modelFailure('shared')).toBe('model_not_found');
    expect(await model('y2/shared')).toMatchObject({ id: 'y2/shared' });
    expect(await modelFailure('nothing')).toBe('model_not_found');
  });

  test('applies concurrent imports completely, one after another', async () => {
    const listed = (input: number) =>
      parsePriceList(
        JSON.stringify({
          models: Array.from({ length: 50 }, (_, index) => ({
            provider: 'r',
            name: `m${index}`,
            input,
            output: 1,
          })),
        }),
      );
    await Promise.all(
      [1, 2, 1, 2].map((input) => saveModelPrices(t.app.database, listed(input), t.app.wall.now())),
    );
    const { aiModels } = await t.graphql<ModelList>(
      '{ aiModels(provider: "r", first: 100) { edges { node { inputRate } } } }',
    );
    expect(new Set(aiModels.edges.map(({ node }) => node['inputRate'])).size).toBe(1);
  });
});

const tokens = { inputTokens: 18_400, cacheReadTokens: 5_200, cacheWriteTokens: 1_300, outputTokens: 2_750 };
const track = (body: object) => shop.rest('POST', '/usage/events', body);
const rejectionOf = async (body: object) =>
  ((await track(body)).body as { error: { code: string } }).error.code;
const balance = async ({ subscriptionId }: { readonly subscriptionId: string }) =>
  (
    await t.app.database.query<{ balanceRate: bigint }>(
      `SELECT coalesce((pools->'balance'->>'amount')::bigint, 0) AS "balanceRate" FROM "ConsumptionAccount" WHERE id = $1`,
      [subscriptionId],
    )
  )[0]?.balanceRate;

describe('a usage event for an AI model', () => {
  test('costs the token price plus the margin, counts all tokens, and stores the calculation (CON-13, CON-30, CON-31, CON-E2)', async () => {
    await listModel(shop);
    const consumer = await createAiConsumer(shop);
    expect(await track({ ...of(consumer), model: 'acme/large', ...tokens })).toMatchObject({
      status: 200,
      body: {
        value: 21_150,
        consumption: { model: 'balance', deducted: 633, remaining: 419_367, blocked: false },
      },
    });
    const emitted = (await allEvents(t)).filter(({ event }) => event === 'usage.recorded').at(-1);
    expect(emitted?.data).toMatchObject({ value: 21_150 });
    const kept = async () =>
      (
        await t.graphql<{ usageEvents: { edges: { node: object }[] } }>(
          `query ($customerId: String) { usageEvents(customerId: $customerId) { edges { node { value model
             tokenCost { classes { class tokens price amount } cost margin total } } } } }`,
          { customerId: consumer.customerId },
        )
      ).usageEvents.edges.map(({ node }) => node);
    const stored = {
      value: 21_150,
      model: 'acme/large',
      tokenCost: {
        classes: [
          { class: 'input', tokens: 11_900, price: '2.15', amount: '0.025585' },
          { class: 'cache_read', tokens: 5_200, price: '0.215', amount: '0.001118' },
          { class: 'cache_write', tokens: 1_300, price: '2.6875', amount: '0.00349375' },
          { class: 'output', tokens: 2_750, price: '8.6', amount: '0.02365' },
        ],
        cost: '0.05384675',
        margin: '0.00942318125',
        total: '0.06326993125',
      },
    };
    expect(await kept()).toEqual([stored]);
    await sync({ models: [{ provider: 'acme', name: 'large', input: 99, output: 99 }] });
    expect(await kept()).toEqual([stored]);
  });

  test('prices cached tokens apart from the input, and rejects parts that exceed the input (PRM-115, PRM-E24)', async () => {
    await sync({
      models: [
        {
          provider: 'acme',
          name: 'cached',
          input: 5,
          cacheRead: 0.5,
          cacheWrite: 6.25,
          cacheWrite1h: 10,
          output: 25,
        },
      ],
    });
    const consumer = await createAiConsumer(shop);
    const call = {
      ...of(consumer),
      model: 'cached',
      inputTokens: 50,
      cacheReadTokens: 100_000,
      cacheWriteTokens: 2_000,
      cacheWrite1hTokens: 1_000,
      outputTokens: 500,
    };
    expect(await track(call)).toMatchObject({
      status: 400,
      body: {
        error: {
          code: 'validation_error',
          param: 'inputTokens',
          details: { reason: 'parts_exceed_tokens', problems: [{ field: 'inputTokens' }] },
        },
      },
    });
    expect(await balance(consumer)).toBe(420_000n);
    const counted = { ...call, inputIncludesCache: false };
    // 0.08525 × 1.175 = 0.10016875.
    expect(await shop.rest('POST', '/usage/check', counted)).toMatchObject({
      status: 200,
      body: { allowed: true, quantity: 103_550, estimatedAmount: 1_002, estimatedPrice: '0.10016875' },
    });
    expect(await track({ ...counted, eventId: 'cached-1' })).toMatchObject({
      status: 200,
      body: { value: 103_550, consumption: { deducted: 1_002, remaining: 418_998 } },
    });
    expect((await track({ ...counted, eventId: 'cached-1' })).status).toBe(200);
    expect(
      await rejectionOf({ ...counted, eventId: 'cached-1', cacheReadTokens: 99_999, inputTokens: 51 }),
    ).toBe('duplicate');
    expect(await balance(consumer)).toBe(418_998n);
    // A check of units has no exact price.
    expect((await shop.rest('POST', '/usage/check', of(consumer))).body).not.toHaveProperty('estimatedPrice');
  });

  test('rejects inactive models and ambiguous names (CON-5, CON-32)', async () => {
    const named = (provider: string) => ({ provider, name: 'shared', input: 1, output: 1 });
    await sync({ models: [named('y1'), named('y2'), { ...named('y1'), name: 'gone' }] });
    await sync({ models: [named('y1'), named('y2')] });
    const consumer = await createAiConsumer(shop);
    for (const name of ['shared', 'y1/gone', 'gone', 'nothing', 'y1/', 'emoji 🌍']) {
      expect(await rejectionOf({ ...of(consumer), model: name, inputTokens: 1, outputTokens: 1 })).toBe(
        'model_not_found',
      );
    }
    expect(await balance(consumer)).toBe(420_000n);
    expect(
      (await track({ ...of(consumer), model: 'y2/shared', inputTokens: 1, outputTokens: 1 })).status,
    ).toBe(200);
  });

  /** Creates a Brazilian customer with a balance plan. `sell` sets the plan's amounts in Brazilian reais. */
  async function brazilian(sell: (planId: string, priceId: string) => Promise<unknown>) {
    const feature = await createFeature(shop, 'usage');
    const { id: planId } = await createPlan(shop, { consumptionModel: 'balance', blockOnExhaustion: true });
    await attachFeature(shop, planId, feature.id, { pricingMode: 'ai_model', margin: 1_750 });
    await sell(planId, (await createPrice(shop, planId, { includedBalance: 420_000 })).id);
    const { id: customerId } = await createCustomer(shop, 'BR');
    const { id: subscriptionId, token } = await subscribeTo(shop, customerId, planId);
    await pay(shop, token);
    return { customerId, feature, subscriptionId, planId };
  }

  test("converts the exact price at the plan's exchange rate (CON-33)", async () => {
    await listModel(shop);
    const consumer = await brazilian((planId) => setCurrency(shop, planId, 'brl', 5.43));
    // 42.00 × 5.43 = 228.06; 632.6993125 × 5.43 = 3,435.56.
    expect((await track({ ...of(consumer), model: 'acme/large', ...tokens })).body).toMatchObject({
      consumption: { deducted: 3_436, remaining: 2_280_600 - 3_436 },
    });
  });

  test('rejects the event if the plan has no exchange rate for the currency (CON-33)', async () => {
    await listModel(shop);
    const overrides = [{ currency: 'brl', price: 9_900, includedBalance: 500_000 }];
    const consumer = await brazilian((planId, priceId) =>
      shop.rest('PUT', `/plans/${planId}/prices/${priceId}/regional`, { overrides }),
    );
    expect(await rejectionOf({ ...of(consumer), model: 'acme/large', ...tokens })).toBe(
      'insufficient_balance',
    );
    expect(await balance(consumer)).toBe(500_000n);
  });

  test('requires a model for features priced by AI model, and rejects a model for other features (CON-5)', async () => {
    await listModel(shop);
    expect(await rejectionOf({ ...of(await createAiConsumer(shop)), value: 1 })).toBe(
      'pricing_mode_mismatch',
    );
    const metered = await createConsumer(shop);
    expect(await rejectionOf({ ...of(metered), model: 'acme/large', inputTokens: 1, outputTokens: 1 })).toBe(
      'pricing_mode_mismatch',
    );
  });
});

describe("an environment's own prices of a model (PRM-118)", () => {
  const path = (id: string) => `/ai-models/${encodeURIComponent(id)}/price`;
  const own = { input: '1', output: '2.5', cacheRead: '0.1' };
  const call = { inputTokens: 1_000_000, outputTokens: 0 };
  const deductedBy = async (consumer: Awaited<ReturnType<typeof createAiConsumer>>, name: string) =>
    (
      (await track({ ...of(consumer), model: name, ...call })).body as {
        consumption?: { deducted: number };
      }
    ).consumption?.deducted;

  test('take precedence over the list until they end', async () => {
    await listModel(shop);
    const consumer = await createAiConsumer(shop);
    // 1,000,000 tokens at 2.15, with a margin of 17.5%.
    expect(await deductedBy(consumer, 'large')).toBe(25_263);
    expect(await shop.rest('PUT', path('acme/large'), { prices: own })).toMatchObject({
      status: 200,
      body: {
        modelId: 'acme/large',
        prices: [
          {
            upTo: null,
            classes: [
              { class: 'input', price: '1' },
              { class: 'cache_read', price: '0.1' },
              { class: 'output', price: '2.5' },
            ],
          },
        ],
      },
    });
    expect(await deductedBy(consumer, 'large')).toBe(11_750);
    expect(await model('large')).toMatchObject({ inputRate: 10_000, cacheWriteRate: null });
    // The list can change or lose the model.
    await sync({ models: [{ provider: 'acme', name: 'other', input: 9, output: 9 }] });
    expect(await deductedBy(consumer, 'acme/large')).toBe(11_750);
    expect(await ids({ isActive: true })).toEqual(['acme/large', 'acme/other']);
    expect(await ids({ isActive: false })).not.toContain('acme/large');
    await listModel(shop);
    expect(await shop.rest('DELETE', path('acme/large'))).toMatchObject({ status: 200 });
    expect(await deductedBy(consumer, 'large')).toBe(25_262);
    expect(await shop.rest('DELETE', path('acme/large'))).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found' } },
    });
  });

  test("can add a model with bands, which isn't visible in other environments", async () => {
    await listModel(shop);
    const bands = [
      { upTo: 500_000, prices: own },
      { upTo: null, prices: { ...own, input: '3' } },
    ];
    expect((await shop.rest('PUT', path('mine/tuned'), { bands })).status).toBe(200);
    const consumer = await createAiConsumer(shop);
    expect(await deductedBy(consumer, 'tuned')).toBe(35_250);
    expect(await ids({ isActive: true })).toEqual(['acme/large', 'mine/tuned']);
    const { aiModels } = await list({ first: 1, isActive: true });
    expect(aiModels.pageInfo.hasNextPage).toBe(true);
    expect(await ids({ first: 1, isActive: true, after: aiModels.pageInfo.endCursor })).toEqual([
      'mine/tuned',
    ]);
    const other = await otherShop(t);
    expect((await other.rest('DELETE', path('mine/tuned'))).status).toBe(404);
    const elsewhere = await createAiConsumer(other);
    expect(
      await other.rest('POST', '/usage/events', { ...of(elsewhere), model: 'tuned', ...call }),
    ).toMatchObject({ body: { error: { code: 'model_not_found' } } });
  });

  test.each([
    ['no prices', {}, 'prices'],
    ['prices and bands', { prices: own, bands: [{ prices: own }] }, 'prices'],
    ['a negative price', { prices: { ...own, reasoning: '-1' } }, 'prices.reasoning'],
    ['7 decimals', { prices: { ...own, input: '0.0000001' } }, 'prices.input'],
    [
      'bands in the wrong order',
      { bands: [{ upTo: 5, prices: own }, { upTo: 5, prices: own }, { prices: own }] },
      'bands.1.upTo',
    ],
    ['a last band with a bound', { bands: [{ upTo: 5, prices: own }] }, 'bands.0.upTo'],
    ['a time in the past', { prices: own, validFrom: '2001-01-01T00:00:00Z' }, 'validFrom'],
  ])('are rejected with %s', async (_title, body, param) => {
    await listModel(shop);
    expect(await shop.rest('PUT', path('acme/large'), body)).toMatchObject({
      status: 400,
      body: { error: { code: 'validation_error', param } },
    });
    expect(await model('acme/large')).toMatchObject({ inputRate: 21_500 });
  });

  test('require a known name or an ID with a provider', async () => {
    expect(await shop.rest('PUT', path('unknown'), { prices: own })).toMatchObject({
      body: { error: { code: 'model_not_found' } },
    });
  });
});

/** Starts a server that returns a price list and counts requests. Responds with status 500 by default. */
async function openSource() {
  const server = createServer((_request, response) => {
    source.requests++;
    response.writeHead(source.answer.status).end(source.answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const source = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/prices.json`,
    requests: 0,
    answer: { status: 500, body: '' },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
  return source;
}

const oneModel = {
  status: 200,
  body: '{"models":[{"provider":"daily","name":"one","input":1,"output":1}]}',
};

describe('the configured price source', () => {
  test('is read only once if the daily import is due in two processes (CON-32a)', async () => {
    const source = await openSource();
    source.answer = oneModel;
    // No other task is due at this time.
    const wall = new MovableClock('2001-03-01T00:00:00.000Z');
    const app = { ...withSettings(t.app, { AI_PRICES_URL: source.url }), wall };
    const { database } = t.app;
    const [found, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let looks = 0;
    let leases = 0;
    const query: typeof database.query = async (text, ...rest) => {
      if (text.startsWith('UPDATE "ScheduledTask" l SET "leaseOwner" = $2')) leases++;
      const rows = await database.query(text, ...rest);
      if (!text.startsWith('SELECT t.name')) return rows as never;
      looks++;
      if (looks === 1) {
        expect(rows).toEqual([{ name: 'model_prices' }]);
        found.resolve();
        await goesOn.promise;
      }
      return rows as never;
    };
    const late = scheduledTaskLoop.start({ ...app, database: { ...database, query } });
    await found.promise;
    const first = scheduledTaskLoop.start(app);
    const row = () =>
      database.query(`SELECT "dueAt", failures FROM "ScheduledTask" WHERE name = 'model_prices'`);
    const done = [{ dueAt: new Date('2001-03-02T00:00:00.000Z'), failures: 0 }];
    await eventually(async () => JSON.stringify(await row()) === JSON.stringify(done));
    await first.stop();
    goesOn.resolve();
    await eventually(() => looks === 2);
    expect({ leases, requests: source.requests }).toEqual({ leases: 1, requests: 1 });
    expect(await row()).toEqual(done);
    await late.stop();
    await source.close();
    await database.query(`DELETE FROM "ScheduledTask" WHERE name = 'model_prices'`);
  });

  test('is read once a day across processes, and retried soon after a failure (CON-32a)', async () => {
    const source = await openSource();
    const wall = new MovableClock('2027-03-01T00:00:00.000Z');
    const task = async () => {
      const [row] = await t.app.database.query<{ dueAt: Date; failures: number; leaseOwner: string | null }>(
        `SELECT "dueAt", failures, "leaseOwner" FROM "ScheduledTask" WHERE name = 'model_prices'`,
      );
      return row === undefined || row.leaseOwner !== null ? null : [row.dueAt.toISOString(), row.failures];
    };
    const loops = [1, 2, 3].map(() =>
      scheduledTaskLoop.start({ ...withSettings(t.app, { AI_PRICES_URL: source.url }), wall }),
    );
    const comesTo = async (time: string, dueAt: string, failures: number): Promise<void> => {
      wall.set(time);
      for (const loop of loops) loop.wake();
      await eventually(async () => JSON.stringify(await task()) === JSON.stringify([dueAt, failures]));
    };
    await comesTo('2027-03-01T00:00:00.000Z', '2027-03-01T00:00:30.000Z', 1);
    expect(source.requests).toBe(1);
    await comesTo('2027-03-01T00:00:30.000Z', '2027-03-01T00:01:30.000Z', 2);
    source.answer = oneModel;
    await comesTo('2027-03-01T00:01:30.000Z', '2027-03-02T00:01:30.000Z', 0);
    expect(await ids({ isActive: true })).toEqual(['daily/one']);
    await comesTo('2027-03-02T00:01:30.000Z', '2027-03-03T00:01:30.000Z', 0);
    expect(source.requests).toBe(4);
    await Promise.all(loops.map((loop) => loop.stop()));
    await source.close();
  });
});
