import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { newTenant } from '../test/support/harness.ts';
import { type Product, startProduct } from './children.ts';
import { createDatabase, dropDatabase, onDatabase } from './database.ts';
import type { HolderRequest, HolderResponse } from './live-sockets.ts';
import { closeWorld, openWorld } from './world.ts';

// Measures live fields at scale, with many sockets and events across all environments.

const environments = 100;
const eventsPerSecond = 50;
const holders = 4;

/** Duration of the warm-up with events, in seconds. */
const warmSeconds = 5;

/** Time without messages, in seconds, after which missing events are considered lost. */
const quietSeconds = 10;

/** Channel through which processes notify each other of new events. `memory` means that there is only one process. */
export type Between = 'memory' | 'postgres' | 'redis';

export type LiveFigures = {
  readonly sockets: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly delivered: number;
  readonly expected: number;
  readonly ended: number;
  /** Number of requests that Quittance rejected because it was busy. These requests created no events. */
  readonly rejected: number;
  /** 99th-percentile duration of requests that create events, in milliseconds. */
  readonly requestP99Ms: number;
  /** SQL statements per second without events, excluding statements by processes without sockets. */
  readonly idleStatements: number;
  /** Resident memory per socket in KB. */
  readonly socketKb: number;
  /** Number of CPU cores in use while events are created. */
  readonly cores: number;
};

async function ask(child: ChildProcess, asked: HolderRequest): Promise<HolderResponse> {
  child.send(asked);
  const [told] = (await once(child, 'message')) as [HolderResponse];
  return told;
}

/** Creates environments and returns their API keys. */
async function keysOf(databaseUrl: string): Promise<string[]> {
  const app = await openWorld(databaseUrl);
  const keys: string[] = [];
  while (keys.length < environments) {
    const { sandboxKey, liveKey } = await newTenant(app, `Organization ${keys.length}`);
    keys.push(sandboxKey, liveKey);
  }
  await closeWorld(app);
  return keys;
}

/** Returns a database's transactions per second, including single statements. */
async function statementRate(databaseUrl: string, seconds: number): Promise<number> {
  const { pathname } = new URL(databaseUrl);
  const committed = async (): Promise<number> => {
    const { rows } = await onDatabase(databaseUrl, (client) =>
      client.query<{ n: string }>('SELECT xact_commit AS n FROM pg_stat_database WHERE datname = $1', [
        pathname.slice(1),
      ]),
    );
    return Number(rows[0]?.n);
  };
  // PostgreSQL updates its statistics with a delay.
  await rest(2_000);
  const before = await committed();
  await rest(seconds * 1_000);
  return ((await committed()) - before) / seconds;
}

/** Result of a request that creates a customer. An accepted request also creates an event. */
type Made = { readonly isAccepted: boolean; readonly tookMs: number };

async function makeCustomer(url: string, apiKey: string, email: string): Promise<Made> {
  const began = performance.now();
  const response = await fetch(`${url}/api/v1/customers`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': apiKey,
      'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify({ email }),
  });
  await response.arrayBuffer();
  return { isAccepted: response.ok, tookMs: performance.now() - began };
}

/** Creates customers at a constant rate, rotating through the environments. */
async function happen(url: string, keys: readonly string[], seconds: number): Promise<Made[]> {
  const requests: Promise<Made>[] = [];
  const began = performance.now();
  for (let count = 0; count < eventsPerSecond * seconds; count++) {
    await rest(Math.max(0, began + (count * 1_000) / eventsPerSecond - performance.now()));
    requests.push(makeCustomer(url, keys[count % keys.length] ?? '', `person${count}@example.com`));
  }
  return Promise.all(requests);
}

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

async function startAll(databaseUrl: string, between: Between, redisUrl: string): Promise<Product[]> {
  if (between === 'memory') return [await startProduct(databaseUrl)];
  const settings = { ROLE: 'api', REDIS_URL: between === 'redis' ? redisUrl : '' };
  return [await startProduct(databaseUrl, [], settings), await startProduct(databaseUrl, [], settings)];
}

const openSockets = (products: readonly Product[], keys: readonly string[], sockets: number) =>
  Promise.all(
    Array.from({ length: holders }, async (_value, index) => {
      const child = fork(path.join(import.meta.dirname, 'live-sockets.ts'));
      const { url = '' } = products[index % products.length] ?? {};
      const told = ask(child, {
        ask: 'open',
        url: `${url.replace('http', 'ws')}/graphql`,
        keys,
        sockets: Math.ceil(sockets / holders),
      });
      await Promise.race([
        told,
        once(child, 'exit').then(() => Promise.reject(new Error("The sockets weren't opened."))),
      ]);
      return child;
    }),
  );

/** Collects delays from all processes until all expected events have arrived, or until no event has arrived for `quietSeconds`. */
async function collect(children: readonly ChildProcess[], expected: number) {
  const latencies: number[] = [];
  let ended = 0;
  for (let quiet = 0; latencies.length < expected && quiet < quietSeconds; quiet++) {
    await rest(1_000);
    const told = await Promise.all(children.map((child) => ask(child, { ask: 'measured' })));
    const measured = told.flatMap((each) => (each.told === 'measured' ? [each] : []));
    ended = sum(measured.map((each) => each.ended));
    const before = latencies.length;
    for (const each of measured) for (const latency of each.latencies) latencies.push(latency);
    if (latencies.length > before) quiet = 0;
  }
  return { latencies: latencies.sort((a, b) => a - b), ended };
}

/** Opens sockets on one or two server processes and measures the event delay. */
export async function measureLive(
  sockets: number,
  between: Between,
  { seconds = 20, redisUrl = 'redis://127.0.0.1:6379' } = {},
): Promise<LiveFigures> {
  const databaseUrl = await createDatabase();
  const keys = await keysOf(databaseUrl);
  const products = await startAll(databaseUrl, between, redisUrl);
  const resident = async (): Promise<number> =>
    sum(await Promise.all(products.map((product) => product.residentMb())));
  const cpu = async (): Promise<number> => sum(await Promise.all(products.map((each) => each.cpuSeconds())));
  try {
    // Warms up the processes, so that the results don't include one-time costs.
    const [{ url }] = products as [Product];
    await happen(url, keys, 4);
    const warm = await openSockets(products, keys, holders * 5);
    for (const child of warm) child.kill();
    // Waits until the workers have processed the warm-up events.
    await rest(10_000);
    const [memoryBefore, statementsBefore] = [await resident(), await statementRate(databaseUrl, 10)];
    const children = await openSockets(products, keys, sockets);
    const idleStatements = (await statementRate(databaseUrl, 10)) - statementsBefore;
    const socketKb = ((await resident()) - memoryBefore) * 1_024;
    const held = holders * Math.ceil(sockets / holders);
    const expectedOf = (requests: readonly Made[]): number =>
      (requests.filter(({ isAccepted }) => isAccepted).length * held) / environments;
    // The first messages are slower because the server and the clients are still compiling their code.
    await collect(children, expectedOf(await happen(url, keys, warmSeconds)));
    const cpuBefore = await cpu();
    const requests = await happen(url, keys, seconds);
    const cores = ((await cpu()) - cpuBefore) / seconds;
    const expected = expectedOf(requests);
    const { latencies, ended } = await collect(children, expected);
    for (const child of children) child.kill();
    return {
      sockets: held,
      p50Ms: percentile(latencies, 0.5),
      p99Ms: percentile(latencies, 0.99),
      delivered: latencies.length,
      expected,
      ended,
      rejected: requests.filter(({ isAccepted }) => !isAccepted).length,
      requestP99Ms: percentile(
        requests.map(({ tookMs }) => tookMs).sort((a, b) => a - b),
        0.99,
      ),
      idleStatements,
      socketKb: socketKb / held,
      cores,
    };
  } finally {
    await Promise.all(products.map((product) => product.stop()));
    await dropDatabase(databaseUrl);
  }
}
