import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

// Test server with the API of a provider of language models. A test determines each response.

type Tokens = {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly prompt_tokens_details?: { readonly cached_tokens: number };
};

export type Script = {
  /** Parts of the text. */
  readonly parts?: readonly string[];
  /** Reported tokens. By default, the call uses its complete output limit. */
  readonly usage?: Tokens;
  /** Status of a failure before the first part. */
  readonly status?: number;
  /** Whether the stream reports an error after the parts. */
  readonly breaks?: boolean;
  /** Promise for which the response waits after the parts. */
  readonly until?: Promise<unknown>;
};

type Body = {
  readonly max_tokens: number;
  readonly stream?: boolean;
  readonly stream_options?: object;
};

const failed = {
  error: { message: 'The model is overloaded.', type: 'server_error', param: null, code: null },
};
const common = { id: 'chatcmpl_1', created: 1_790_000_000, model: 'gpt-5-2025-08-07' };

const sendJson = (response: ServerResponse, status: number, body: object) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

async function sendStream(
  response: ServerResponse,
  { parts = ['Hello'], breaks, until }: Script,
  usage: Tokens,
) {
  const send = (chunk: object) =>
    response.write(`data: ${JSON.stringify({ ...common, object: 'chat.completion.chunk', ...chunk })}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  send({ choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] });
  for (const content of parts) send({ choices: [{ index: 0, delta: { content } }] });
  await until;
  if (breaks === true) return response.end(`data: ${JSON.stringify(failed)}\n\n`);
  send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  send({ choices: [], usage });
  return response.end('data: [DONE]\n\n');
}

/** Starts a provider. `bodies` contains the requests, and `closed` counts the streams that the caller closed before their end. */
export async function startProvider() {
  const state = { script: {} as Script, bodies: [] as Body[], closed: 0 };
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request)) as Body;
    state.bodies.push(body);
    response.once('close', () => {
      if (!response.writableFinished) state.closed += 1;
    });
    const { script } = state;
    const {
      status,
      parts = ['Hello'],
      usage = { prompt_tokens: 10, completion_tokens: body.max_tokens },
    } = script;
    if (status !== undefined) sendJson(response, status, failed);
    else if (body.stream === true) await sendStream(response, script, usage);
    else {
      await script.until;
      const message = { role: 'assistant', content: parts.join(''), refusal: null };
      const choices = [{ index: 0, message, finish_reason: 'stop', logprobs: null }];
      sendJson(response, 200, { ...common, object: 'chat.completion', choices, usage });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { state, url, close };
}
