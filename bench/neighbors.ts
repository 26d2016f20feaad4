import { execFile } from 'node:child_process';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as rest } from 'node:timers/promises';
import { promisify } from 'node:util';
import { systemContext } from '../src/request/context.ts';
import { attackNames, type Send, sender } from './attacker.ts';
import { apiKey, type Product, startProduct } from './children.ts';
import { createDatabase, dropDatabase, onDatabase } from './database.ts';
import { addSubscriptions, closeWorld, openWorld, sandboxOf } from './world.ts';

// Measures a tenant's response times while another tenant attacks.

/** Durations of the tenant's requests during an attack, in milliseconds, and the number of failed requests. */
export type NeighborFigures = {
  readonly attack: string;
  readonly requests: number;
  readonly failed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Number of responses to the attacker, by status. */
  readonly answers: Readonly<Record<string, number>>;
  readonly residentMb: number;
};

/** Interval between the tenant's requests in milliseconds. Requests are sent even if earlier requests are pending. */
const intervalMs = 50;

let created = 0;

/** Requests that the tenant sends in rotation. */
const asks: readonly ((send: Send) => Promise<number>)[] = [
  (send) => send('GET', '/api/v1/customers?limit=25'),
  (send) => send('POST', '/api/v1/customers', { email: `neighbor${++created}@example.com` }),
  (send) => send('POST', '/graphql', { query: '{ customers(first: 25) { edges { node { id email } } } }' }),
  (send) => send('GET', '/api/v1/plans'),
];

type Answers = Readonly<Record<string, number>>;

/** Repeats an attack in a separate process for a number of seconds. If the attack is `null`, only waits. */
async function attack(product: Product, key: string, name: string | null, seconds: number): Promise<Answers> {
  if (name === null) return rest(seconds * 1_000).then(() => ({}));
  const file = path.join(import.meta.dirname, 'attacker.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [
    file,
    product.url,
    key,
    name,
    String(seconds),
  ]);
  return JSON.parse(stdout) as Answers;
}

/** Sends the tenant's requests while the attack runs. */
async function during(
  product: Product,
  send: Send,
  key: string,
  name: string | null,
  seconds: number,
): Promise<NeighborFigures> {
  const took: number[] = [];
  let failed = 0;
  let isOver = false;
  const attacking = attack(product, key, name, seconds).finally(() => {
    isOver = true;
  });
  const sent: Promise<void>[] = [];
  for (let index = 0; !isOver; index++) {
    const began = performance.now();
    const ask = asks[index % asks.length] as (typeof asks)[number];
    sent.push(
      ask(send).then((status) => {
        took.push(performance.now() - began);
        if (status < 200 || status >= 300) failed++;
      }),
    );
    await rest(intervalMs);
  }
  const answers = await attacking;
  await Promise.all(sent);
  took.sort((a, b) => a - b);
  const at = (part: number): number => took[Math.min(took.length - 1, Math.floor(took.length * part))] ?? 0;
  return {
    attack: name ?? 'calm',
    requests: took.length,
    failed,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: took.at(-1) ?? 0,
    answers,
    residentMb: await product.residentMb(),
  };
}

/** Creates customers with subscriptions and advances the tenant's clock. Also creates 100 customers with 64 KiB of metadata. */
async function fill(product: Product, url: string, key: string, days: number): Promise<void> {
  const send = sender(product.url, key);
  const status = await send('POST', '/api/v1/test-clock', { advanceDays: days });
  if (status >= 300) throw new Error(`The attacker's clock couldn't be advanced: ${status}.`);
  const pending = () =>
    onDatabase(url, async (client) => {
      const { rows } = await client.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM "TestClockRun" WHERE status::text IN ('pending', 'running')`,
      );
      return rows[0]?.count ?? 0;
    });
  while ((await pending()) > 0) await rest(500);
  const metadata = { pad: 'x'.repeat(65_000) };
  for (let index = 0; index < 100; index++)
    await send('POST', '/api/v1/customers', { email: `large${index}@example.com`, metadata });
}

type Provisioned = { readonly sandboxApiKey: string; readonly organizationId?: string };

/**
 * Measures response times without an attack, then during each attack. The attacker is a provisioned tenant with subscriptions and an
 * advanced clock.
 */
export async function measureNeighbors(
  subscriptions: number,
  days: number,
  seconds: number,
): Promise<readonly NeighborFigures[]> {
  const url = await createDatabase();
  await closeWorld(await openWorld(url));
  const neighbor = await sandboxOf(url);
  const product = await startProduct(url, [], { PROVISIONING_PER_MINUTE: '0' });
  try {
    const response = await fetch(`${product.url}/api/v1/provision`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
      body: JSON.stringify({ name: 'Attacker', country: 'US', businessType: 'Software' }),
    });
    const { sandboxApiKey } = (await response.json()) as Provisioned;
    const world = await openWorld(url);
    const hostile = await onDatabase(url, async (client) => {
      const { rows } = await client.query<{ id: string }>(
        `SELECT id FROM "Environment" WHERE mode = 'sandbox' AND id <> $1`,
        [neighbor],
      );
      return String(rows[0]?.id);
    });
    await addSubscriptions(await systemContext(world, neighbor), 'n', 50);
    await addSubscriptions(await systemContext(world, hostile), 'h', subscriptions);
    await closeWorld(world);
    await fill(product, url, sandboxApiKey, days);
    await onDatabase(url, (client) => client.query('VACUUM ANALYZE'));
    const send = sender(product.url, apiKey);
    const figures: NeighborFigures[] = [];
    for (const name of [null, ...attackNames]) {
      figures.push(await during(product, send, sandboxApiKey, name, seconds));
      // Waits until the server finishes the work that the attack caused.
      await rest(1_000);
    }
    return figures;
  } finally {
    await product.stop();
    await dropDatabase(url);
  }
}
