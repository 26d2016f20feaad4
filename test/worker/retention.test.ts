import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rebuildMetrics } from '../../src/modules/metrics/sums/delete-sums.ts';
import { ConfigurationError, parseConfig } from '../../src/platform/config.ts';
import { type BulkRow, insertRows } from '../../src/platform/db/bulk.ts';
import { type App, type Context, systemContext } from '../../src/request/context.ts';
import { removeOld } from '../../src/worker/retention.ts';
import {
  addCustomers,
  addPlan,
  advance,
  closeApp,
  MovableClock,
  newEnvironment,
  openApp,
  portrait,
  subscribe,
  withSettings,
} from '../support/billing-world.ts';

// Tests how long events and usage events are retained.

const began = '2027-01-31T09:30:00.000Z';
const wall = new MovableClock(began);
let app: App;
let kept: App;
beforeAll(async () => {
  app = await openApp(wall);
  const config = withSettings(app, { EVENT_RETENTION_DAYS: '400', USAGE_EVENT_RETENTION_DAYS: '400' }).config;
  kept = { ...app, config };
});
beforeEach(() => wall.set(began));
afterAll(() => closeApp(app));

/**
 * Creates an environment with a weekly subscription that has renewed four times. The cursors for emails and metrics are past all events.
 */
async function renewed(): Promise<Context> {
  const ctx = await newEnvironment(app);
  await addPlan(ctx, 'weekly', 'weekly', 700n);
  const [customer = ''] = await addCustomers(ctx, 'c', 1);
  await subscribe(ctx, customer, 'pln_weekly');
  await advance(ctx, { advanceDays: 28 });
  await moveTo(ctx, 'EmailCursor', 1_000_000);
  await moveOutcomesTo(ctx, 1_000_000);
  return ctx;
}

const moveTo = (ctx: Context, table: string, position: number) =>
  ctx.sql(`UPDATE "${table}" SET position = $2 WHERE "environmentId" = $1`, [position]);

const moveOutcomesTo = (ctx: Context, position: number) =>
  ctx.sql(`UPDATE "SumCursor" SET seq = $2 WHERE "environmentId" = $1 AND source = 'outcomes'`, [position]);

const positions = async (ctx: Context): Promise<number[]> =>
  (
    await ctx.sql<{ position: bigint }>(
      'SELECT position FROM "Event" WHERE "environmentId" = $1 ORDER BY position',
    )
  ).map(({ position }) => Number(position));

/** Returns the number of events up to this many days after the start. */
async function countUntil(ctx: Context, days: number): Promise<number> {
  const until = new Date(Date.parse(began) + days * 86_400_000);
  const [row] = await ctx.sql<{ count: number }>(
    'SELECT count(*)::int AS count FROM "Event" WHERE "environmentId" = $1 AND "occurredAt" <= $2',
    [until],
  );
  return row?.count ?? 0;
}

describe('the retention of events', () => {
  test('removes events after the retention period, from oldest to newest, and keeps documents', async () => {
    const ctx = await renewed();
    const all = await positions(ctx);
    const { events: _events, ...documents } = await portrait(ctx);
    const early = await countUntil(ctx, 10);
    expect(early).toBeGreaterThan(3);
    expect(early).toBeLessThan(all.length);
    wall.set('2028-03-06T09:29:59.999Z');
    expect(await removeOld(kept, 'events')).toBe(0);
    // Sets the time to 410 days after the start.
    wall.set('2028-03-16T09:30:00.000Z');
    expect(await removeOld(app, 'events')).toBe(0);
    expect(await removeOld(kept, 'events')).toBe(early);
    expect(await positions(ctx)).toEqual(all.slice(early));
    expect(await removeOld(kept, 'events')).toBe(0);
    const { events: _left, ...after } = await portrait(ctx);
    expect(after).toEqual(documents);
  });

  test("keeps events that emails, metrics, or an enabled endpoint haven't processed", async () => {
    const ctx = await renewed();
    const all = await positions(ctx);
    wall.set('2030-01-01T00:00:00.000Z');
    await moveTo(ctx, 'EmailCursor', 0);
    // Removes events from other tests.
    await removeOld(kept, 'events');
    expect(await positions(ctx)).toEqual(all);
    await moveTo(ctx, 'EmailCursor', 2);
    expect(await removeOld(kept, 'events')).toBe(2);
    await moveTo(ctx, 'EmailCursor', 1_000_000);
    await moveOutcomesTo(ctx, 3);
    expect(await removeOld(kept, 'events')).toBe(1);
    await moveOutcomesTo(ctx, 1_000_000);
    const endpoint = { url: 'https://hook.test', events: [], description: null, apiVersion: '2026-08-27' };
    const secrets = { sealedSecret: '', previousSecret: null, previousSecretUntil: null };
    const times = { createdAt: wall.now(), updatedAt: wall.now(), deletedAt: null };
    for (const [id, isActive, position] of [
      ['whe_off', false, 0n],
      ['whe_on', true, 5n],
    ] as const) {
      await ctx.db.webhook.create({
        data: { id, seq: position, isActive, failedInRow: 0, ...endpoint, ...secrets, ...times },
      });
      await ctx.db.webhookCursor.create({ data: { id, position, leaseOwner: null, leaseUntil: null } });
    }
    // Only the enabled endpoint keeps events from being removed. A disabled endpoint continues after the last event when it's enabled.
    expect(await removeOld(kept, 'events')).toBe(2);
    expect(await positions(ctx)).toEqual(all.slice(5));
    await moveTo(ctx, 'WebhookCursor', 1_000_000);
    expect(await removeOld(kept, 'events')).toBe(all.length - 5);
  });

  test('keeps the daily trial totals if metrics are rebuilt after events were removed', async () => {
    const ctx = await newEnvironment(kept);
    await ctx.sql(
      `INSERT INTO "TrialDay" ("environmentId", id, month, started, ended, converted, lost, days, "startedDays", "endedDays", "convertedDays", "lostDays")
       VALUES ($1, '2027-01', '2027-01-01Z', 1, 0, 0, 0, '{31}', '{1}', '{}', '{}', '{}')`,
    );
    await moveOutcomesTo(ctx, 7);
    await rebuildMetrics(ctx);
    expect(await ctx.db.trialDay.count({})).toBe(1);
    expect(await ctx.db.sumCursor.findMany({ where: { source: 'outcomes' } })).toMatchObject([{ seq: 7n }]);
    await rebuildMetrics(await systemContext(app, ctx.environment.id));
    expect(await ctx.db.trialDay.count({})).toBe(0);
  });
});

test("the worker removes usage events after the retention period, once they're included in daily totals", async () => {
  const ctx = await newEnvironment(app);
  const [customerId = ''] = await addCustomers(ctx, 'c', 1);
  const now = wall.now();
  const at = { createdAt: now, updatedAt: now, deletedAt: null };
  const named = {
    code: 'calls',
    name: 'calls',
    searchText: 'calls\ncalls',
    description: null,
    unitName: null,
  };
  await ctx.db.feature.create({
    data: { id: 'ftr_calls', seq: 1n, type: 'usage', ...named, ...at, meters: [] },
  });
  const recorded = (index: number, createdAt: Date): BulkRow<'UsageEvent'> => ({
    id: `evt_${index}`,
    seq: BigInt(index),
    eventId: null,
    asset: null,
    decimals: null,
    customerId,
    subscriptionId: 'sub_any',
    featureId: 'ftr_calls',
    budgetId: null,
    value: 1n,
    quantity: null,
    units: null,
    price: null,
    cost: null,
    exchangeRateE8: null,
    model: null,
    tokenCost: null,
    hold: null,
    sourceEventId: null,
    levelKind: null,
    levelChange: null,
    levelSeq: null,
    level: null,
    consumptionModel: 'metered',
    deducted: null,
    remaining: null,
    isBlocked: null,
    properties: [],
    ts: createdAt,
    windowStart: createdAt,
    createdAt,
  });
  const days = (count: number) => new Date(now.getTime() + count * 86_400_000);
  await insertRows(
    ctx.sql,
    'UsageEvent',
    [0, 1, 2].map((index) => recorded(index, days(index))),
  );
  const left = async () =>
    (await ctx.db.usageEvent.findMany({ orderBy: { seq: 'asc' } })).map(({ id }) => id);
  wall.set(days(401).toISOString());
  expect(await removeOld(kept, 'usageEvents')).toBe(0);
  await ctx.sql(`UPDATE "SumCursor" SET until = $2 WHERE "environmentId" = $1 AND source = 'usage'`, [
    days(1),
  ]);
  expect(await removeOld(app, 'usageEvents')).toBe(0);
  expect(await removeOld(kept, 'usageEvents')).toBe(1);
  expect(await left()).toEqual(['evt_1', 'evt_2']);
  await ctx.sql(`UPDATE "SumCursor" SET until = $2 WHERE "environmentId" = $1 AND source = 'usage'`, [
    days(30),
  ]);
  expect(await removeOld(kept, 'usageEvents')).toBe(1);
  expect(await left()).toEqual(['evt_2']);
});

test('values and totals by dimension values of ended usage windows', async () => {
  const ctx = await newEnvironment(app);
  await addPlan(ctx, 'weekly', 'weekly', 700n);
  const [customer = ''] = await addCustomers(ctx, 'c', 1);
  const subscriptionId = await subscribe(ctx, customer, 'pln_weekly');
  await advance(ctx, { advanceDays: 28 });
  const [subscription] = await ctx.db.subscription.findMany({ where: { id: subscriptionId } });
  const open = subscription?.windowStart ?? new Date(began);
  const value = (id: string, windowStart: Date): BulkRow<'UsageValue'> => ({
    id,
    subscriptionId,
    windowStart,
    count: 1n,
  });
  const windows = [
    ['ended', new Date(began)],
    ['open', open],
  ] as const;
  await insertRows(
    ctx.sql,
    'UsageValue',
    windows.map(([id, windowStart]) => value(id, windowStart)),
  );
  await insertRows(
    ctx.sql,
    'UsageCell',
    windows.map(([id, windowStart], index) => ({
      id,
      seq: BigInt(index),
      customerId: customer,
      subscriptionId,
      featureId: 'ftr_calls',
      windowStart,
      values: {},
      total: 1n,
    })),
  );
  wall.set(new Date(open.getTime() + 41 * 86_400_000).toISOString());
  expect(await removeOld(app, 'usageCells')).toBe(1);
  expect((await ctx.db.usageCell.findMany({})).map(({ id }) => id)).toEqual(['open']);
  expect(await removeOld(app, 'usageValues')).toBe(1);
  expect((await ctx.db.usageValue.findMany({})).map(({ id }) => id)).toEqual(['open']);
});

test("events are retained without a limit by default, and can't be removed before rows that refer to them", () => {
  expect(parseConfig({})).toMatchObject({ eventRetentionDays: 0, usageEventRetentionDays: 0 });
  expect(parseConfig({ EVENT_RETENTION_DAYS: '365' }).eventRetentionDays).toBe(365);
  expect(parseConfig({ USAGE_EVENT_RETENTION_DAYS: '400' }).usageEventRetentionDays).toBe(400);
  const rejected: Record<string, string>[] = [
    { EVENT_RETENTION_DAYS: '364' },
    { EVENT_RETENTION_DAYS: '365', EMAIL_RETENTION_DAYS: '0' },
    { EVENT_RETENTION_DAYS: '20', EMAIL_RETENTION_DAYS: '20', WEBHOOK_DELIVERY_RETENTION_DAYS: '21' },
    { USAGE_EVENT_RETENTION_DAYS: '399' },
  ];
  for (const settings of rejected) expect(() => parseConfig(settings)).toThrow(ConfigurationError);
});
