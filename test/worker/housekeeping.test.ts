import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { advanceClock } from '../../src/modules/sandbox/test-clock/advance.ts';
import { readLatestRunItems, requireRun } from '../../src/modules/sandbox/test-clock/store.ts';
import { parseConfig } from '../../src/platform/config.ts';
import { type BulkRow, insertRows } from '../../src/platform/db/bulk.ts';
import type { App, Context } from '../../src/request/context.ts';
import { removeOld } from '../../src/worker/retention.ts';
import { scheduledTaskLoop } from '../../src/worker/scheduled-tasks.ts';
import {
  addCustomers,
  addPlan,
  advance,
  closeApp,
  fresh,
  MovableClock,
  newEnvironment,
  openApp,
  portrait,
  recording,
  subscribe,
  withSettings,
  workOff,
} from '../support/billing-world.ts';
import { eventually } from '../support/eventually.ts';

const began = '2027-01-31T09:30:00.000Z';
const wall = new MovableClock(began);
let app: App;
beforeAll(async () => {
  app = await openApp(wall);
});
beforeEach(() => wall.set(began));
afterAll(() => closeApp(app));

/** Creates an environment with one weekly subscription. */
async function weekly(): Promise<Context> {
  const ctx = await newEnvironment(app);
  await addPlan(ctx, 'weekly', 'weekly', 700n);
  const [customer = ''] = await addCustomers(ctx, 'c', 1);
  await subscribe(ctx, customer, 'pln_weekly');
  return ctx;
}

const itemsOf = async (ctx: Context, runId: string): Promise<number> =>
  (await readLatestRunItems(ctx.sql, runId, 100_000)).length;

describe('the cleanup of clock run items', () => {
  test('removes items 90 real days after a run ends, and keeps the run and its documents', async () => {
    const [ctx, other] = [await weekly(), await weekly()];
    const old = await advance(ctx, { advanceDays: 28 });
    const elsewhere = await advance(other, { advanceDays: 14 });
    wall.set('2027-01-31T09:30:00.001Z');
    const young = await advance(ctx, { advanceDays: 70 });
    expect([
      await itemsOf(ctx, old.id),
      await itemsOf(other, elsewhere.id),
      await itemsOf(ctx, young.id),
    ]).toEqual([4, 2, 10]);
    const documents = await portrait(ctx);

    wall.set('2027-05-01T09:29:59.999Z');
    expect(await removeOld(app, 'runItems')).toBe(0);
    wall.set('2027-05-01T09:30:00.000Z');
    expect(await removeOld(app, 'runItems')).toBe(6);
    expect([
      await itemsOf(ctx, old.id),
      await itemsOf(other, elsewhere.id),
      await itemsOf(ctx, young.id),
    ]).toEqual([0, 0, 10]);
    expect(await requireRun(ctx, old.id)).toEqual(old);
    expect(await portrait(ctx)).toEqual(documents);
    expect(await removeOld(app, 'runItems')).toBe(0);
    wall.set('2027-05-01T09:30:00.001Z');
    expect(await removeOld(app, 'runItems')).toBe(10);
  });

  test("keeps an active run's items regardless of their age, and the run continues", async () => {
    const ctx = await weekly();
    const { id } = await advanceClock(await fresh(ctx), { advanceDays: 28 });
    expect(await workOff(ctx, id, 1, 2)).toMatchObject({ status: 'running', completedDeadlineCount: 1 });
    expect(await itemsOf(ctx, id)).toBe(1);
    wall.set('2030-01-01T00:00:00.000Z');
    expect(await removeOld(app, 'runItems')).toBe(0);
    expect(await workOff(ctx, id)).toMatchObject({ status: 'completed', completedDeadlineCount: 4 });
    expect(await removeOld(app, 'runItems')).toBe(0);
    expect(await itemsOf(ctx, id)).toBe(4);
  });

  test("keeps items for the configured number of days, or forever if it's 0", async () => {
    const ctx = await weekly();
    const { id } = await advance(ctx, { advanceDays: 7 });
    wall.set('2027-02-01T09:30:00.000Z');
    expect(await removeOld(withSettings(app, { RUN_ITEM_RETENTION_DAYS: '2' }), 'runItems')).toBe(0);
    wall.set('2127-02-01T09:30:00.000Z');
    expect(await removeOld(withSettings(app, { RUN_ITEM_RETENTION_DAYS: '0' }), 'runItems')).toBe(0);
    expect(await itemsOf(ctx, id)).toBe(1);
    wall.set('2027-02-01T09:30:00.000Z');
    expect(await removeOld(withSettings(app, { RUN_ITEM_RETENTION_DAYS: '1' }), 'runItems')).toBe(1);
    expect(await itemsOf(ctx, id)).toBe(0);
  });

  test('removes all expired items in batches of 1,000', async () => {
    const ctx = await weekly();
    const { id } = await advance(ctx, { advanceDays: 7 });
    const [made] = await ctx.db.testClockRunItem.findMany({ where: { runId: id } });
    if (made === undefined) throw new Error('The run has no item.');
    const { environmentId: _own, ...item } = made;
    const more = Array.from(
      { length: 10_300 },
      (_none, index): BulkRow<'TestClockRunItem'> => ({
        ...item,
        id: `tcri_${index}`,
        seq: item.seq + BigInt(index + 1),
      }),
    );
    await insertRows(ctx.sql, 'TestClockRunItem', more);
    wall.set('2027-05-01T09:30:00.000Z');
    const { app: watched, statements } = recording(app);
    expect(await removeOld(watched, 'runItems')).toBe(10_301);
    expect(statements.filter((text) => text.startsWith('DELETE FROM "TestClockRunItem"'))).toHaveLength(11);
    expect(await itemsOf(ctx, id)).toBe(0);
  });

  test('is done by the worker', async () => {
    const ctx = await weekly();
    const { id } = await advance(ctx, { advanceDays: 7 });
    wall.set('2027-05-01T09:30:00.000Z');
    const worker = scheduledTaskLoop.start(app);
    await eventually(
      () => itemsOf(ctx, id),
      (count) => count === 0,
    );
    await worker.stop();
    expect(await requireRun(ctx, id)).toMatchObject({ status: 'completed', completedDeadlineCount: 1 });
  });
});

test('the retention period for clock run items is 0 to 36,500 whole days, and defaults to 90', () => {
  expect(parseConfig({}).runItemRetentionDays).toBe(90);
  expect(parseConfig({ RUN_ITEM_RETENTION_DAYS: '36500' }).runItemRetentionDays).toBe(36_500);
  for (const days of ['-1', '1.5', '36501', 'never'])
    expect(() => parseConfig({ RUN_ITEM_RETENTION_DAYS: days })).toThrow('RUN_ITEM_RETENTION_DAYS');
});
