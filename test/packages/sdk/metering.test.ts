import Anthropic from '@anthropic-ai/sdk';
import { generateText, streamText } from 'ai';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { ConnectionError } from '../../../src/packages/sdk/errors.ts';
import { metered as meteredModel } from '../../../src/packages/sdk/llm/ai-sdk.ts';
import { metered as meteredAnthropic } from '../../../src/packages/sdk/llm/anthropic.ts';
import { metered as meteredOpenai } from '../../../src/packages/sdk/llm/openai.ts';
import { metered as meteredOpenrouter } from '../../../src/packages/sdk/llm/openrouter.ts';
import { type UsageInput, UsageQueue } from '../../../src/packages/sdk/usage-queue.ts';

/** Usage events that a wrapper recorded. */
function recorder(onAbort?: 'drain') {
  const events: UsageInput[] = [];
  const options = {
    quittance: { usageQueue: { add: (event: UsageInput) => events.push(event) as unknown as undefined } },
    customerId: 'ada',
    featureCode: 'tokens',
    ...(onAbort === undefined ? {} : { onAbort }),
  };
  return { events, options };
}

/** Expected usage event: the listed fields, and the common ones. */
const usage = (fields: object, properties: object[] = []) => ({
  customerId: 'ada',
  featureCode: 'tokens',
  eventId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  properties,
  ...fields,
});

const estimated = [{ property: 'estimated', value: 'true' }];

const json = (value: unknown): Response =>
  new Response(JSON.stringify(value), { headers: { 'content-type': 'application/json' } });

/** Response with server-sent events. Breaks after the chunks if `isBroken` is true. */
function stream(
  chunks: readonly { readonly type?: string; readonly [field: string]: unknown }[],
  isBroken = false,
): Response {
  const encoder = new TextEncoder();
  const parts = chunks.map(
    (chunk) =>
      `${chunk.type === undefined ? '' : `event: ${chunk.type}\n`}data: ${JSON.stringify(chunk)}\n\n`,
  );
  const waiting = isBroken
    ? parts
    : [...parts, ...(chunks[0]?.type === undefined ? ['data: [DONE]\n\n'] : [])];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = waiting.shift();
      if (next !== undefined) controller.enqueue(encoder.encode(next));
      else if (isBroken) controller.error(new TypeError('The connection was reset.'));
      else controller.close();
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

/** Fetch function of a vendor that returns responses in order, and records the requests. */
function vendor(...responses: Response[]) {
  const bodies: Record<string, unknown>[] = [];
  const send: typeof fetch = async (_url, init) => {
    bodies.push(JSON.parse(String(init?.body)));
    return responses.shift() ?? new Response('{}', { status: 500 });
  };
  return { bodies, send };
}

const openaiWith = (send: typeof fetch): OpenAI =>
  new OpenAI({ apiKey: 'none', baseURL: 'https://api.example.com/v1', fetch: send, maxRetries: 0 });

const chatUsage = {
  prompt_tokens: 1_200,
  completion_tokens: 640,
  prompt_tokens_details: { cached_tokens: 800 },
  completion_tokens_details: { reasoning_tokens: 100 },
};
const reported = {
  model: 'gpt-5-2026',
  inputTokens: 1_200,
  outputTokens: 640,
  cacheReadTokens: 800,
  reasoningTokens: 100,
  inputIncludesCache: true,
};
const delta = (content: string) => ({ model: 'gpt-5-2026', choices: [{ index: 0, delta: { content } }] });
const usageChunk = { model: 'gpt-5-2026', choices: [], usage: chatUsage };
const chat = { model: 'gpt-5', messages: [{ role: 'user' as const, content: 'Hello' }] };
const streamedChat = { ...chat, stream: true as const };

/** Returns the chunks that a client without the wrapper returns. The client adds fields to the chunks of the vendor. */
const chunksWithoutWrapper = async (...chunks: Parameters<typeof stream>[0]) =>
  Array.fromAsync(await openaiWith(vendor(stream(chunks)).send).chat.completions.create(streamedChat));

describe('the wrapper for OpenAI', () => {
  test('records the reported tokens of a chat completion, and returns the same response', async () => {
    const { events, options } = recorder();
    const response = { model: 'gpt-5-2026', choices: [{ message: { content: 'Hi' } }], usage: chatUsage };
    const { send, bodies } = vendor(json(response), json(response));
    const client = openaiWith(send);
    expect(await meteredOpenai(client, options).chat.completions.create(chat)).toEqual(response);
    expect(bodies[0]).toEqual(chat);
    expect(events).toEqual([usage(reported)]);
    await client.chat.completions.create(chat);
    expect(events.length).toBe(1);
  });

  test('requests the usage of a stream, and omits the added chunk', async () => {
    const { events, options } = recorder();
    const { send, bodies } = vendor(stream([delta('Hello'), delta(' there'), usageChunk]));
    const chunks = await Array.fromAsync(
      await meteredOpenai(openaiWith(send), options).chat.completions.create(streamedChat),
    );
    expect(bodies[0]).toEqual({ ...streamedChat, stream_options: { include_usage: true } });
    expect(chunks).toEqual(await chunksWithoutWrapper(delta('Hello'), delta(' there')));
    expect(chunks).toMatchObject([delta('Hello'), delta(' there')]);
    expect(events).toEqual([usage(reported)]);
  });

  test('keeps the chunk with the usage if the caller requested it', async () => {
    const { events, options } = recorder();
    const { send } = vendor(stream([delta('Hello'), usageChunk]));
    const request = { ...streamedChat, stream_options: { include_usage: true } };
    const result = await meteredOpenai(openaiWith(send), options).chat.completions.create(request);
    const chunks = await Array.fromAsync(result);
    expect(chunks).toEqual(await chunksWithoutWrapper(delta('Hello'), usageChunk));
    expect(chunks).toMatchObject([delta('Hello'), usageChunk]);
    expect(events).toEqual([usage(reported)]);
  });

  test.each([1, 2, 5, 10])(
    'estimates the output of a stream that is aborted after %i chunks',
    async (count) => {
      const { events, options } = recorder();
      const chunks = Array.from({ length: 12 }, () => delta('x'.repeat(164)));
      const { send } = vendor(stream([...chunks, usageChunk]));
      let received = 0;
      for await (const _chunk of await meteredOpenai(openaiWith(send), options).chat.completions.create(
        streamedChat,
      )) {
        received += 1;
        if (received === count) break;
      }
      // One token for 4 bytes: 41 tokens in each chunk. The input is estimated from the messages.
      const inputTokens = Math.ceil(JSON.stringify(chat.messages).length / 4);
      expect(events).toEqual([
        usage({ model: 'gpt-5-2026', inputTokens, outputTokens: 41 * count }, estimated),
      ]);
    },
  );

  test('reads an aborted stream to its end with `drain`', async () => {
    const { events, options } = recorder('drain');
    const { send } = vendor(stream([delta('Hello'), delta(' there'), usageChunk]));
    for await (const _chunk of await meteredOpenai(openaiWith(send), options).chat.completions.create(
      streamedChat,
    ))
      break;
    await expect.poll(() => events).toEqual([usage(reported)]);
  });

  test('records a stream that breaks once, including the arguments of tools', async () => {
    const { events, options } = recorder();
    const tool = {
      choices: [{ index: 0, delta: { tool_calls: [{ function: { arguments: '{"city":"Bonn"}' } }] } }],
    };
    const { send } = vendor(stream([tool], true));
    const result = await meteredOpenai(openaiWith(send), options).chat.completions.create(streamedChat);
    await expect(Array.fromAsync(result)).rejects.toThrow();
    expect(events.map(({ outputTokens }) => outputTokens)).toEqual([4]);
  });

  test('records nothing for a call that fails before any output', async () => {
    const { events, options } = recorder();
    const ai = meteredOpenai(openaiWith(vendor().send), options);
    await expect(ai.chat.completions.create(chat)).rejects.toThrow();
    expect(events).toEqual([]);
  });

  test('keeps a reported 0, and ignores invalid counts', async () => {
    const { events, options } = recorder();
    const { send } = vendor(
      json({ model: 'm', usage: { prompt_tokens: 5, completion_tokens: 0 } }),
      json({ model: 'm', usage: { prompt_tokens: -1, completion_tokens: Number.NaN } }),
    );
    const ai = meteredOpenai(openaiWith(send), options);
    await ai.chat.completions.create(chat);
    await ai.chat.completions.create(chat);
    expect(events).toEqual([
      usage({ model: 'm', inputTokens: 5, outputTokens: 0, inputIncludesCache: true }),
    ]);
  });

  test('records responses, streamed or not', async () => {
    const { events, options } = recorder();
    const tokens = { input_tokens: 10, output_tokens: 4, input_tokens_details: { cached_tokens: 2 } };
    const { send } = vendor(
      json({ model: 'gpt-5', output: [], usage: tokens }),
      stream([
        { type: 'response.output_text.delta', delta: 'Hello' } as { type: string },
        { type: 'response.completed', response: { model: 'gpt-5', usage: tokens } } as { type: string },
      ]),
    );
    const ai = meteredOpenai(openaiWith(send), options);
    await ai.responses.create({ model: 'gpt-5', input: 'Hello' });
    await Array.fromAsync(await ai.responses.create({ model: 'gpt-5', input: 'Hello', stream: true }));
    const expected = usage({
      model: 'gpt-5',
      inputTokens: 10,
      outputTokens: 4,
      cacheReadTokens: 2,
      inputIncludesCache: true,
    });
    expect(events).toEqual([expected, expected]);
  });
});

describe('the wrapper for Anthropic', () => {
  const clientOf = (send: typeof fetch): Anthropic =>
    new Anthropic({ apiKey: 'none', baseURL: 'https://api.example.com', fetch: send, maxRetries: 0 });
  const request = {
    model: 'claude',
    max_tokens: 100,
    messages: [{ role: 'user' as const, content: 'Hello' }],
  };
  const cache = {
    cache_read_input_tokens: 800,
    cache_creation_input_tokens: 30,
    cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
  };
  const input = {
    model: 'claude',
    inputTokens: 412,
    cacheReadTokens: 800,
    cacheWriteTokens: 10,
    cacheWrite1hTokens: 20,
    inputIncludesCache: false,
  };
  const started = {
    type: 'message_start',
    message: { model: 'claude', usage: { input_tokens: 412, output_tokens: 1, ...cache } },
  };
  const text = (written: string) => ({
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'text_delta', text: written },
  });
  const ended = { type: 'message_delta', delta: {}, usage: { output_tokens: 50 } };

  test('records the reported tokens of a message, whose input excludes cached tokens', async () => {
    const { events, options } = recorder();
    const { send } = vendor(
      json({ model: 'claude', usage: { input_tokens: 412, output_tokens: 50, ...cache } }),
    );
    await meteredAnthropic(clientOf(send), options).messages.create(request);
    expect(events).toEqual([usage({ ...input, outputTokens: 50 })]);
  });

  test('records the tokens of a stream, and estimates only the output of an aborted stream', async () => {
    const { events, options } = recorder();
    const written = 'x'.repeat(412);
    const { send } = vendor(stream([started, text(written), ended]), stream([started, text(written), ended]));
    const ai = meteredAnthropic(clientOf(send), options);
    await Array.fromAsync(await ai.messages.create({ ...request, stream: true }));
    for await (const { type } of await ai.messages.create({ ...request, stream: true }))
      if (type === 'content_block_delta') break;
    expect(events).toEqual([
      usage({ ...input, outputTokens: 50 }),
      usage({ ...input, outputTokens: 103 }, estimated),
    ]);
  });
});

describe('the wrapper for OpenRouter', () => {
  test('records the model that served the call and the charge', async () => {
    const { events, options } = recorder();
    const send = async () => ({
      model: 'anthropic/claude',
      usage: {
        promptTokens: 10,
        completionTokens: 4,
        promptTokensDetails: { cachedTokens: 2 },
        cost: 0.0125,
      },
    });
    const request = { chatGenerationParams: { model: 'openrouter/auto', messages: [] } };
    await meteredOpenrouter({ chat: { send: (_request: typeof request) => send() } }, options).chat.send(
      request,
    );
    expect(events).toEqual([
      usage(
        {
          model: 'anthropic/claude',
          inputTokens: 10,
          outputTokens: 4,
          cacheReadTokens: 2,
          inputIncludesCache: true,
        },
        [{ property: 'cost', value: '0.0125' }],
      ),
    ]);
  });
});

describe('the wrapper for the AI SDK', () => {
  const tokens = {
    inputTokens: { total: 20, noCache: 15, cacheRead: 5, cacheWrite: 0 },
    outputTokens: { total: 8, text: 6, reasoning: 2 },
  };
  const expected = usage({
    model: 'served',
    inputTokens: 20,
    outputTokens: 8,
    cacheReadTokens: 5,
    cacheWriteTokens: 0,
    reasoningTokens: 2,
    inputIncludesCache: true,
  });
  const finish = { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage: tokens };
  const partsOf = (count: number) => [
    { type: 'stream-start', warnings: [] },
    { type: 'response-metadata', id: '1', modelId: 'served' },
    { type: 'text-start', id: '1' },
    ...Array.from({ length: count }, () => ({ type: 'text-delta', id: '1', delta: 'abcd' })),
    { type: 'text-end', id: '1' },
    finish,
  ];
  const model = {
    specificationVersion: 'v4' as const,
    provider: 'test',
    modelId: 'requested',
    supportedUrls: {},
    doGenerate: async () => ({
      content: [{ type: 'text', text: 'Hi' }],
      finishReason: finish.finishReason,
      usage: tokens,
      warnings: [],
      response: { modelId: 'served' },
    }),
    doStream: async (_input: { readonly prompt: unknown }) => ({
      stream: new ReadableStream({
        start(controller) {
          for (const part of partsOf(5)) controller.enqueue(part);
          controller.close();
        },
      }),
    }),
  };

  test('records the tokens of generated and streamed text', async () => {
    const { events, options } = recorder();
    const ai = meteredModel(model as never, options) as Parameters<typeof generateText>[0]['model'];
    expect((await generateText({ model: ai, prompt: 'Hello' })).text).toBe('Hi');
    const streamed = streamText({ model: ai, prompt: 'Hello' });
    expect(await streamed.text).toBe('abcd'.repeat(5));
    expect(events).toEqual([expected, expected]);
  });

  test('records a canceled stream once', async () => {
    const { events, options } = recorder();
    const ai = meteredModel(model as never, options) as typeof model;
    const { stream: parts } = await ai.doStream({ prompt: 'Hello' });
    for await (const part of parts) if (part.type === 'text-delta') break;
    expect(events.map(({ outputTokens, properties }) => [outputTokens, properties])).toEqual([
      [1, estimated],
    ]);
  });
});

describe('the queue of usage events', () => {
  const event = (eventId: string): UsageInput => ({ customerId: 'ada', featureCode: 'tokens', eventId });

  test('retries an event with the same ID, and reports each event that is rejected or exceeds the queue', async () => {
    const sent: string[] = [];
    const dropped: string[] = [];
    let isDown = true;
    const track = async ({ eventId }: { eventId?: string | undefined }) => {
      if (isDown) throw new ConnectionError('The service is down.');
      if (eventId === 'rejected') throw new Error('The feature is unknown.');
      sent.push(String(eventId));
    };
    const queue = new UsageQueue(
      { usage: { track: track as never } },
      {
        onDropped: ({ eventId }) => dropped.push(eventId),
      },
    );
    for (const id of ['first', 'rejected', 'last']) queue.add(event(id));
    await queue.flush();
    expect([sent, dropped, queue.size]).toEqual([[], [], 3]);
    isDown = false;
    await queue.flush();
    expect([sent, dropped, queue.size]).toEqual([['first', 'last'], ['rejected'], 0]);
  });

  test('keeps at most 10,000 events if events are added during an attempt that fails', async () => {
    const dropped: string[] = [];
    let fail: (error: Error) => void = () => undefined;
    const attempt = new Promise<never>((_resolve, reject) => {
      fail = reject;
    });
    const queue = new UsageQueue(
      { usage: { track: () => attempt } },
      { onDropped: ({ eventId }) => dropped.push(eventId) },
    );
    queue.add(event('first'));
    await Promise.resolve();
    for (let index = 1; index <= 10_000; index++) queue.add(event(String(index)));
    expect([queue.size, dropped]).toEqual([10_000, []]);
    fail(new ConnectionError('The service is down.'));
    await expect.poll(() => dropped).toEqual(['first']);
    expect(queue.size).toBe(10_000);
  });

  test('drops the oldest of more than 10,000 waiting events', () => {
    const dropped: string[] = [];
    const queue = new UsageQueue(
      { usage: { track: (() => new Promise(() => undefined)) as never } },
      { onDropped: ({ eventId }) => dropped.push(eventId) },
    );
    for (let index = 0; index <= 10_000; index++) queue.add(event(String(index)));
    expect(dropped).toEqual(['0']);
  });
});
