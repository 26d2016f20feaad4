import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { newTenant } from '../test/support/harness.ts';
import { type Product, startProduct } from './children.ts';
import { createDatabase, dropDatabase, onDatabase } from './database.ts';
import type { Asked, Told } from './live-sockets.ts';
import { closeWorld, openWorld } from './world.ts';

// Live fields at scale: sockets over many environments while events happen in all of them.

const environments = 100;
const eventsPerSecond = 50;
const holders = 4;

/** How long events happen before they are measured. */
const warmSeconds = 5;

/** How long nothing comes before what is missing counts as lost. */
const quietSeconds = 10;

/** How processes of the product tell each other of events. */
export type Between = 'memory' | 'postgres' | 'redis';

/** What came out. */
export type LiveFigures = {
  readonly sockets: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly delivered: number;
  readonly expected: number;
  readonly ended: number;
  /** Requests that a busy product rejected, and that made no event. */
  readonly rejected: number;
  /** What the slowest requests for an event took. */
  readonly requestP99Ms: number;
  /** Statements a second while nothing happens, less those of the same processes without sockets. */
  readonly idleStatements: number;
  /** Resident memory that each socket adds, in KB. */
  readonly socketKb: number;
  /** Processor seconds of the product per second while events happened. */
  readonly cores: number;
};

async function ask(child: ChildProcess, asked: Asked): Promise<Told> {
  child.send(asked);
  const [told] = (await once(child, 'message')) as [Told];
  return told;
}

/** Keys of so many environments. */
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

/** Transactions of a database per second; a statement outside of one is one of its own. */
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
  // The server counts what a connection did a moment later.
  await rest(2_000);
  const before = await committed();
  await rest(seconds * 1_000);
  return ((await committed()) - before) / seconds;
}

/** A request for a customer, which is one event once it is accepted. */
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

/** Makes customers at a steady rate, in the environments in turn. */
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
        once(child, 'exit').then(() => Promise.reject(new Error('Sockets were not opened.'))),
      ]);
      return child;
    }),
  );

/** What all holders heard: until it is as much as expected, or nothing came for so long. */
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

/** Holds so many sockets while events happen for some seconds, on one process or on two. */
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
    // What a process needs once, it has afterwards.
    const [{ url }] = products as [Product];
    await happen(url, keys, 4);
    const warm = await openSockets(products, keys, holders * 5);
    for (const child of warm) child.kill();
    // The workers first finish what the events left to do.
    await rest(10_000);
    const [memoryBefore, statementsBefore] = [await resident(), await statementRate(databaseUrl, 10)];
    const children = await openSockets(products, keys, sockets);
    const idleStatements = (await statementRate(databaseUrl, 10)) - statementsBefore;
    const socketKb = ((await resident()) - memoryBefore) * 1_024;
    const held = holders * Math.ceil(sockets / holders);
    const expectedOf = (requests: readonly Made[]): number =>
      (requests.filter(({ isAccepted }) => isAccepted).length * held) / environments;
    // The first messages compile what writes and reads them, here and at the other ends.
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
