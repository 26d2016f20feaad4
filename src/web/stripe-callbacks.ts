import Stripe from 'stripe';
import { type App, type Context, systemContext } from '../context.ts';
import { findAttempt } from '../engine/attempts.ts';
import { executeOne } from '../engine/execute.ts';
import { settle } from '../engine/settle.ts';
import { stripeClient } from '../gateway/stripe-client.ts';
import { type Credentials, findCredentials } from '../infra/connection-rows.ts';

/** How far the clock of the sender may be off, seconds. */
const toleranceSeconds = 300;

type Callback = { readonly context: Context; readonly stripe: Stripe; readonly event: Stripe.Event };

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

/**
 * Inquires about an attempt an event is about. What the event itself says is no matter: events come twice and in any order, and what has
 * become of the attempt is asked for. One that is answered is asked about again only when money is said to have moved after a decline.
 */
async function inquire(context: Context, attemptId: string, isPaid: boolean): Promise<void> {
  const attempt = await findAttempt(context, attemptId);
  if (attempt === null) return;
  const isContrary = isPaid && attempt.repeats === 0 && attempt.result !== null && attempt.result.status !== 'settled';
  if (attempt.askAt !== null || isContrary) await settle(context, [attempt], 'inquire');
}

/** Brings what we know of a dispute to where it stands at Stripe. Throws while the disputed charge is not settled here, to be told again. */
async function followDispute({ context, stripe }: Callback, disputeId: string): Promise<void> {
  const { status, reason, payment_intent: intent } = await stripe.disputes.retrieve(disputeId);
  if (intent === null || status.startsWith('warning') || status === 'prevented') return;
  const { metadata } = await stripe.paymentIntents.retrieve(typeof intent === 'string' ? intent : intent.id);
  const transactionId = metadata?.['attempt'];
  if (transactionId === undefined) return;
  await inquire(context, transactionId, false);
  const transaction = await context.db.transaction.findFirst({ where: { id: transactionId } });
  if (transaction === null || transaction.disputeOutcome !== null) return;
  if (transaction.status === 'pending') throw new Error(`The disputed charge ${transactionId} has no answer yet.`);
  const { customerId } = transaction;
  if (transaction.status !== 'disputed') await executeOne(context, customerId, { kind: 'dispute.open', transactionId, reason });
  const outcome = (['won', 'lost'] as const).find((word) => word === status);
  if (outcome !== undefined) await executeOne(context, customerId, { kind: 'dispute.resolve', transactionId, outcome });
}

/** The attempt an object of Stripe was made for; null for one we did not make. */
function attemptOf(object: unknown, environmentId: string): string | null {
  if (typeof object !== 'object' || object === null || !('metadata' in object)) return null;
  const { metadata } = object as { metadata: Stripe.Metadata | null };
  return metadata?.['environment'] === environmentId ? (metadata['attempt'] ?? null) : null;
}

async function takeIn(callback: Callback): Promise<void> {
  const { context, event } = callback;
  const { type, data } = event;
  if (type.startsWith('charge.dispute.')) {
    await followDispute(callback, (data.object as Stripe.Dispute).id);
    return;
  }
  const attemptId = attemptOf(data.object, context.environment.id);
  if (attemptId !== null) await inquire(context, attemptId, type === 'payment_intent.succeeded');
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
    await takeIn({ context, stripe: stripeClient(secretKey, { url, timeoutMs }), event });
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
