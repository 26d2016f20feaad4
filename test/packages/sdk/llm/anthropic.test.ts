import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, test } from 'vitest';
import { metered } from '../../../../src/packages/sdk/llm/anthropic.ts';
import { estimated, json, recorder, stream, usage, vendor } from './support.ts';

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
    await metered(clientOf(send), options).messages.create(request);
    expect(events).toEqual([usage({ ...input, outputTokens: 50 })]);
  });

  test('records messages of the beta resource, and streams of the helper', async () => {
    const { events, options } = recorder();
    const { send } = vendor(
      json({ model: 'claude', usage: { input_tokens: 412, output_tokens: 50, ...cache } }),
      stream([
        { ...started, message: { ...started.message, id: 'msg_1', role: 'assistant', content: [] } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        text('Hello'),
        { type: 'content_block_stop', index: 0 },
        ended,
        { type: 'message_stop' },
      ]),
    );
    const ai = metered(clientOf(send), options);
    await ai.beta.messages.create(request);
    expect(await ai.messages.stream(request).finalText()).toBe('Hello');
    expect(events).toEqual([usage({ ...input, outputTokens: 50 }), usage({ ...input, outputTokens: 50 })]);
  });

  test('records the tokens of a stream, and estimates only the output of an aborted stream', async () => {
    const { events, options } = recorder();
    const written = 'x'.repeat(412);
    const { send } = vendor(stream([started, text(written), ended]), stream([started, text(written), ended]));
    const ai = metered(clientOf(send), options);
    await Array.fromAsync(await ai.messages.create({ ...request, stream: true }));
    for await (const { type } of await ai.messages.create({ ...request, stream: true }))
      if (type === 'content_block_delta') break;
    expect(events).toEqual([
      usage({ ...input, outputTokens: 50 }),
      usage({ ...input, outputTokens: 103 }, estimated),
    ]);
  });
});
