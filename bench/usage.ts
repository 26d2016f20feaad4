import { randomUUID } from 'node:crypto';
import { systemContext } from '../src/request/context.ts';
import { apiKey, type Child, type Product, startBare, startProduct } from './children.ts';
import { addCreditsPlan, addMeteredPlan, addSubscribers, type UsagePlan } from './consumers.ts';
import { createDatabase, dropDatabase } from './database.ts';
import { type Call, type Comparison, inTurns, type Load, load } from './load.ts';
import { rawBatchRate } from './raw-usage.ts';
import { closeWorld, openWorld, sandboxOf } from './world.ts';

// Measures usage events per second, for single requests and batches, and feature access checks per second. Each event ID is recorded once,
// and events are stored durably before the response is sent.

const customers = 1_000;
const connections = 64;
const batchConnections = 4;
const batchSize = 500;

/** Results, one value per round. Batches and bare inserts are measured in events per second. */
export type UsageRates = {
  readonly single: Comparison;
  readonly credits: readonly Load[];
  readonly oneCustomer: readonly Load[];
  readonly batched: readonly number[];
  readonly rawBatched: readonly number[];
  readonly access: Comparison;
};

/** Duration of the first warm-up in seconds. A process handles its first tens of thousands of requests much more slowly. */
const warmSeconds = 10;

/** Number of comparisons per round for single events, and for each other type of request. */
const turnsPerRound = 3;
const otherTurnsPerRound = 2;

let count = 0;
const run = randomUUID().slice(0, 8);

/** Returns a unique ID. Must be fast, because the client shares a machine with the server. */
export const freshId = (): string => `${run}-${++count}`;

const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };

const eventOf = (plan: UsagePlan, customerId: string) => ({
  customerId,
  featureCode: plan.featureCode,
  eventId: freshId(),
});

/** Returns a request that records `size` usage events, rotating through the customers. */
function usageCall(path: string, plan: UsagePlan, ids: readonly string[], size: number | null): Call {
  const next = () => eventOf(plan, ids[count % ids.length] ?? '');
  const body = () => (size === null ? next() : { events: Array.from({ length: size }, next) });
  return {
    path,
    method: 'POST',
    headers,
    vary: () => ({ headers: { ...headers, 'idempotency-key': freshId() }, body: JSON.stringify(body()) }),
  };
}

/** Returns a request that records batches of usage events, rotating through the customers. */
export const batchCall = (plan: UsagePlan, ids: readonly string[], size: number): Call =>
  usageCall('/api/v1/usage/events/batch', plan, ids, size);

function accessCall(prefix: string, plan: UsagePlan, ids: readonly string[]): Call {
  const path = () => `${prefix}/feature-access/${plan.featureCode}?customerId=${ids[++count % ids.length]}`;
  return { path: path(), method: 'GET', headers: { 'x-api-key': apiKey }, vary: () => ({ path: path() }) };
}

/** Creates the customers for both plans in the database. */
async function populate(product: Child, databaseUrl: string) {
  const [metered, credits] = [await addMeteredPlan(product), await addCreditsPlan(product)];
  const app = await openWorld(databaseUrl);
  try {
    const ctx = await systemContext(app, await sandboxOf(databaseUrl));
    // Disables emails. Otherwise, the worker would send receipts during the measurement.
    await app.database.script('UPDATE "Organization" SET "customerEmails" = false');
    const callers = await addSubscribers(ctx, 'm', customers, metered.planId);
    const drawers = await addSubscribers(ctx, 'd', customers, credits.planId);
    await app.database.script('VACUUM ANALYZE "Customer", "Subscription", "ConsumptionAccount", "Deadline"');
    return { metered, credits, callers, drawers };
  } finally {
    await closeWorld(app);
  }
}

/** Starts Quittance and the baseline server on a populated database. Stops them when `work` is done. `flags` are passed to Node. */
export async function withUsage<T>(
  work: (
    world: Awaited<ReturnType<typeof populate>> & { product: Product; bare: Child; databaseUrl: string },
  ) => Promise<T>,
  flags: readonly string[] = [],
): Promise<T> {
  const databaseUrl = await createDatabase();
  await closeWorld(await openWorld(databaseUrl));
  const product = await startProduct(databaseUrl, flags);
  const world = await populate(product, databaseUrl);
  const bare = await startBare(databaseUrl, await sandboxOf(databaseUrl), world.metered.featureId);
  try {
    return await work({ ...world, product, bare, databaseUrl });
  } finally {
    await product.stop();
    await bare.stop();
    await dropDatabase(databaseUrl);
  }
}

/** Measures all types of requests, sent from a separate process. */
export const measureUsage = (rounds: number, seconds: number): Promise<UsageRates> =>
  withUsage(async ({ product, bare, metered, credits, callers, drawers, databaseUrl }) => {
    const path = '/api/v1/usage/events';
    const calls = usageCall(path, metered, callers, null);
    const bareCall = { ...calls, path: '/usage/events' };
    const single = await inTurns(
      { server: product, call: calls },
      { server: bare, call: bareCall },
      // Runs many short comparisons, because the speed of the machine varies.
      rounds * turnsPerRound,
      seconds,
      connections,
      warmSeconds,
    );
    const drawn: Load[] = [];
    const hot: Load[] = [];
    const batched: number[] = [];
    const rawBatched: number[] = [];
    // Warms up the remaining requests.
    await load(product, usageCall(path, credits, drawers, null), 1, connections);
    await load(product, batchCall(metered, callers, batchSize), 1, batchConnections);
    await rawBatchRate(databaseUrl, batchSize, 1);
    for (let turn = 0; turn < rounds * otherTurnsPerRound; turn++) {
      drawn.push(await load(product, usageCall(path, credits, drawers, null), seconds, connections));
      hot.push(
        await load(product, usageCall(path, credits, drawers.slice(0, 1), null), seconds, connections),
      );
      const batches = await load(product, batchCall(metered, callers, batchSize), seconds, batchConnections);
      batched.push(batches.perSecond * batchSize);
      rawBatched.push(await rawBatchRate(databaseUrl, batchSize, seconds));
    }
    const access = await inTurns(
      { server: product, call: accessCall('/api/v1', metered, callers) },
      { server: bare, call: accessCall('', metered, callers) },
      rounds,
      seconds,
      connections,
    );
    return { single, credits: drawn, oneCustomer: hot, batched, rawBatched, access };
  });

/** Repeats one type of request for a CPU profile: `single`, `credits`, `batch`, or `access`. */
export const loadUsage = (kind: string, seconds: number, flags: readonly string[]): Promise<Load> =>
  withUsage(async ({ product, metered, credits, callers, drawers }) => {
    const path = '/api/v1/usage/events';
    const kinds: Readonly<Record<string, Call>> = {
      single: usageCall(path, metered, callers, null),
      credits: usageCall(path, credits, drawers, null),
      batch: batchCall(metered, callers, batchSize),
      access: accessCall('/api/v1', metered, callers),
    };
    const call = kinds[kind];
    if (call === undefined) throw new Error(`Unknown load: ${kind}.`);
    return load(product, call, seconds, kind === 'batch' ? batchConnections : connections);
  }, flags);
