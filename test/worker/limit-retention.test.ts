import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type BulkRow, insertRows } from '../../src/platform/db/bulk.ts';
import type { App, Context } from '../../src/request/context.ts';
import { removeOld } from '../../src/worker/retention.ts';
import { addCustomers, closeApp, MovableClock, newEnvironment, openApp } from '../support/billing-world.ts';

// Tests how long crossings and raises of limits are retained.

const began = '2027-01-31T09:30:00.000Z';
const wall = new MovableClock(began);
let app: App;
beforeAll(async () => {
  app = await openApp(wall);
});
beforeEach(() => wall.set(began));
afterAll(() => closeApp(app));

const days = (count: number) => new Date(Date.parse(began) + count * 86_400_000);

const limitRow = (index: number, kind: 'day' | 'lifetime', deletedAt: Date | null): BulkRow<'Limit'> => ({
  id: `lim_${index}`,
  seq: BigInt(index),
  name: null,
  customerId: null,
  budgetKey: null,
  each: 'customer',
  planId: null,
  apiKeyId: null,
  memberId: null,
  setBy: 'merchant',
  measure: 'calls',
  currency: null,
  asset: null,
  filter: { features: [], dimensions: [] },
  window: { kind, minutes: null, steps: null, anchor: null, timeZone: null, weekStart: null },
  amount: 5n,
  share: null,
  amounts: [],
  action: 'block',
  thresholds: [],
  channels: [],
  recipients: [],
  notifyResolved: false,
  anomaly: null,
  replaces: null,
  includesPastUsage: false,
  validFrom: days(0),
  validUntil: null,
  createdAt: days(0),
  updatedAt: days(0),
  deletedAt,
});

const crossing = (
  index: number,
  limitId: string,
  customerId: string,
  createdAt: Date,
): BulkRow<'LimitCrossing'> => ({
  id: `lcr_${index}`,
  seq: BigInt(index),
  limitId,
  nodeId: customerId,
  customerId,
  kind: 'reached',
  cause: 'amount',
  threshold: '5',
  value: '5',
  currency: null,
  windowStart: null,
  windowEnd: null,
  createdAt,
});

const idsOf = async (ctx: Context, table: string): Promise<string[]> =>
  (await ctx.sql<{ id: string }>(`SELECT id FROM "${table}" WHERE "environmentId" = $1 ORDER BY seq`)).map(
    ({ id }) => id,
  );

test('the worker removes crossings of limits after 400 days, except crossings of windows that never end', async () => {
  const ctx = await newEnvironment(app);
  const [customerId = ''] = await addCustomers(ctx, 'c', 1);
  await insertRows(ctx.sql, 'Limit', [
    limitRow(1, 'day', null),
    limitRow(2, 'lifetime', null),
    limitRow(3, 'lifetime', days(1)),
  ]);
  await insertRows(ctx.sql, 'LimitCrossing', [
    crossing(1, 'lim_1', customerId, days(0)),
    crossing(2, 'lim_2', customerId, days(0)),
    crossing(3, 'lim_3', customerId, days(0)),
    crossing(4, 'lim_1', customerId, days(1)),
  ]);
  wall.set(new Date(days(400).getTime() - 1).toISOString());
  expect(await removeOld(app, 'limitCrossings')).toBe(0);
  expect(await idsOf(ctx, 'LimitCrossing')).toEqual(['lcr_1', 'lcr_2', 'lcr_3', 'lcr_4']);
  wall.set(days(400).toISOString());
  expect(await removeOld(app, 'limitCrossings')).toBe(2);
  expect(await idsOf(ctx, 'LimitCrossing')).toEqual(['lcr_2', 'lcr_4']);
  expect(await idsOf(ctx, 'Limit')).toEqual(['lim_1', 'lim_2', 'lim_3']);
});

test('the worker removes raises of limits 400 days after their end', async () => {
  const ctx = await newEnvironment(app);
  const [customerId = ''] = await addCustomers(ctx, 'c', 1);
  await insertRows(ctx.sql, 'Limit', [limitRow(1, 'day', null)]);
  const raise = (index: number, until: Date): BulkRow<'LimitRaise'> => ({
    id: `lrs_${index}`,
    seq: BigInt(index),
    limitId: 'lim_1',
    nodeId: customerId,
    customerId,
    budgetKey: null,
    amount: 1n,
    reason: null,
    until,
    createdAt: days(0),
  });
  await insertRows(ctx.sql, 'LimitRaise', [raise(1, days(1)), raise(2, days(2)), raise(3, days(500))]);
  wall.set(new Date(days(401).getTime() - 1).toISOString());
  expect(await removeOld(app, 'limitRaises')).toBe(0);
  wall.set(days(401).toISOString());
  expect(await removeOld(app, 'limitRaises')).toBe(1);
  expect(await idsOf(ctx, 'LimitRaise')).toEqual(['lrs_2', 'lrs_3']);
});
