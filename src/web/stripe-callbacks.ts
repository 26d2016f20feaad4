import Stripe from 'stripe';
import { nothingAt } from '../http/handler.ts';
import { jsonReply, type Reply, textReply } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';
import type { Route } from '../http/router.ts';
import { type Credentials, findCredentials } from '../providers/connection-store.ts';
import { stripeClient } from '../providers/stripe-client.ts';
import { type App, findSystemContext } from '../request/context.ts';
import { takeInEvent } from './stripe-events.ts';

/** Maximum age of a signed message, in seconds. */
const toleranceSeconds = 300;

/** Verifies the signature of a webhook message and returns its event. `null` if the signature is invalid. */
async function readEvent(
  app: App,
  text: string,
  signature: string,
  secret: string,
): Promise<Stripe.Event | null> {
  const receivedAt = app.wall.now().getTime();
  try {
    return await Stripe.webhooks.constructEventAsync(
      text,
      signature,
      secret,
      toleranceSeconds,
      undefined,
      receivedAt,
    );
  } catch {
    return null;
  }
}

async function serve(
  app: App,
  request: HttpRequest,
  environmentId: string,
  credentials: Credentials,
): Promise<Reply> {
  const { webhookSecret, secretKey } = credentials;
  const text = Buffer.from(await request.bytes(app.config.bodyLimitBytes)).toString('utf8');
  const signature = request.headers.get('stripe-signature') ?? '';
  const event = webhookSecret === null ? null : await readEvent(app, text, signature, webhookSecret);
  if (event === null)
    return jsonReply(400, { error: 'The message is not signed with the secret of this connection.' });
  const ctx = await findSystemContext(app, environmentId, `stripe ${event.id}`, {
    kind: 'system',
    source: 'provider',
    actorId: event.id,
  });
  if (ctx === null) return jsonReply(404, { error: 'The organization is archived.' });
  const { stripeUrl: url, chargeTimeoutMs: timeoutMs } = app.config;
  try {
    await takeInEvent({ context: ctx, stripe: stripeClient(secretKey, { url, timeoutMs }), event });
  } catch (error) {
    ctx.log.warn({ err: error, type: event.type }, 'An event of Stripe could not be taken in.');
    return jsonReply(503, { error: 'The event cannot be taken in now; send it again.' });
  }
  return jsonReply(200, { received: true });
}

/**
 * Handles Stripe webhook events about payments, setups, refunds and disputes at `/webhooks/stripe/:environmentId/:connectionId`. The connection's
 * secret verifies the signature. Status 503 if Stripe must resend the event, and 404 for an unknown connection.
 */
export function stripeRoutes(app: App): Route[] {
  return [
    {
      path: '/webhooks/stripe/:environmentId/:connectionId',
      answer: async (request, [environmentId = '', connectionId = '']) => {
        if (request.method !== 'POST')
          return textReply(405, 'Only POST is answered here.\n', { Allow: 'POST' });
        const { query } = app.database;
        const credentials = await findCredentials(query, app.secrets, environmentId, connectionId);
        if (credentials === null) throw nothingAt(request);
        return serve(app, request, environmentId, credentials);
      },
    },
  ];
}
