import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { apiKey, type Product, startProduct } from './children.ts';
import { createDatabase, dropDatabase } from './database.ts';
import { closeWorld, openWorld } from './world.ts';

// How many usage events a process takes, one per request and in batches: durable when answered, each id counted once.

const customers = 16;
const batchSize = 500;

/** Events per second, a value per round. */
export type UsageRates = { readonly single: readonly number[]; readonly batched: readonly number[] };

type Post = <T>(path: string, body: object) => Promise<T>;

const postTo =
  ({ url }: Product): Post =>
  async <T>(path: string, body: object): Promise<T> => {
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json', 'idempotency-key': randomUUID() };
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`The product answered ${response.status} at ${path}: ${await response.text()}`);
    return (await response.json()) as T;
  };

/** Makes customers of a free plan with one unlimited usage feature; answers their ids. */
async function makeConsumers(post: Post): Promise<string[]> {
  const feature = await post<{ id: string }>('/api/v1/features', { name: 'Calls', code: 'calls', type: 'usage' });
  const plan = await post<{ id: string }>('/api/v1/plans', { name: 'Free', code: 'free', isFree: true });
  await post(`/api/v1/plans/${plan.id}/features`, { featureId: feature.id, enabled: true, unlimited: true });
  const ids: string[] = [];
  for (let index = 0; index < customers; index++) {
    const { id } = await post<{ id: string }>('/api/v1/customers', { email: `c${index}@bench.test` });
    await post('/api/v1/subscriptions', { customerId: id, planId: plan.id });
    ids.push(id);
  }
  return ids;
}

const eventOf = (customerId: string) => ({ customerId, featureCode: 'calls', eventId: randomUUID() });

/** Sends on one connection per customer until the time is over; answers events per second. */
async function rateOf(ids: readonly string[], seconds: number, send: (customerId: string) => Promise<number>): Promise<number> {
  const began = performance.now();
  const until = began + seconds * 1_000;
  const counts = await Promise.all(
    ids.map(async (id) => {
      let count = 0;
      while (performance.now() < until) count += await send(id);
      return count;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - began) / 1_000);
}

/** Measures single events and batches in turn, on a product of its own. */
export async function measureUsage(rounds: number, seconds: number): Promise<UsageRates> {
  const databaseUrl = await createDatabase();
  await closeWorld(await openWorld(databaseUrl));
  const product = await startProduct(databaseUrl);
  try {
    const post = postTo(product);
    const ids = await makeConsumers(post);
    const one = async (id: string): Promise<number> => {
      await post('/api/v1/usage/events', eventOf(id));
      return 1;
    };
    const many = async (id: string): Promise<number> => {
      const events = Array.from({ length: batchSize }, () => eventOf(id));
      return (await post<{ recorded: number }>('/api/v1/usage/events/batch', { events })).recorded;
    };
    await rateOf(ids, 1, one);
    const single: number[] = [];
    const batched: number[] = [];
    for (let round = 0; round < rounds; round++) {
      single.push(await rateOf(ids, seconds, one));
      batched.push(await rateOf(ids.slice(0, 4), seconds, many));
    }
    return { single, batched };
  } finally {
    await product.stop();
    await dropDatabase(databaseUrl);
  }
}
