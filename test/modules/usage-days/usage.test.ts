import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemContext } from '../../../src/context.ts';
import { foldSlot } from '../../../src/modules/usage-days/worker/fold.ts';
import { createConsumer, of } from '../../support/consumers.ts';
import { clockSettled, otherShop, type Shop } from '../../support/factories.ts';
import { startApp, type TestApp } from '../../support/harness.ts';

// Usage by the day it happened, before and after it is summed up (MET-55).

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = await otherShop(t);
});
afterAll(() => t.close());

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
const rows = (text: string) => t.app.database.query<Record<string, unknown>>(text, [shop.environmentId]);

type Series = { group: { key: string }; isComplete: boolean; points: Record<string, unknown>[] };
const read = async (query: string): Promise<Series[]> => {
  const { status, body } = await shop.rest<{ data: Series[] }>('GET', `/metrics/usage?${query}`);
  expect(status).toBe(200);
  return body.data;
};

test('counts on the day of its events, the same before and after it is summed up', async () => {
  await clockSettled(shop);
  const { customerId, featureCode } = of(await createConsumer(shop));
  const now = Date.now();
  const record = async (value: number, at: number) => {
    const body = { customerId, featureCode, value, timestamp: new Date(at).toISOString() };
    expect((await shop.rest('POST', '/usage/events', body)).status).toBeLessThan(300);
  };
  await record(5, now);
  await record(7, now);
  const range = `from=${day(now - 2 * dayMs)}&to=${day(now)}`;
  const before = await read(`${range}&interval=day`);
  expect(before).toMatchObject([{ group: { key: featureCode }, isComplete: true }]);
  expect(before[0]?.points.map(({ events, units }) => [events, units])).toEqual([
    [0, 0],
    [0, 0],
    [2, 12],
  ]);
  // The events lie an hour back, so their five minutes are over; the worker is kept away.
  await rows(
    `UPDATE "UsageDayCursor" SET "leaseOwner" = 'test', "leaseUntil" = '2999-01-01Z' WHERE "environmentId" = $1`,
  );
  const ctx = await systemContext(t.app, shop.environmentId);
  expect(await foldSlot(ctx, 'test')).toBe(false);
  expect(await rows('SELECT 1 FROM "UsageDay" WHERE "environmentId" = $1')).toEqual([]);
  await rows(
    `UPDATE "UsageEvent" SET "createdAt" = "createdAt" - interval '1 hour' WHERE "environmentId" = $1`,
  );
  expect(await foldSlot(ctx, 'someone else')).toBe(false);
  while (await foldSlot(ctx, 'test'));
  expect(await rows('SELECT events::int, units::int FROM "UsageDay" WHERE "environmentId" = $1')).toEqual([
    { events: 2, units: 12 },
  ]);
  expect(await read(`${range}&interval=day`)).toEqual(before);
  // What comes after is added to what is summed up.
  await record(3, now);
  const after = await read(`${range}&interval=year&featureCode=${featureCode}`);
  expect(after[0]?.points.at(-1)).toMatchObject({ events: 3, units: 15, lateUnits: 0, isClosed: false });
  expect(await read(`${range}&featureCode=nothing_of_this_name`)).toEqual([]);
  expect((await read(`${range}&groupBy=model`)).map(({ group }) => group.key)).toEqual(['']);
});
