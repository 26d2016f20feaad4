import { HTTPClient, OpenRouter } from '@openrouter/sdk';
import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { metered } from '../../../../src/packages/sdk/llm/openrouter.ts';
import { estimated, json, recorder, stream, usage } from './support.ts';

type Answer = (path: string) => Response;

/** Fetch function of OpenRouter that records the paths of the requests. */
function vendor(answer: Answer) {
  const paths: string[] = [];
  const send: typeof fetch = async (input, init) => {
    const { pathname, search } = new URL(new Request(input, init).url);
    paths.push(`${pathname}${search}`);
    return answer(pathname);
  };
  return { paths, send };
}

const clientWith = (send: typeof fetch): OpenRouter =>
  new OpenRouter({ apiKey: 'none', httpClient: new HTTPClient({ fetcher: send }) });

const tokens = {
  prompt_tokens: 10,
  completion_tokens: 4,
  total_tokens: 14,
  prompt_tokens_details: { cached_tokens: 2, cache_write_tokens: 3 },
  cost: 0.0125,
};
const chunk = (content: string, more: object = {}) => ({
  id: 'gen-1',
  model: 'anthropic/claude',
  object: 'chat.completion.chunk',
  created: 1,
  choices: [{ index: 0, delta: { content }, finish_reason: null }],
  ...more,
});
const last = chunk('', { choices: [], usage: tokens });
const reported = usage(
  {
    model: 'anthropic/claude',
    inputTokens: 10,
    outputTokens: 4,
    cacheReadTokens: 2,
    cacheWriteTokens: 3,
    inputIncludesCache: true,
  },
  [{ property: 'cost', value: '0.0125' }],
);
const messages = [{ role: 'user' as const, content: 'Hello' }];
const request = { chatRequest: { model: 'openrouter/auto', messages } };
const streamed = { chatRequest: { ...request.chatRequest, stream: true as const } };

/** Returns the stream of a call. */
async function streamFrom(client: OpenRouter) {
  const result = await client.chat.send(streamed);
  if (!(result instanceof ReadableStream)) throw new Error('The response is not a stream.');
  return result;
}

/** Exact usage of an aborted stream. */
const generation = {
  data: {
    api_type: 'completions',
    app_id: null,
    cache_discount: null,
    cancelled: true,
    created_at: '2026-11-28T10:00:00Z',
    data_region: 'global',
    external_user: null,
    finish_reason: null,
    generation_time: null,
    http_referer: null,
    id: 'gen-1',
    is_byok: false,
    latency: null,
    model: 'anthropic/claude',
    moderation_latency: null,
    native_finish_reason: null,
    native_tokens_cached: 0,
    native_tokens_completion: 7,
    native_tokens_completion_images: null,
    native_tokens_prompt: 11,
    native_tokens_reasoning: 0,
    num_fetches: null,
    num_input_audio_prompt: null,
    num_media_completion: null,
    num_media_prompt: null,
    num_search_results: null,
    origin: '',
    preset_id: null,
    provider_name: null,
    provider_responses: null,
    router: null,
    service_tier: null,
    streamed: true,
    tokens_completion: 7,
    tokens_prompt: 11,
    total_cost: 0.002,
    upstream_id: null,
    upstream_inference_cost: null,
    usage: 0.002,
    user_agent: null,
    web_search_engine: null,
    workspace_id: null,
  },
};
const exact = usage(
  {
    model: 'anthropic/claude',
    inputTokens: 11,
    outputTokens: 7,
    cacheReadTokens: 0,
    reasoningTokens: 0,
    inputIncludesCache: true,
  },
  [{ property: 'cost', value: '0.002' }],
);

describe('the wrapper for OpenRouter', () => {
  test('records the model that served the call and the charge', async () => {
    const { events, options } = recorder();
    const message = { role: 'assistant', content: 'Hi' };
    const response = { ...last, object: 'chat.completion', system_fingerprint: null };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    const { send } = vendor(() => json({ ...response, choices }));
    const result = await metered(clientWith(send), options).chat.send(request);
    expect(result).toMatchObject({ id: 'gen-1', model: 'anthropic/claude' });
    expect(events).toEqual([reported]);
  });

  test('records a stream of each way of reading', async () => {
    const { events, options } = recorder();
    const { send } = vendor(() => stream([chunk('Hello'), last]));
    const plain = await streamFrom(clientWith(send));
    const expected = await Array.fromAsync(plain);
    const ai = metered(clientWith(send), options);
    const iterated = await streamFrom(ai);
    expect(iterated.constructor).toBe(plain.constructor);
    expect(await Array.fromAsync(iterated)).toEqual(expected);
    const reader = (await streamFrom(ai)).getReader();
    while (!(await reader.read()).done);
    const [left, right] = (await streamFrom(ai)).tee();
    expect([await Array.fromAsync(left), await Array.fromAsync(right)]).toEqual([expected, expected]);
    expect(events).toEqual([reported, reported, reported]);
  });

  describe('with an aborted stream', () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    /** Returns a vendor that responds with a stream, and with the generation at the second attempt. */
    const vendorWithGeneration = () => {
      let attempts = 0;
      return vendor((path) => {
        if (path.endsWith('/chat/completions')) return stream([chunk('abcd'), chunk('abcd'), last]);
        attempts += 1;
        return attempts === 1
          ? new Response('{"error":{"code":404,"message":"Not found"}}', { status: 404 })
          : json(generation);
      });
    };
    const query = '/api/v1/generation?id=gen-1';

    test('queries the usage with the client of OpenRouter', async () => {
      const { events, options } = recorder();
      const { send, paths } = vendorWithGeneration();
      for await (const _chunk of await streamFrom(metered(clientWith(send), options))) break;
      await vi.advanceTimersByTimeAsync(499);
      expect([events, paths]).toEqual([[], ['/api/v1/chat/completions']]);
      await vi.advanceTimersByTimeAsync(7_001);
      expect(events).toEqual([exact]);
      expect(paths).toEqual(['/api/v1/chat/completions', query, query]);
    });

    test('queries the usage with a client of OpenAI', async () => {
      const { events, options } = recorder();
      const { send, paths } = vendorWithGeneration();
      const baseURL = 'https://openrouter.ai/api/v1';
      const client = new OpenAI({ apiKey: 'none', baseURL, fetch: send, maxRetries: 0 });
      const chunks = await metered(client, options).chat.completions.create(streamed.chatRequest);
      for await (const _chunk of chunks) break;
      await vi.advanceTimersByTimeAsync(7_500);
      expect(events).toEqual([exact]);
      expect(paths).toEqual(['/api/v1/chat/completions', query, query]);
    });

    test('estimates the usage if OpenRouter does not return it', async () => {
      const { events, options } = recorder();
      const { send } = vendor((path) =>
        path.endsWith('/chat/completions')
          ? stream([chunk('abcdabcd'), last])
          : new Response('{}', { status: 500 }),
      );
      for await (const _chunk of await streamFrom(metered(clientWith(send), options))) break;
      await vi.advanceTimersByTimeAsync(7_500);
      const inputTokens = Math.ceil(JSON.stringify(messages).length / 4);
      expect(events).toEqual([usage({ model: 'anthropic/claude', inputTokens, outputTokens: 2 }, estimated)]);
    });
  });
});
