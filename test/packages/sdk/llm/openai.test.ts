import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { metered } from '../../../../src/packages/sdk/llm/openai.ts';
import { estimated, json, recorder, stream, usage, vendor } from './support.ts';

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
    expect(await metered(client, options).chat.completions.create(chat)).toEqual(response);
    expect(bodies[0]).toEqual(chat);
    expect(events).toEqual([usage(reported)]);
    await client.chat.completions.create(chat);
    expect(events.length).toBe(1);
  });

  test('requests the usage of a stream, and omits the added chunk', async () => {
    const { events, options } = recorder();
    const { send, bodies } = vendor(stream([delta('Hello'), delta(' there'), usageChunk]));
    const chunks = await Array.fromAsync(
      await metered(openaiWith(send), options).chat.completions.create(streamedChat),
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
    const result = await metered(openaiWith(send), options).chat.completions.create(request);
    const chunks = await Array.fromAsync(result);
    expect(chunks).toEqual(await chunksWithoutWrapper(delta('Hello'), usageChunk));
    expect(chunks).toMatchObject([delta('Hello'), usageChunk]);
    expect(events).toEqual([usage(reported)]);
  });

  test('records a stream of each way of reading once', async () => {
    const { events, options } = recorder();
    const answer = () => stream([delta('Hello'), usageChunk]);
    const end = { choices: [{ index: 0, delta: { role: 'assistant' }, finish_reason: 'stop' }] };
    const finished = stream([{ ...delta('Hello'), id: '1', created: 1 }, end, usageChunk]);
    const { send } = vendor(answer(), answer(), answer(), finished);
    const { completions } = metered(openaiWith(send), options).chat;
    const [left, right] = (await completions.create(streamedChat)).tee();
    expect([await Array.fromAsync(left), await Array.fromAsync(right)]).toMatchObject([
      [delta('Hello')],
      [delta('Hello')],
    ]);
    const lines = await new Response((await completions.create(streamedChat)).toReadableStream()).text();
    expect(lines.trim().split('\n').length).toBe(1);
    const { data, response } = await completions.create(streamedChat).withResponse();
    expect([response.status, (await Array.fromAsync(data)).length]).toEqual([200, 1]);
    expect((await completions.stream(chat).finalChatCompletion()).choices[0]?.message.content).toBe('Hello');
    expect(events).toEqual([reported, reported, reported, reported].map((counts) => usage(counts)));
  });

  test.each([1, 2, 5, 10])(
    'estimates the output of a stream that is aborted after %i chunks',
    async (count) => {
      const { events, options } = recorder();
      const chunks = Array.from({ length: 12 }, () => delta('x'.repeat(164)));
      const { send } = vendor(stream([...chunks, usageChunk]));
      let received = 0;
      for await (const _chunk of await metered(openaiWith(send), options).chat.completions.create(
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

  test('does not count images and sound as text', async () => {
    const { events, options } = recorder();
    const base64 = 'aGVsbG8'.repeat(1_000);
    const content = (url: string, bytes: object, audio: string) => [
      { type: 'text', text: 'Hello' },
      { type: 'image_url', image_url: { url } },
      { type: 'file', file: bytes },
      { type: 'input_audio', input_audio: { data: audio, format: 'wav' } },
    ];
    const input = [
      { role: 'user', content: content(`data:image/png;base64,${base64}`, Buffer.from(base64), base64) },
    ];
    const { send } = vendor(
      stream([
        { type: 'response.audio.delta', delta: base64 },
        { type: 'response.output_text.delta', delta: 'abcd' },
        { type: 'response.completed' },
      ]),
    );
    const client = metered(openaiWith(send), options);
    const request = { model: 'gpt-5', input: input as never, stream: true as const };
    for await (const { type } of await client.responses.create(request))
      if (type === 'response.output_text.delta') break;
    const text = JSON.stringify([{ role: 'user', content: [...content('', Buffer.of(), '')] }]);
    const inputTokens = Math.ceil(text.replace('{"type":"Buffer","data":[]}', '""').length / 4);
    expect(events).toEqual([usage({ model: 'gpt-5', inputTokens, outputTokens: 1 }, estimated)]);
  });

  test('reads an aborted stream to its end with `drain`', async () => {
    const { events, options } = recorder('drain');
    const { send } = vendor(stream([delta('Hello'), delta(' there'), usageChunk]));
    for await (const _chunk of await metered(openaiWith(send), options).chat.completions.create(streamedChat))
      break;
    await expect.poll(() => events).toEqual([usage(reported)]);
  });

  test('records a stream that breaks once, including the arguments of tools', async () => {
    const { events, options } = recorder();
    const tool = {
      choices: [{ index: 0, delta: { tool_calls: [{ function: { arguments: '{"city":"Bonn"}' } }] } }],
    };
    const { send } = vendor(stream([tool], true));
    const result = await metered(openaiWith(send), options).chat.completions.create(streamedChat);
    await expect(Array.fromAsync(result)).rejects.toThrow();
    expect(events.map(({ outputTokens }) => outputTokens)).toEqual([4]);
  });

  test('records nothing for a call that fails before any output', async () => {
    const { events, options } = recorder();
    const ai = metered(openaiWith(vendor().send), options);
    await expect(ai.chat.completions.create(chat)).rejects.toThrow();
    expect(events).toEqual([]);
  });

  test('keeps a reported 0, and ignores invalid counts', async () => {
    const { events, options } = recorder();
    const { send } = vendor(
      json({ model: 'm', usage: { prompt_tokens: 5, completion_tokens: 0 } }),
      json({ model: 'm', usage: { prompt_tokens: -1, completion_tokens: Number.NaN } }),
    );
    const ai = metered(openaiWith(send), options);
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
    const ai = metered(openaiWith(send), options);
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
