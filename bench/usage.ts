import { randomUUID } from 'node:crypto';
import { systemContext } from '../src/context.ts';
import { apiKey, type Child, type Product, startBare, startProduct } from './children.ts';
import { addCreditsPlan, addMeteredPlan, addSubscribers, type UsagePlan } from './consumers.ts';
import { createDatabase, dropDatabase } from './database.ts';
import { type Call, type Comparison, inTurns, type Load, load } from './load.ts';
import { rawBatchRate } from './raw-usage.ts';
import { closeWorld, openWorld, sandboxOf } from './world.ts';

// How many usage events a process takes, one per request and in batches, each id counted once and durable when answered; and how many
// questions about access.

const customers = 1_000;
const connections = 64;
const batchConnections = 4;
const batchSize = 500;

/** What was measured; loads of requests, a value per round. Batches and raw inserts count events per second. */
export type UsageRates = {
  readonly single: Comparison;
  readonly credits: readonly Load[];
  readonly oneCustomer: readonly Load[];
  readonly batched: readonly number[];
  readonly rawBatched: readonly number[];
  readonly access: Comparison;
};

/** How long the first load warms up: the first tens of thousands of requests of a process cost it a multiple of what they do later. */
const warmSeconds = 10;

/** How often the single events of a round are compared, and how often the rest. */
const turnsPerRound = 3;
const otherTurnsPerRound = 2;

let count = 0;
const run = randomUUID().slice(0, 8);

/** An id nobody used before; cheap, since the client shares the machine with what it measures. */
const freshId = (): string => `${run}-${++count}`;

const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };

const eventOf = (plan: UsagePlan, customerId: string) => ({
  customerId,
  featureCode: plan.featureCode,
  eventId: freshId(),
});

/** Events of the customers in turn, so many in a request. */
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

/** Batches of events of the customers in turn. */
export const batchCall = (plan: UsagePlan, ids: readonly string[], size: number): Call =>
  usageCall('/api/v1/usage/events/batch', plan, ids, size);

function accessCall(prefix: string, plan: UsagePlan, ids: readonly string[]): Call {
  const path = () => `${prefix}/feature-access/${plan.featureCode}?customerId=${ids[++count % ids.length]}`;
  return { path: path(), method: 'GET', headers: { 'x-api-key': apiKey }, vary: () => ({ path: path() }) };
}

/** The customers of both plans, in the database of a running product. */
async function populate(product: Child, databaseUrl: string) {
  const [metered, credits] = [await addMeteredPlan(product), await addCreditsPlan(product)];
  const app = await openWorld(databaseUrl);
  try {
    const ctx = await systemContext(app, await sandboxOf(databaseUrl));
    // The worker would write the receipts of those thousands of payments while usage is measured.
    await app.database.script('UPDATE "Organization" SET "customerEmails" = false');
    const callers = await addSubscribers(ctx, 'm', customers, metered.planId);
    const drawers = await addSubscribers(ctx, 'd', customers, credits.planId);
    await app.database.script('VACUUM ANALYZE "Customer", "Subscription", "ConsumptionAccount", "Deadline"');
    return { metered, credits, callers, drawers };
  } finally {
    await closeWorld(app);
  }
}

/** Opens product and bare server on a populated database, and closes them afterwards. `flags` go to the product's Node. */
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

/** Measures in turns, on a product of its own. */
export const measureUsage = (rounds: number, seconds: number): Promise<UsageRates> =>
  withUsage(async ({ product, bare, metered, credits, callers, drawers, databaseUrl }) => {
    const path = '/api/v1/usage/events';
    const calls = usageCall(path, metered, callers, null);
    const bareCall = { ...calls, path: '/usage/events' };
    const single = await inTurns(
      { server: product, call: calls },
      { server: bare, call: bareCall },
      // Short turns, and many of them: the machine is not equally quick from one second to the next.
      rounds * turnsPerRound,
      seconds,
      connections,
      warmSeconds,
    );
    const drawn: Load[] = [];
    const hot: Load[] = [];
    const batched: number[] = [];
    const rawBatched: number[] = [];
    // Both single loads were warmed up; so are the other ones.
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

/** Loads one kind of request for a profile: `single`, `credits`, `batch` or `access`. */
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
    if (call === undefined) throw new Error(`There is no load ${kind}.`);
    return load(product, call, seconds, kind === 'batch' ? batchConnections : connections);
  }, flags);
