import Stripe from 'stripe';
import { type App, systemContext } from '../context.ts';
import { stripeClient } from '../gateway/stripe-client.ts';
import { type Credentials, findCredentials } from '../infra/connection-rows.ts';
import { takeInEvent } from './stripe-events.ts';

/** How far the clock of the sender may be off, seconds. */
const toleranceSeconds = 300;

const answer = (status: number, body: object): Response => Response.json(body, { status });

/** The body as text; null when it is longer than the limit. */
async function textOf(request: Request, limit: number): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength;
    if (length > limit) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The event of a message signed with the secret; null for any other. */
async function readEvent(app: App, text: string, signature: string, secret: string): Promise<Stripe.Event | null> {
  const receivedAt = app.wall.now().getTime();
  try {
    return await Stripe.webhooks.constructEventAsync(text, signature, secret, toleranceSeconds, undefined, receivedAt);
  } catch {
    return null;
  }
}

async function serve(app: App, request: Request, environmentId: string, credentials: Credentials): Promise<Response> {
  const { webhookSecret, secretKey } = credentials;
  const text = await textOf(request, app.config.bodyLimitBytes);
  if (text === null) return answer(413, { error: 'The message is too long.' });
  const signature = request.headers.get('stripe-signature') ?? '';
  const event = webhookSecret === null ? null : await readEvent(app, text, signature, webhookSecret);
  if (event === null) return answer(400, { error: 'The message is not signed with the secret of this connection.' });
  const context = await systemContext(app, environmentId, `stripe ${event.id}`);
  const { stripeUrl: url, chargeTimeoutMs: timeoutMs } = app.config;
  try {
    await takeInEvent({ context, stripe: stripeClient(secretKey, { url, timeoutMs }), event });
  } catch (error) {
    context.log.warn({ err: error, type: event.type }, 'An event of Stripe could not be taken in.');
    return answer(503, { error: 'The event cannot be taken in now; send it again.' });
  }
  return answer(200, { received: true });
}

/**
 * Takes in what Stripe tells about payments, set-ups, refunds and disputes, at `/webhooks/stripe/:environmentId/:connectionId`, signed with the
 * secret of the connection. Null for every other address. Answers 503 for what is to be told again.
 */
export function openStripeCallbacks(app: App): (request: Request) => Promise<Response | null> {
  return async (request) => {
    const [, environmentId, connectionId] = /^\/webhooks\/stripe\/([^/]+)\/([^/]+)$/.exec(new URL(request.url).pathname) ?? [];
    if (environmentId === undefined || connectionId === undefined) return null;
    if (request.method !== 'POST') return new Response('Only POST is answered here.\n', { status: 405, headers: { Allow: 'POST' } });
    const credentials = await findCredentials(app.database.query, app.secrets, environmentId, connectionId);
    return credentials === null ? null : serve(app, request, environmentId, credentials);
  };
}
