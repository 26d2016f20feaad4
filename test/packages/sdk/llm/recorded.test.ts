import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Quittance, type UsageInput } from '../../../../src/packages/sdk/index.ts';
import { metered } from '../../../../src/packages/sdk/llm/openai.ts';
import { type Consumer, createConsumer } from '../../../support/consumers.ts';
import { firstShop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { json, stream, vendor } from './support.ts';

// Calls of a language model whose tokens the service prices.

let t: TestApp;
let q: Quittance;
let consumer: Consumer;
const dropped: UsageInput[] = [];
beforeAll(async () => {
  t = await startApp();
  q = new Quittance({
    apiKey: t.sandboxKey,
    baseUrl: t.url,
    onDropped: (event) => dropped.push(event),
  });
  await q.aiModels.priceSet('acme/large', { prices: { input: '3', output: '15', cacheRead: '0.3' } });
  consumer = await createConsumer(firstShop(t), {
    plan: { consumptionModel: 'balance', blockOnExhaustion: true },
    price: { includedBalance: 420_000 },
    terms: { pricingMode: 'ai_model', margin: 2_000 },
  });
});
afterAll(() => t.close());

type Recorded = {
  readonly usageEvents: {
    readonly nodes: readonly {
      readonly model: string;
      readonly value: number;
      readonly tokenCost: { readonly total: string };
      readonly properties: readonly { readonly property: string; readonly value: string }[];
    }[];
  };
};

const recorded = async () => {
  const query = `query ($customerId: String) { usageEvents(customerId: $customerId) {
    nodes { model value tokenCost { total } properties { property value } }
  } }`;
  const { usageEvents } = await q.graphql<Recorded>(query, { customerId: consumer.customerId });
  return usageEvents.nodes;
};

/** Returns a client of OpenAI whose tokens the service records. */
function clientFor(response: Response, mode?: 'record'): OpenAI {
  const { send } = vendor(response);
  const client = new OpenAI({
    apiKey: 'none',
    baseURL: 'https://api.example.com',
    fetch: send,
    maxRetries: 0,
  });
  const { customerId, feature } = consumer;
  return metered(client, { quittance: q, customerId, featureCode: feature.code, mode });
}

// The messages are 4,800 bytes of JSON, which are estimated as 1,200 tokens.
const frame = JSON.stringify([{ role: 'user', content: '' }]).length;
const messages = [{ role: 'user' as const, content: 'two words '.repeat(480).slice(0, 4_800 - frame) }];
const tokens = {
  prompt_tokens: 1_200,
  completion_tokens: 640,
  prompt_tokens_details: { cached_tokens: 800 },
};

describe('the tokens of a wrapped client', () => {
  test('are priced as reported, by the requested model if the price list does not contain the served version', async () => {
    const client = clientFor(json({ model: 'acme/large-2026-11-01', usage: tokens, choices: [] }));
    await client.chat.completions.create({ model: 'acme/large', messages });
    await q.flush();
    // (400 × 3.00 + 800 × 0.30 + 640 × 15.00) ÷ 1,000,000, with a margin of 20%.
    expect(await recorded()).toEqual([
      { model: 'acme/large', value: 1_840, tokenCost: { total: '0.013248' }, properties: [] },
    ]);
  });

  test('are estimated if the stream is aborted', async () => {
    const chunk = { model: 'acme/large', choices: [{ index: 0, delta: { content: 'x'.repeat(1_648) } }] };
    const client = clientFor(stream([chunk, { model: 'acme/large', choices: [], usage: tokens }]));
    const chunks = await client.chat.completions.create({ model: 'acme/large', messages, stream: true });
    for await (const _chunk of chunks) break;
    await q.flush();
    // (1,200 × 3.00 + 412 × 15.00) ÷ 1,000,000, with a margin of 20%.
    expect((await recorded())[0]).toEqual({
      model: 'acme/large',
      value: 1_612,
      tokenCost: { total: '0.011736' },
      properties: [{ property: 'estimated', value: 'true' }],
    });
  });

  test('are reported as dropped if the price list contains neither model', async () => {
    const client = clientFor(json({ model: 'other/served', usage: tokens, choices: [] }), 'record');
    await client.chat.completions.create({ model: 'other/requested', messages });
    await q.flush();
    expect(dropped).toEqual([expect.objectContaining({ model: 'other/served', inputTokens: 1_200 })]);
    expect((await recorded()).length).toBe(2);
  });
});
