import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { referenceOf } from '../src/providers/stripe-client.ts';
import { type App, systemContext } from '../src/request/context.ts';
import { environmentLoop } from '../src/worker/environment-work.ts';
import { createDatabase, dropDatabase } from './database.ts';
import { addSubscriptions, closeWorld, openWorld } from './world.ts';

/**
 * Renewals per second if charges require network requests, and the theoretical maximum for the latency and the number of concurrent
 * charges.
 */
export type LiveRates = {
  readonly perSecond: number;
  readonly possible: number;
  readonly concurrency: number;
};

/** Latency of a charge at the fake Stripe server, in milliseconds. */
export const latencyMs = 100;

const dayMs = 86_400_000;

/** Starts a fake Stripe server that accepts all charges after the latency. Its responses match Stripe's documentation. */
async function openSlowStripe(): Promise<{ url: string; close: () => void }> {
  let count = 0;
  const server = createServer((request, response) => {
    request.resume();
    const body = { id: `pi_${++count}`, object: 'payment_intent', status: 'succeeded', metadata: {} };
    setTimeout(
      () => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      latencyMs,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** Creates overdue live subscriptions whose payment methods are stored in a Stripe account. */
async function seed(app: App, count: number): Promise<string> {
  const { query } = app.database;
  const [live] = await query<{ id: string }>(`SELECT id FROM "Environment" WHERE mode = 'live'`);
  if (live === undefined) throw new Error('The benchmark database must have a live environment.');
  const then = new Date(Date.now() - 33 * dayMs);
  // The first payments use the built-in gateway, which needs no network.
  const gateways = {
    ...app.gateways,
    gatewayOf: (provider: Parameters<typeof app.gateways.gatewayOf>[0]) =>
      app.gateways.gatewayOf(provider, false),
  };
  const reference = referenceOf({
    connectionId: 'con_benchmark',
    customer: 'cus_benchmark',
    method: 'pm_benchmark',
  });
  await query(
    `INSERT INTO "PaymentConnection" ("environmentId", id, seq, provider, name, "publishableKey", "secretKey", "isDefault", "createdAt", "updatedAt")
     VALUES ($1, 'con_benchmark', 0, 'stripe', 'Benchmark', 'pk_live_benchmark', $2, false, now(), now())`,
    [live.id, app.secrets.encrypt('sk_live_benchmark')],
  );
  await addSubscriptions(
    await systemContext({ ...app, gateways, wall: { now: () => then } }, live.id),
    'live',
    count,
  );
  await query(`UPDATE "PaymentMethod" SET provider = 'stripe', reference = $2 WHERE "environmentId" = $1`, [
    live.id,
    reference,
  ]);
  return live.id;
}

/** Renews subscriptions in real time with this process's worker. Measures the time from the worker's start to the last response. */
export async function measureLiveRenewals(count: number): Promise<LiveRates> {
  const stripe = await openSlowStripe();
  const url = await createDatabase();
  const app = await openWorld(url, { STRIPE_URL: stripe.url });
  try {
    const environmentId = await seed(app, count);
    const settled = `SELECT count(*) AS count FROM "ChargeAttempt" WHERE "environmentId" = $1 AND result->>'status' = 'settled'`;
    const began = performance.now();
    const worker = environmentLoop.start(app);
    for (let isDone = false; !isDone; await sleep(10)) {
      const [row] = await app.database.query<{ count: bigint }>(settled, [environmentId]);
      isDone = Number(row?.count) >= count;
    }
    const seconds = (performance.now() - began) / 1_000;
    await worker.stop();
    const concurrency = app.config.chargeConcurrency;
    return { perSecond: count / seconds, possible: concurrency / (latencyMs / 1_000), concurrency };
  } finally {
    await closeWorld(app);
    stripe.close();
    await dropDatabase(url);
  }
}
