import { BillingError, type Quittance } from '@quittance/sdk';
import { metered } from '@quittance/sdk/openai';
import { Hono } from 'hono';
import OpenAI from 'openai';

// Gateway for a language model: each team has a budget. Tokens are reserved before a call and settled after it, so that concurrent calls can't exceed a budget.

export type Settings = {
  readonly quittance: Quittance;
  /** Customer that pays for the tokens. */
  readonly customerId: string;
  /** Code of the feature that counts tokens. */
  readonly featureCode: string;
  /** Address and key of the model's API. */
  readonly upstream: { readonly baseURL: string; readonly apiKey: string };
};

type ChatRequest = OpenAI.ChatCompletionCreateParams;

export function gatewayWith({ quittance, customerId, featureCode, upstream }: Settings): Hono {
  const app = new Hono();
  const openai = new OpenAI({ ...upstream, maxRetries: 0 });

  app.post('/v1/chat/completions', async (c) => {
    const team = c.req.header('x-team');
    if (team === undefined || !/^[\w-]{1,40}$/.test(team)) return c.json({ error: 'team_required' }, 401);
    const model = metered(openai, { quittance, customerId, featureCode, budget: `team:${team}` });
    const request = await c.req.json<ChatRequest>();
    if (request.stream !== true) return c.json(await model.chat.completions.create(request));
    const chunks = await model.chat.completions.create(request);
    const encoder = new TextEncoder();
    const iterator = chunks[Symbol.asyncIterator]();
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { done, value } = await iterator.next();
        const text = done === true ? '[DONE]' : JSON.stringify(value);
        controller.enqueue(encoder.encode(`data: ${text}\n\n`));
        if (done === true) controller.close();
      },
      // A caller who leaves ends the call, and pays for the tokens so far.
      cancel: () => void iterator.return?.(),
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  });

  app.onError((error, c) => {
    if (error instanceof BillingError) return c.json({ error: 'budget_exceeded', reason: error.code }, 402);
    console.error(error);
    return c.json({ error: 'unavailable' }, 502);
  });

  return app;
}
