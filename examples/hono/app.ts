import {
  BillingError,
  type Entitlements,
  type Quittance,
  QuittanceError,
  ValidationError,
  webhooks,
} from '@quittance/sdk';
import { type Context, Hono } from 'hono';

// App that sells summaries of texts. Quittance decides who can request a summary, and counts the summaries.

const featureCode = 'summaries';

export type Settings = {
  readonly quittance: Quittance;
  /** ID of the plan that new users get. */
  readonly planId: string;
  /** Secret of the webhook endpoint `/hooks/quittance`. */
  readonly webhookSecret: string;
};

/** Returns the ID of the signed-in user. Replace this function with your authentication. */
const userOf = (c: Context): string => c.req.header('x-user') ?? '';

/** Returns the first sentence. Replace this function with your product. */
const summaryOf = (text: string): string => text.split('. ')[0] ?? '';

export function appWith({ quittance, planId, webhookSecret }: Settings): Hono {
  const app = new Hono();

  // One cache per user. Webhooks keep the caches up to date, so that a server with many users doesn't need a socket for each user.
  const caches = new Map<string, Entitlements>();
  const accessOf = (userId: string): Entitlements => {
    const access = caches.get(userId) ?? quittance.entitlements(userId, { live: false });
    caches.set(userId, access);
    return access;
  };

  app.post('/users', async (c) => {
    const { id, email } = await c.req.json<{ id: string; email: string }>();
    await quittance.customers.create({ externalId: id, email });
    const { status } = await quittance.subscriptions.create({ customerId: id, planId });
    return c.json({ status }, 201);
  });

  app.post('/summaries', async (c) => {
    const userId = userOf(c);
    if (!(await accessOf(userId).can(featureCode))) return c.json({ error: 'upgrade_required' }, 402);
    const text = await c.req.text();
    // The check reserves nothing. Recording the usage before the work enforces the limit for concurrent requests.
    await quittance.usage.track({ customerId: userId, featureCode, eventId: crypto.randomUUID() });
    return c.json({ summary: summaryOf(text) });
  });

  app.get('/invoices', async (c) => {
    const invoices: object[] = [];
    for await (const { invoiceNumber, total, status } of quittance.invoices.list({ customerId: userOf(c) }))
      invoices.push({ invoiceNumber, total, status });
    return c.json(invoices);
  });

  const receive = webhooks.handler(
    { 'customer.state_changed': ({ data }) => caches.get(data.customerId)?.refresh() },
    { secret: webhookSecret, seen: new Set<string>(), onError: console.error },
  );
  app.post('/hooks/quittance', (c) => receive(c));

  app.onError((error, c) => {
    if (error instanceof BillingError) return c.json({ error: 'upgrade_required', reason: error.code }, 402);
    if (error instanceof ValidationError) return c.json({ error: 'invalid', fields: error.details }, 400);
    // The request ID identifies the request in the logs of Quittance.
    console.error(error, error instanceof QuittanceError ? error.requestId : null);
    return c.json({ error: 'unavailable' }, 503);
  });

  return app;
}
