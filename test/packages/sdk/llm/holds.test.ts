import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Quittance } from '../../../../src/packages/sdk/index.ts';
import { metered as meteredModel } from '../../../../src/packages/sdk/llm/ai-sdk.ts';
import { metered as meteredAnthropic } from '../../../../src/packages/sdk/llm/anthropic.ts';
import type { MeteringOptions } from '../../../../src/packages/sdk/llm/metered-call.ts';
import { metered } from '../../../../src/packages/sdk/llm/openai.ts';
import { metered as meteredOpenRouter } from '../../../../src/packages/sdk/llm/openrouter.ts';
import { type Consumer, createConsumer } from '../../../support/consumers.ts';
import { firstShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { json, stream, vendor } from './support.ts';

// Calls of language models whose tokens the service reserves before the call.

let t: TestApp;
let q: Quittance;
let shop: Shop;
let consumer: Consumer;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
  q = new Quittance({ apiKey: t.sandboxKey, baseUrl: t.url });
  await q.aiModels.priceSet('acme/large', { prices: { input: '3', output: '15', cacheRead: '0.3' } });
});
afterAll(() => t.close());
beforeEach(() => startWith(2_000));

/** Creates a customer with a balance, in 1/10,000 of a currency unit. */
async function startWith(includedBalance: number): Promise<void> {
  consumer = await createConsumer(shop, {
    plan: { consumptionModel: 'balance', blockOnExhaustion: true },
    price: { includedBalance },
    terms: { pricingMode: 'ai_model', margin: 2_000 },
  });
}

const optionsWith = (options: Partial<MeteringOptions> = {}): MeteringOptions => ({
  quittance: q,
  customerId: consumer.customerId,
  featureCode: consumer.feature.code,
  ...options,
});

/** Returns the statuses and settled tokens of the customer's holds, and the tokens of the customer's usage events, oldest first. */
async function outcome() {
  await q.flush();
  const { data } = await q.usage.holds({ customerId: consumer.customerId });
  const query = `query ($customerId: String) { usageEvents(customerId: $customerId) { nodes { value eventId } } }`;
  const { usageEvents } = await q.graphql<{ usageEvents: { nodes: { value: number; eventId: string }[] } }>(
    query,
    { customerId: consumer.customerId },
  );
  return {
    holds: data.map(({ status, quantity }) => [status, quantity]).toReversed(),
    events: usageEvents.nodes.map(({ value }) => value).toReversed(),
    isSameId: data.every(
      ({ status, holdId }) =>
        status !== 'settled' || usageEvents.nodes.some(({ eventId }) => eventId === holdId),
    ),
  };
}

// The messages are 4,800 bytes of JSON, which are estimated as 1,200 tokens.
const frame = JSON.stringify([{ role: 'user', content: '' }]).length;
const messages = [{ role: 'user' as const, content: 'two words '.repeat(480).slice(0, 4_800 - frame) }];
const chat = { model: 'acme/large', messages, max_tokens: 1_000 };
const tokens = {
  prompt_tokens: 1_200,
  completion_tokens: 640,
  prompt_tokens_details: { cached_tokens: 800 },
};
const text = { model: 'acme/large', choices: [{ index: 0, delta: { content: 'x'.repeat(1_648) } }] };
const end = { model: 'acme/large', choices: [], usage: tokens };

const openaiWith = (send: typeof fetch): OpenAI =>
  new OpenAI({ apiKey: 'none', baseURL: 'https://api.example.com', fetch: send, maxRetries: 0 });

describe('a wrapped client of OpenAI', () => {
  test('settles the hold with the reported tokens', async () => {
    const { send, bodies } = vendor(json({ model: 'acme/large', usage: tokens, choices: [] }));
    const result = await metered(openaiWith(send), optionsWith()).chat.completions.create(chat);
    expect(result.usage).toEqual(tokens);
    expect(bodies).toEqual([chat]);
    expect(await outcome()).toEqual({ holds: [['settled', '2200']], events: [1_840], isSameId: true });
  });

  test('settles the hold of a stream once, also with the helpers of the client', async () => {
    const finished = { choices: [{ index: 0, delta: { role: 'assistant' }, finish_reason: 'stop' }] };
    const { send } = vendor(
      stream([text, end]),
      stream([{ ...text, id: '1', created: 1 }, finished, end]),
      stream([text, end]),
    );
    const { completions } = metered(openaiWith(send), optionsWith()).chat;
    expect(await Array.fromAsync(await completions.create({ ...chat, stream: true }))).toHaveLength(1);
    await completions.stream(chat).finalChatCompletion();
    const { data, response } = await completions.create({ ...chat, stream: true }).withResponse();
    expect([response.status, (await Array.fromAsync(data)).length]).toEqual([200, 1]);
    const settled = ['settled', '2200'];
    expect(await outcome()).toEqual({
      holds: [settled, settled, settled],
      events: [1_840, 1_840, 1_840],
      isSameId: true,
    });
  });

  test('settles an aborted stream with the received text, at most the held tokens', async () => {
    const { send } = vendor(stream([text, end]), stream([text, text, text, end]));
    const { completions } = metered(openaiWith(send), optionsWith()).chat;
    for await (const _chunk of await completions.create({ ...chat, stream: true })) break;
    let received = 0;
    const limited = { ...chat, max_tokens: 500, stream: true as const };
    for await (const _chunk of await completions.create(limited)) if (++received === 2) break;
    expect(await outcome()).toEqual({
      holds: [
        ['settled', '2200'],
        ['settled', '1700'],
      ],
      // 1,200 + 412, and 1,200 + 500 of 824.
      events: [1_612, 1_700],
      isSameId: true,
    });
  });

  test('settles an aborted stream exactly with `drain`', async () => {
    const { send } = vendor(stream([text, text, end]));
    const { completions } = metered(openaiWith(send), optionsWith({ onAbort: 'drain' })).chat;
    for await (const _chunk of await completions.create({ ...chat, stream: true })) break;
    expect(await outcome()).toMatchObject({ holds: [['settled', '2200']], events: [1_840] });
  });

  test('releases the hold of a call that fails before the first chunk', async () => {
    const { send } = vendor(new Response('{}', { status: 500 }), stream([], true));
    const { completions } = metered(openaiWith(send), optionsWith()).chat;
    await expect(completions.create(chat)).rejects.toThrow('500');
    const broken = await completions.create({ ...chat, stream: true });
    await expect(Array.fromAsync(broken)).rejects.toThrow('reset');
    const released = ['released', '2200'];
    expect(await outcome()).toEqual({ holds: [released, released], events: [], isSameId: true });
  });

  test('settles the received part of a stream that fails', async () => {
    const { send } = vendor(stream([text], true));
    const { completions } = metered(openaiWith(send), optionsWith()).chat;
    const broken = await completions.create({ ...chat, stream: true });
    await expect(Array.fromAsync(broken)).rejects.toThrow('reset');
    expect(await outcome()).toMatchObject({ holds: [['settled', '2200']], events: [1_612] });
  });

  test('releases the hold if only the raw response is requested', async () => {
    const { send } = vendor(json({ model: 'acme/large', usage: tokens, choices: [] }));
    const raw = await metered(openaiWith(send), optionsWith()).chat.completions.create(chat).asResponse();
    expect(await raw.json()).toMatchObject({ usage: tokens });
    expect(await outcome()).toMatchObject({ holds: [['released', '2200']], events: [] });
  });

  test('does not call the vendor if the hold is rejected', async () => {
    await startWith(420);
    const { send, bodies } = vendor();
    const { completions } = metered(openaiWith(send), optionsWith()).chat;
    // 1,200 × 3.00 + 4,096 × 15.00 per million, with a margin of 20%, is more than the balance of 0.042.
    const { max_tokens, ...unlimited } = chat;
    await expect(completions.create(unlimited)).rejects.toMatchObject({ code: 'insufficient_balance' });
    expect([bodies, max_tokens]).toEqual([[], 1_000]);
    expect(await outcome()).toEqual({ holds: [], events: [], isSameId: true });
  });

  test('reduces the output limit to the tokens that fit', async () => {
    await startWith(420);
    const { send, bodies } = vendor(json({ model: 'acme/large', usage: tokens, choices: [] }));
    const { completions } = metered(openaiWith(send), optionsWith({ hold: { atLeast: 100 } })).chat;
    await completions.create({ ...chat, max_tokens: 4_096 });
    const granted = Number(bodies[0]?.['max_tokens']);
    // (0.042 ÷ 1.2 − 1,200 × 0.000003) ÷ 0.000015 output tokens.
    expect(granted).toBe(2_093);
    expect(await outcome()).toMatchObject({ holds: [['settled', '3293']], events: [1_840] });
  });

  test('opens no hold with the mode `record`', async () => {
    const { send } = vendor(json({ model: 'acme/large', usage: tokens, choices: [] }));
    await metered(openaiWith(send), optionsWith({ mode: 'record' })).chat.completions.create(chat);
    expect(await outcome()).toEqual({ holds: [], events: [1_840], isSameId: true });
  });
});

describe('the other wrappers', () => {
  test('settle the holds of Anthropic', async () => {
    const usage = { input_tokens: 400, cache_read_input_tokens: 800, output_tokens: 640 };
    const { send, bodies } = vendor(
      json({ type: 'message', model: 'acme/large', content: [], usage }),
      new Response('{}', { status: 500 }),
    );
    const client = new Anthropic({ apiKey: 'none', fetch: send, maxRetries: 0 });
    const ai = meteredAnthropic(client, optionsWith());
    await ai.messages.create(chat);
    await expect(ai.messages.create(chat)).rejects.toThrow('500');
    expect(bodies).toHaveLength(2);
    const { holds, events } = await outcome();
    expect([holds.map(([status]) => status), events]).toEqual([['settled', 'released'], [1_840]]);
  });

  test('settle and release the holds of the AI SDK', async () => {
    const limits: unknown[] = [];
    let isBroken = false;
    const model = {
      provider: 'test',
      modelId: 'acme/large',
      doGenerate: async (input: { readonly prompt: unknown; readonly maxOutputTokens?: number }) => {
        limits.push(input.maxOutputTokens);
        if (isBroken) throw new Error('The model is overloaded.');
        return { content: [], usage: { inputTokens: 1_200, outputTokens: 640 } };
      },
      doStream: async (_input: { readonly prompt: unknown }) => ({ stream: new ReadableStream() }),
    };
    const ai = meteredModel(model as never, optionsWith({ hold: { atLeast: 100 } })) as typeof model;
    await ai.doGenerate({ prompt: messages, maxOutputTokens: 1_000 });
    isBroken = true;
    await expect(ai.doGenerate({ prompt: messages, maxOutputTokens: 10 })).rejects.toThrow('overloaded');
    expect(limits).toEqual([undefined, 10].map((limit) => limit ?? 1_000));
    expect(await outcome()).toEqual({
      holds: [
        ['settled', '2200'],
        ['released', '1210'],
      ],
      events: [1_840],
      isSameId: true,
    });
  });

  test('settle and release the holds of OpenRouter', async () => {
    let isBroken = false;
    const client = {
      chat: {
        send: async (_request: { readonly chatRequest: object }) => {
          if (isBroken) throw new Error('No provider is available.');
          return { model: 'acme/large', usage: { promptTokens: 1_200, completionTokens: 640 } };
        },
      },
    };
    const ai = meteredOpenRouter(client as never, optionsWith()) as typeof client;
    const chatRequest = { model: 'acme/large', messages, maxTokens: 1_000 };
    await ai.chat.send({ chatRequest });
    isBroken = true;
    await expect(ai.chat.send({ chatRequest })).rejects.toThrow('No provider');
    const { holds, events } = await outcome();
    expect([holds.map(([status]) => status), events]).toEqual([['settled', 'released'], [1_840]]);
  });
});
