import { generateText, streamText } from 'ai';
import { describe, expect, test } from 'vitest';
import { metered } from '../../../../src/packages/sdk/llm/ai-sdk.ts';
import { estimated, recorder, usage } from './support.ts';

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
  const streamOf = (parts: readonly object[]) =>
    new ReadableStream<object>({
      start(controller) {
        for (const part of parts) controller.enqueue(part);
        controller.close();
      },
    });
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
      stream: streamOf(partsOf(5)),
    }),
  };

  test('records the tokens of generated and streamed text', async () => {
    const { events, options } = recorder();
    const ai = metered(model as never, options) as Parameters<typeof generateText>[0]['model'];
    expect((await generateText({ model: ai, prompt: 'Hello' })).text).toBe('Hi');
    const streamed = streamText({ model: ai, prompt: 'Hello' });
    expect(await streamed.text).toBe('abcd'.repeat(5));
    expect(events).toEqual([expected, expected]);
  });

  test('records the tokens of a model with specification v2', async () => {
    const { events, options } = recorder();
    const counts = { inputTokens: 20, outputTokens: 8, cachedInputTokens: 5, reasoningTokens: 2 };
    const older = {
      ...model,
      specificationVersion: 'v2' as const,
      doGenerate: async (_input: { readonly prompt: unknown }) => ({
        content: [],
        usage: { ...counts, totalTokens: 28 },
        response: { modelId: 'served' },
      }),
    };
    const ai = metered(older as never, options) as typeof older;
    await ai.doGenerate({ prompt: 'Hello' });
    const { cacheWriteTokens, ...parts } = expected as Record<string, unknown>;
    expect([events, cacheWriteTokens]).toEqual([[parts], 0]);
  });

  test('estimates a usage of an unknown form, and does not change the stream', async () => {
    const { events, options } = recorder();
    const parts = [...partsOf(2).slice(0, -1), { ...finish, usage: { inputTokens: null } }];
    const unknown = {
      ...model,
      doStream: async (_input: { readonly prompt: unknown }) => ({ stream: streamOf(parts) }),
    };
    const ai = metered(unknown as never, options) as typeof unknown;
    const { stream: received } = await ai.doStream({ prompt: 'Hello' });
    expect(await Array.fromAsync(received)).toEqual(parts);
    expect(events.map(({ outputTokens, properties }) => [outputTokens, properties])).toEqual([
      [2, estimated],
    ]);
  });

  test('records a stream that the caller aborts once', async () => {
    const { events, options } = recorder();
    const stop = new AbortController();
    const aborted = {
      ...model,
      doStream: async ({ abortSignal }: { readonly abortSignal?: AbortSignal }) => ({
        stream: new ReadableStream({
          start(controller) {
            for (const part of partsOf(5).slice(0, -2)) controller.enqueue(part);
            abortSignal?.addEventListener('abort', () => controller.error(abortSignal.reason));
          },
        }),
      }),
    };
    const ai = metered(aborted as never, options) as Parameters<typeof streamText>[0]['model'];
    let received = '';
    for await (const text of streamText({ model: ai, prompt: 'Hello', abortSignal: stop.signal })
      .textStream) {
      received += text;
      if (received.length === 20) stop.abort();
    }
    expect(received).toBe('abcd'.repeat(5));
    await expect.poll(() => events.length).toBe(1);
    expect(events[0]).toMatchObject({ model: 'served', outputTokens: 5, properties: estimated });
  });

  test('records the exact usage of a canceled stream with `drain`', async () => {
    const { events, options } = recorder('drain');
    const ai = metered(model as never, options) as typeof model;
    const { stream: parts } = await ai.doStream({ prompt: 'Hello' });
    for await (const part of parts) if ('delta' in part) break;
    await expect.poll(() => events).toEqual([expected]);
  });

  test('records a canceled stream once', async () => {
    const { events, options } = recorder();
    const ai = metered(model as never, options) as typeof model;
    const { stream: parts } = await ai.doStream({ prompt: 'Hello' });
    for await (const part of parts) if ('delta' in part) break;
    expect(events.map(({ outputTokens, properties }) => [outputTokens, properties])).toEqual([
      [1, estimated],
    ]);
  });
});
