import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { createWebhook } from '../src/modules/messages/webhooks/create.ts';
import { webhookLoop } from '../src/modules/messages/webhooks/worker/worker.ts';
import { type App, type Context, systemContext } from '../src/request/context.ts';
import { inTransaction, recordEvents } from '../src/request/transaction.ts';
import { createDatabase, dropDatabase } from './database.ts';
import { closeWorld, openWorld, sandboxOf } from './world.ts';

// Measures how long webhook endpoints wait for events, and how an unresponsive endpoint affects other endpoints.

const endpoints = 10;
const kind = 'customer.created';

/** Time in seconds from when the events are committed until all responsive endpoints have received them. */
export type WebhookRates = {
  readonly deliveries: number;
  /** Time in seconds with ten responsive endpoints. */
  readonly aliveSeconds: readonly number[];
  /** Time in seconds with nine responsive endpoints and one that never responds. */
  readonly oneDeadSeconds: readonly number[];
};

type Target = {
  readonly url: string;
  readonly received: (count: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Starts a receiver that either responds with status 200 or never responds. */
async function openTarget(answers: boolean): Promise<Target> {
  let count = 0;
  let wanted = Number.POSITIVE_INFINITY;
  let reached = () => {};
  const receive = (request: IncomingMessage, response: ServerResponse): void => {
    request.resume();
    if (!answers) return;
    request.on('end', () => response.end());
    count++;
    if (count >= wanted) reached();
  };
  const server: Server = createServer(receive);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: (total) => {
      if (count >= total) return Promise.resolve();
      wanted = total;
      return new Promise((resolve) => {
        reached = resolve;
      });
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Creates and commits events for 100 customers. */
const happen = (ctx: Context, count: number): Promise<void> =>
  inTransaction(ctx, (tx) =>
    recordEvents(
      tx,
      Array.from({ length: count }, (_, index) => ({
        kind,
        occurredAt: tx.wall.now(),
        customerId: `cus_${index % 100}`,
        subscriptionId: null,
        data: { customerId: `cus_${index % 100}`, email: 'ada@example.com', metadata: { index } },
      })),
    ),
  );

/** Runs one round with ten endpoints in a separate database. `dead` of the endpoints never respond. */
async function round(events: number, dead: number): Promise<number> {
  const databaseUrl = await createDatabase();
  const app: App = await openWorld(databaseUrl, { WEBHOOK_TIMEOUT_MS: '1000' });
  const ctx = await systemContext(app, await sandboxOf(databaseUrl));
  const targets = await Promise.all(
    Array.from({ length: endpoints }, (_, index) => openTarget(index >= dead)),
  );
  for (const { url } of targets) await createWebhook(ctx, { url, events: [kind] });
  const dispatcher = webhookLoop.start(app);
  const began = performance.now();
  await happen(ctx, events);
  await Promise.all(targets.slice(dead).map((target) => target.received(events)));
  const seconds = (performance.now() - began) / 1_000;
  await dispatcher.stop();
  await Promise.all(targets.map((target) => target.close()));
  await closeWorld(app);
  await dropDatabase(databaseUrl);
  return seconds;
}

/** Measures deliveries to ten endpoints, alternating between ten and nine responsive endpoints. */
export async function measureWebhooks(rounds: number, events: number): Promise<WebhookRates> {
  const aliveSeconds: number[] = [];
  const oneDeadSeconds: number[] = [];
  for (let count = 0; count < rounds; count++) {
    aliveSeconds.push(await round(events, 0));
    oneDeadSeconds.push(await round(events, 1));
  }
  return { deliveries: events * endpoints, aliveSeconds, oneDeadSeconds };
}
