import { systemContext } from '../src/request/context.ts';
import { apiKey, type Child, startProduct } from './children.ts';
import { addSubscribers, addUsagePlan, post, type UsagePlan } from './consumers.ts';
import { createDatabase, dropDatabase } from './database.ts';
import { type Call, inTurns, type Load } from './load.ts';
import type { PriceRates } from './prices.ts';
import { freshId } from './usage.ts';
import { closeWorld, openWorld, sandboxOf } from './world.ts';

// Measures the cost of limits: a server whose customers have limits and a server without limits take turns (LIM-95).

const customers = 200;
const connections = 64;
const batchConnections = 4;
const batchSize = 500;
const warmSeconds = 3;

/** Amount that no benchmark reaches. */
const amount = 900_000_000_000;

const sold = { includedAmount: 0, overage: { enabled: true, unitPrice: 100 } };

const spend = { measure: 'spend', currency: 'usd', amount };

/** Thresholds of the five alerts, in basis points of the amount. */
const thresholds = [1_000, 2_500, 5_000, 7_500, 9_000].map((bps) => ({ bps }));

const shortWindows = [{ kind: 'rolling', minutes: 300 }, { kind: 'day' }, { kind: 'week' }];

type Plans = Readonly<Record<'capped' | 'windowed' | 'divided' | 'hot', UsagePlan>>;

const addPlans = async (product: Child): Promise<Plans> => ({
  capped: await addUsagePlan(product, 'capped', {}, {}, sold),
  windowed: await addUsagePlan(product, 'windowed', {}, {}, sold),
  divided: await addUsagePlan(product, 'divided', {}, {}, sold),
  hot: await addUsagePlan(product, 'hot', {}, {}, sold),
});

/** Adds a spend cap and five alerts to each customer of a plan. */
async function addCap(product: Child, { planId, featureCode }: UsagePlan): Promise<void> {
  const scope = { each: 'customer', in: { plan: planId } };
  const window = { kind: 'usage_window' };
  await post(product, '/api/v1/limits', { scope, window, action: 'block', ...spend });
  const units = { measure: 'units', filter: { features: [featureCode] }, amount };
  await post(product, '/api/v1/limits', { scope, window, action: 'notify', thresholds, ...units });
}

/** Adds limits to the customers of the plans. The customers of the third plan also have a team and a key with limits. */
async function addLimits(product: Child, plans: Plans, divided: readonly string[]): Promise<void> {
  await addCap(product, plans.capped);
  await addCap(product, plans.windowed);
  const ofPlan = { each: 'customer', in: { plan: plans.windowed.planId } };
  for (const window of shortWindows)
    await post(product, '/api/v1/limits', { scope: ofPlan, window, action: 'block', ...spend });
  const organization = { organization: true };
  const levels = [
    { each: 'customer', in: { plan: plans.divided.planId } },
    { each: 'team', in: organization },
    { each: 'key', in: organization },
  ];
  for (const scope of levels)
    for (const window of [{ kind: 'day' }, { kind: 'month' }])
      await post(product, '/api/v1/limits', { scope, window, action: 'block', ...spend });
  // All events of the fourth plan change one gauge of the organization.
  const filter = { features: [plans.hot.featureCode] };
  const calls = { measure: 'calls', filter, amount, thresholds };
  await post(product, '/api/v1/limits', {
    scope: organization,
    window: { kind: 'day' },
    action: 'block',
    ...calls,
  });
  for (const id of divided) {
    await post(product, `/api/v1/customers/${id}/budgets`, { key: 'team:a' });
    await post(product, `/api/v1/customers/${id}/budgets`, { key: 'key:a', parentKey: 'team:a' });
  }
}

type World = {
  readonly product: Child;
  readonly databaseUrl: string;
  readonly plans: Plans;
  readonly ids: Readonly<Record<keyof Plans, readonly string[]>>;
};

async function open(hasLimits: boolean): Promise<World> {
  const databaseUrl = await createDatabase();
  await closeWorld(await openWorld(databaseUrl));
  const product = await startProduct(databaseUrl);
  const plans = await addPlans(product);
  const app = await openWorld(databaseUrl);
  try {
    const ctx = await systemContext(app, await sandboxOf(databaseUrl));
    await app.database.script('UPDATE "Organization" SET "customerEmails" = false');
    const ids = {
      capped: await addSubscribers(ctx, 'c', customers, plans.capped.planId),
      windowed: await addSubscribers(ctx, 'w', customers, plans.windowed.planId),
      divided: await addSubscribers(ctx, 'd', customers, plans.divided.planId),
      hot: await addSubscribers(ctx, 'h', customers, plans.hot.planId),
    };
    if (hasLimits) await addLimits(product, plans, ids.divided);
    await app.database.script('VACUUM ANALYZE');
    return { product, databaseUrl, plans, ids };
  } finally {
    await closeWorld(app);
  }
}

let sent = 0;

const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };

/** Returns a request that records usage, with a fresh body and a fresh idempotency key. */
export const recorded = (path: string, body: () => object): Call => ({
  path,
  method: 'POST',
  headers,
  vary: () => ({ headers: { ...headers, 'idempotency-key': freshId() }, body: JSON.stringify(body()) }),
});

/** Returns a function that creates events of one plan, rotating through the customers. */
function eventOf({ plans, ids }: World, plan: keyof Plans, budget: string | null) {
  const { featureCode } = plans[plan];
  return () => ({
    customerId: ids[plan][++sent % ids[plan].length],
    featureCode,
    eventId: freshId(),
    ...(budget === null ? {} : { budget }),
  });
}

function checkCall(world: World, budget: string | null): Call {
  const { featureCode } = world.plans.divided;
  const ids = world.ids.divided;
  const body = () => ({
    customerId: ids[++sent % ids.length],
    featureCode,
    quantity: 1,
    ...(budget === null ? {} : { budget }),
  });
  return {
    path: '/api/v1/usage/check',
    method: 'POST',
    headers,
    vary: () => ({ headers, body: JSON.stringify(body()) }),
  };
}

const cpuOf = (loads: readonly Load[]): readonly number[] => loads.map((load) => load.cpuMs);

/** Compares requests to a server with limits to requests to a server without limits. */
export async function compared(
  work: string,
  goal: number,
  [limited, plain]: readonly [Pick<World, 'product'>, Pick<World, 'product'>],
  calls: readonly [Call, Call],
  {
    rounds,
    seconds,
    sockets = connections,
    events = 1,
  }: { rounds: number; seconds: number; sockets?: number; events?: number },
): Promise<PriceRates> {
  const loads = await inTurns(
    { server: limited.product, call: calls[0] },
    { server: plain.product, call: calls[1] },
    rounds,
    seconds,
    sockets,
    warmSeconds,
  );
  return {
    work,
    goal,
    product: loads.product.map((load) => load.perSecond * events),
    baseline: loads.baseline.map((load) => load.perSecond * events),
    cpuMs: { product: cpuOf(loads.product), baseline: cpuOf(loads.baseline) },
  };
}

/** Measures usage events and usage checks of customers with limits, compared with customers without limits. */
export async function measureLimits(rounds: number, seconds: number): Promise<readonly PriceRates[]> {
  const worlds = [await open(true), await open(false)] as const;
  const options = { rounds: rounds * 2, seconds };
  const single = (work: string, goal: number, plan: keyof Plans, budget: string | null = null) =>
    compared(
      work,
      goal,
      worlds,
      [
        recorded('/api/v1/usage/events', eventOf(worlds[0], plan, budget)),
        recorded('/api/v1/usage/events', eventOf(worlds[1], plan, null)),
      ],
      options,
    );
  const batch = (world: World, plan: keyof Plans = 'capped') => {
    const next = eventOf(world, plan, null);
    return recorded('/api/v1/usage/events/batch', () => ({
      events: Array.from({ length: batchSize }, next),
    }));
  };
  try {
    return [
      await single('events with a spend cap and five alerts', 0.95, 'capped'),
      await compared(
        'batches with a spend cap and five alerts',
        0.95,
        worlds,
        [batch(worlds[0]), batch(worlds[1])],
        { ...options, sockets: batchConnections, events: batchSize },
      ),
      await single('events with a cap, alerts, and three more windows', 0.9, 'windowed'),
      await single('events with three levels and two windows each', 0.75, 'divided', 'key:a'),
      await single('events with one limit of the organization on everything', 0.95, 'hot'),
      await compared(
        'batches with one limit of the organization on everything',
        0.95,
        worlds,
        [batch(worlds[0], 'hot'), batch(worlds[1], 'hot')],
        { ...options, sockets: batchConnections, events: batchSize },
      ),
      await compared(
        'usage checks with three levels',
        0.95,
        worlds,
        [checkCall(worlds[0], 'key:a'), checkCall(worlds[1], null)],
        options,
      ),
    ];
  } finally {
    for (const { product, databaseUrl } of worlds) {
      await product.stop();
      await dropDatabase(databaseUrl);
    }
  }
}
