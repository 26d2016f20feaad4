import { createHash } from 'node:crypto';
import type { Quittance } from '@quittance/sdk';
import { metered } from '@quittance/sdk/openai';
import { type Context, Hono } from 'hono';
import type OpenAI from 'openai';
import { type Failure, failure, failureOf } from './errors.ts';

// OpenAI-compatible gateway. The wrapper of `@quittance/sdk` reserves and settles the tokens of each call in the budget of a team.

/** Customer with a budget for each team, and usage feature of the tokens. `setup.ts` creates both. */
export const customerId = 'company';
export const featureCode = 'tokens';

export type Settings = {
  readonly quittance: Quittance;
  /** Client of the provider. */
  readonly openai: OpenAI;
  /** Key of each team's budget, such as `team:research`, by the SHA-256 hash of the team's key. */
  readonly teams: Readonly<Record<string, string>>;
  /** Lifetime of a hold, which frees the reserved tokens if the gateway crashes. */
  readonly holdSeconds: number;
};

type Body = OpenAI.ChatCompletionCreateParams;

export const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

const invalid = (message: string) => failure(400, 'invalid_request_error', 'invalid_request', message);

/** Returns the failure of a request whose cost the hold couldn't cover. `null` if the request is valid. */
function problemOf(body: Partial<Body> | null): Failure | null {
  if (typeof body?.model !== 'string' || !Array.isArray(body.messages))
    return invalid('Set model and messages.');
  if ((body.n ?? 1) !== 1) return invalid('n must be 1.');
  if ('max_tokens' in body && 'max_completion_tokens' in body)
    return invalid('Set either max_tokens or max_completion_tokens.');
  return null;
}

/** Returns a response with server-sent events. If the caller disconnects, the wrapper settles the received part. */
function eventStream(chunks: AsyncIterator<unknown>, first: IteratorResult<unknown>): Response {
  const encoder = new TextEncoder();
  let waiting: IteratorResult<unknown> | null = first;
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      const send = (data: string) => controller.enqueue(encoder.encode(`data: ${data}\n\n`));
      try {
        const next = waiting ?? (await chunks.next());
        waiting = null;
        if (next.done !== true) return send(JSON.stringify(next.value));
        send('[DONE]');
      } catch (error) {
        send(JSON.stringify({ error: failureOf(error).error }));
      }
      controller.close();
    },
    async cancel() {
      await chunks.return?.();
    },
  };
  return new Response(new ReadableStream(source, { highWaterMark: 0 }), {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
  });
}

export function gatewayWith({ quittance, openai, teams, holdSeconds }: Settings): Hono {
  const app = new Hono();
  // `atLeast` reduces the output limit of a call to the tokens that fit the budget, down to 16.
  const hold = { atLeast: 16, maxOutputTokens: 4_096, expiresIn: holdSeconds };
  const clients = new Map(
    Object.entries(teams).map(([hash, budget]) => [
      hash,
      metered(openai, { quittance, customerId, featureCode, budget, hold }),
    ]),
  );
  const failed = (c: Context, { status, headers, error }: Failure) =>
    c.json({ error }, { status: status as 400, headers: { ...headers } });

  app.post('/v1/chat/completions', async (c) => {
    const [, key = ''] = /^Bearer (.+)$/i.exec(c.req.header('authorization') ?? '') ?? [];
    const client = clients.get(hashOf(key));
    if (client === undefined)
      return failed(
        c,
        failure(401, 'invalid_request_error', 'invalid_api_key', 'The key of the team is unknown.'),
      );
    const body = await c.req.json<Body>().catch(() => null);
    const problem = problemOf(body);
    if (body === null || problem !== null) return failed(c, problem ?? invalid('The body must be JSON.'));
    // A call without a stream isn't canceled if the caller disconnects, because the provider charges for it.
    if (body.stream !== true) return c.json(await client.chat.completions.create(body));
    const stream = await client.chat.completions.create(body, { signal: c.req.raw.signal });
    const chunks = stream[Symbol.asyncIterator]();
    // If the provider fails before the first chunk, the response has the status of the failure.
    return eventStream(chunks, await chunks.next());
  });

  app.onError((error, c) => failed(c, failureOf(error)));
  return app;
}
