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
    const ai = metered(model as never, options) as Parameters<typeof generateText>[0]['model'];
    expect((await generateText({ model: ai, prompt: 'Hello' })).text).toBe('Hi');
    const streamed = streamText({ model: ai, prompt: 'Hello' });
    expect(await streamed.text).toBe('abcd'.repeat(5));
    expect(events).toEqual([expected, expected]);
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
    for await (const part of parts) if (part.type === 'text-delta') break;
    await expect.poll(() => events).toEqual([expected]);
  });

  test('records a canceled stream once', async () => {
    const { events, options } = recorder();
    const ai = metered(model as never, options) as typeof model;
    const { stream: parts } = await ai.doStream({ prompt: 'Hello' });
    for await (const part of parts) if (part.type === 'text-delta') break;
    expect(events.map(({ outputTokens, properties }) => [outputTokens, properties])).toEqual([
      [1, estimated],
    ]);
  });
});
