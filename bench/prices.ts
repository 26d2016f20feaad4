import { saveModelPrices } from '../src/modules/catalog/ai-models/store.ts';
import { systemContext } from '../src/request/context.ts';
import { apiKey, type Child, startProduct } from './children.ts';
import { addSubscribers, addUsagePlan, post, put, type UsagePlan } from './consumers.ts';
import { createDatabase, dropDatabase, onDatabase } from './database.ts';
import { type Call, inTurns } from './load.ts';
import { yearOn } from './renewals.ts';
import { batchCall, freshId } from './usage.ts';
import { closeWorld, openWorld, sandboxOf } from './world.ts';

// Measures the cost of settings of prices: each setting and the same work without the setting take turns on one server (PRM-80).

/** Rates with a setting and without it, one value per round, and the goal for their ratio. */
export type PriceRates = {
  readonly work: string;
  readonly goal: number;
  readonly product: readonly number[];
  readonly baseline: readonly number[];
  /** Processor time of the server per event in milliseconds, with the setting and without it. */
  readonly cpuMs?: { readonly product: readonly number[]; readonly baseline: readonly number[] };
};

const customers = 200;
const connections = 64;
const warmSeconds = 3;

/** Number of lots in each account with many lots. */
const manyLots = 1_000;

const graduated = {
  model: 'graduated',
  tiers: [
    { upTo: '1000', amount: '0.02' },
    { upTo: '100000', amount: '0.015' },
    { upTo: null, amount: '0.008' },
  ],
};

const sold = { includedAmount: 0, overage: { enabled: true, unitPrice: 100 } };
const prepaid = { includedBalance: 1_000_000_000_000 };

const setRate = (product: Child, { planId, featureId }: UsagePlan, rate: object): Promise<void> =>
  put(product, `/api/v1/plans/${planId}/features/${featureId}/rate`, { rate });

/** Values of the first dimension. */
const models = ['small', 'medium', 'large', 'huge'];

async function addPlans(product: Child) {
  const balance = { consumptionModel: 'balance' };
  const credits = { consumptionModel: 'credits' };
  const lots = { includedCredits: 1_000_000_000 };
  const plans = {
    plain: await addUsagePlan(product, 'plain', {}, {}, sold),
    graduated: await addUsagePlan(product, 'graduated', {}, {}, sold),
    unique: await addUsagePlan(product, 'unique', {}, {}, sold),
    divided: await addUsagePlan(product, 'divided', {}, {}, sold),
    units: await addUsagePlan(product, 'units', balance, prepaid, { overage: { unitPrice: 1 } }),
    tokens: await addUsagePlan(product, 'tokens', balance, prepaid, {
      pricingMode: 'ai_model',
      margin: 2_000,
    }),
    few: await addUsagePlan(product, 'few', credits, lots, { creditsPerUnit: 7 }),
    many: await addUsagePlan(product, 'many', credits, lots, { creditsPerUnit: 7 }),
  };
  await setRate(product, plans.graduated, graduated);
  await put(product, `/api/v1/features/${plans.unique.featureCode}/meter`, {
    aggregation: 'unique',
    property: 'user',
  });
  const dimensions = [{ property: 'model' }, { property: 'region' }];
  const cells = models.map((name) => ({ when: { model: [name] }, rate: { amount: '0.01' } }));
  await put(product, `/api/v1/features/${plans.divided.featureCode}/meter`, {
    aggregation: 'sum',
    dimensions,
  });
  await setRate(product, plans.divided, { cells });
  return plans;
}

type Plans = Awaited<ReturnType<typeof addPlans>>;

/** Adds granted lots to all accounts of a plan, so that each account has `count` lots. */
const addLots = (databaseUrl: string, { planId }: UsagePlan, count: number): Promise<unknown> =>
  onDatabase(databaseUrl, (client) =>
    client.query(
      `WITH accounts AS (SELECT s."environmentId", s.id, s."customerId", row_number() OVER () AS n FROM "Subscription" s WHERE s."planId" = $1),
         counter AS (SELECT "environmentId", seq FROM "EnvironmentCounter"),
         lots AS (INSERT INTO "Lot" ("environmentId", id, seq, "customerId", "subscriptionId", asset, source, priority, features, amount, remaining, "isOpen",
             "endsWithWindow", "effectiveAt", "drawnInWindow")
           SELECT a."environmentId", 'lot_' || a.id || i, c.seq + a.n * $2 + i, a."customerId", a.id, 'credits', 'promotion', 5, '[]', 1000000, 1000000, TRUE,
             FALSE, now(), 0 FROM accounts a JOIN counter c USING ("environmentId") CROSS JOIN generate_series(2, $2::int) AS i),
         moved AS (UPDATE "EnvironmentCounter" c SET seq = c.seq + ($2 + 1) * (SELECT count(*) + 1 FROM accounts))
       UPDATE "ConsumptionAccount" t SET pools = jsonb_set(t.pools, '{credits,amount}',
           to_jsonb(((t.pools->'credits'->>'amount')::bigint + 1000000 * ($2::bigint - 1))::text))
       FROM accounts a WHERE t."environmentId" = a."environmentId" AND t.id = a.id`,
      [planId, count],
    ),
  );

const model = 'bench/small';

/** Creates the customers of all plans, the lots, and the prices of the AI model. Returns the IDs of the customers. */
async function populate(databaseUrl: string, plans: Plans): Promise<Record<keyof Plans, string[]>> {
  const app = await openWorld(databaseUrl);
  try {
    const ctx = await systemContext(app, await sandboxOf(databaseUrl));
    await app.database.script('UPDATE "Organization" SET "customerEmails" = false');
    const prices = [{ upTo: null, prices: { input: 150_000n, output: 600_000n } }];
    await saveModelPrices(
      app.database,
      { models: [{ id: model, provider: 'bench', name: 'small', prices }], invalidIds: [], unknownPrices: 0 },
      app.wall.now(),
    );
    const ids: Partial<Record<keyof Plans, string[]>> = {};
    // The compiler doesn't infer the names of the plans.
    for (const name of Object.keys(plans) as (keyof Plans)[])
      ids[name] = await addSubscribers(ctx, name, customers, plans[name].planId);
    await addLots(databaseUrl, plans.few, 2);
    await addLots(databaseUrl, plans.many, manyLots);
    await app.database.script('VACUUM ANALYZE');
    return ids as Record<keyof Plans, string[]>;
  } finally {
    await closeWorld(app);
  }
}

let sent = 0;

/** Returns a request that records an event with further fields, rotating through the customers. */
function eventCall(
  { featureCode }: UsagePlan,
  ids: readonly string[],
  more: () => object = () => ({}),
): Call {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const body = () => ({ customerId: ids[++sent % ids.length], featureCode, eventId: freshId(), ...more() });
  return {
    path: '/api/v1/usage/events',
    method: 'POST',
    headers,
    vary: () => ({ headers: { ...headers, 'idempotency-key': freshId() }, body: JSON.stringify(body()) }),
  };
}

async function measureEvents(rounds: number, seconds: number): Promise<PriceRates[]> {
  const databaseUrl = await createDatabase();
  await closeWorld(await openWorld(databaseUrl));
  const product = await startProduct(databaseUrl);
  try {
    const plans = await addPlans(product);
    const ids = await populate(databaseUrl, plans);
    const of = (name: keyof Plans, more?: () => object): Call => eventCall(plans[name], ids[name], more);
    const user = () => ({ properties: [{ property: 'user', value: String(sent % 5_000) }] });
    const place = () => ({
      properties: [
        { property: 'model', value: models[sent % models.length] },
        { property: 'region', value: `region-${sent % 3}` },
      ],
    });
    const tokens = () => ({ model, inputTokens: 300, outputTokens: 5 });
    const compared = async (work: string, goal: number, call: Call, baseline: Call): Promise<PriceRates> => {
      const sides = [
        { server: product, call },
        { server: product, call: baseline },
      ] as const;
      const loads = await inTurns(...sides, rounds * 2, seconds, connections, warmSeconds);
      return {
        work,
        goal,
        product: loads.product.map((load) => load.perSecond),
        baseline: loads.baseline.map((load) => load.perSecond),
        cpuMs: {
          product: loads.product.map((load) => load.cpuMs),
          baseline: loads.baseline.map((load) => load.cpuMs),
        },
      };
    };
    return [
      await compared('events with a graduated rate', 0.97, of('graduated'), of('plain')),
      await compared('events of a meter for unique values', 0.8, of('unique', user), of('plain', user)),
      await compared('events of a meter with two dimensions', 0.9, of('divided', place), of('plain', place)),
      await compared('events with tokens', 0.95, of('tokens', tokens), of('units')),
      await compared(`draws on ${manyLots.toLocaleString('en-US')} lots`, 0.85, of('many'), of('few')),
    ];
  } finally {
    await product.stop();
    await dropDatabase(databaseUrl);
  }
}

/** Creates a database with subscriptions of one plan, whose seats and usage exceed the included units. Both have a graduated rate or a price per unit. */
async function renewingDatabase(count: number, isGraduated: boolean): Promise<string> {
  const databaseUrl = await createDatabase();
  await closeWorld(await openWorld(databaseUrl));
  const product = await startProduct(databaseUrl);
  try {
    const plan = await addUsagePlan(product, 'calls', {}, {}, sold);
    if (isGraduated) await setRate(product, plan, graduated);
    const seats = await post<{ id: string }>(product, '/api/v1/features', {
      name: 'Seats',
      code: 'seats',
      type: 'seats',
    });
    await post(product, `/api/v1/plans/${plan.planId}/features`, {
      featureId: seats.id,
      enabled: true,
      ...sold,
    });
    if (isGraduated) await setRate(product, { ...plan, featureId: seats.id }, graduated);
    const app = await openWorld(databaseUrl);
    const ctx = await systemContext(app, await sandboxOf(databaseUrl));
    await app.database.script('UPDATE "Organization" SET "customerEmails" = false');
    const ids = await addSubscribers(ctx, 'c', count, plan.planId);
    await closeWorld(app);
    for (const customerId of ids)
      await post(product, '/api/v1/seats', { customerId, featureCode: 'seats', count: 12 });
    const { path, vary } = batchCall(plan, ids, Math.min(count, 1_000));
    for (let recorded = 0; recorded < count; recorded += 1_000)
      await post(product, path, JSON.parse(vary?.().body ?? '{}'));
    return databaseUrl;
  } finally {
    await product.stop();
  }
}

/** Measures one renewal of each subscription with graduated seats and overage, and with a price per unit. */
async function measurePricedRenewals(rounds: number, subscriptions: number): Promise<PriceRates> {
  const seeded = [await renewingDatabase(subscriptions, true), await renewingDatabase(subscriptions, false)];
  const rates: number[][] = [[], []];
  for (let round = 0; round < rounds; round++) {
    for (const [side, from] of seeded.entries()) {
      const { databaseUrl, seconds, renewals } = await yearOn(from, [], 31);
      await dropDatabase(databaseUrl);
      rates[side]?.push(renewals / seconds);
    }
  }
  for (const url of seeded) await dropDatabase(url);
  const [product = [], baseline = []] = rates;
  return { work: 'renewals with graduated seats and overage', goal: 0.95, product, baseline };
}

/** Measures all settings of prices. `subscriptions` is the number of renewing subscriptions. */
export const measurePrices = async (
  rounds: number,
  seconds: number,
  subscriptions: number,
): Promise<readonly PriceRates[]> => [
  ...(await measureEvents(rounds, seconds)),
  await measurePricedRenewals(rounds, subscriptions),
];
