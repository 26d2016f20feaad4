import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { advanceClock } from '../../src/modules/sandbox/test-clock/advance.ts';
import { cancelRun } from '../../src/modules/sandbox/test-clock/cancel.ts';
import {
  readLatestRunItems,
  readSimulatedTime,
  requireRun,
} from '../../src/modules/sandbox/test-clock/store.ts';
import type { App, Context } from '../../src/request/context.ts';
import { runClockBatch } from '../../src/worker/clock-run.ts';
import {
  addCustomers,
  addPlan,
  advance,
  cards,
  closeApp,
  fresh,
  MovableClock,
  newEnvironment,
  openApp,
  portrait,
  subscribe,
  withSettings,
  workOff,
} from '../support/billing-world.ts';

let app: App;

beforeAll(async () => {
  app = await openApp(new MovableClock('2027-01-31T09:30:00.000Z'));
});
afterAll(() => closeApp(app));

/** Nine subscriptions to two plans. In every third subscription, the card is declined after the first charge. */
async function mixedWorld(): Promise<Context> {
  const ctx = await newEnvironment(app);
  await addPlan(ctx, 'monthly', 'monthly', 1_900n);
  await addPlan(ctx, 'weekly', 'weekly', 700n);
  const customers = await addCustomers(ctx, 'c', 9);
  for (const [index, id] of customers.entries()) {
    await subscribe(
      ctx,
      id,
      index % 2 === 0 ? 'pln_monthly' : 'pln_weekly',
      index % 3 === 2 ? cards.declinesLater : cards.pays,
    );
  }
  return ctx;
}

const itemsOf = (ctx: Context, runId: string) => readLatestRunItems(ctx.sql, runId, 10_000);

describe('a clock run over one year', () => {
  test('renews a monthly subscription from January 31 on the correct days, with paid and consecutively numbered invoices (BIL-6, BIL-27, BIL-54)', async () => {
    const ctx = await newEnvironment(app);
    await addPlan(ctx, 'monthly', 'monthly', 1_900n);
    const [customer = ''] = await addCustomers(ctx, 'c', 1);
    await subscribe(ctx, customer, 'pln_monthly');
    const run = await advance(ctx, { advanceDays: 365 });
    expect(run).toMatchObject({
      status: 'completed',
      estimatedDeadlineCount: 1,
      completedDeadlineCount: 12,
      failedDeadlineCount: 0,
    });
    const { invoices } = await portrait(ctx);
    expect(
      invoices.map((row) => (row as { periodStart: Date }).periodStart.toISOString().slice(0, 10)),
    ).toEqual([
      '2027-01-31',
      '2027-02-28',
      '2027-03-31',
      '2027-04-30',
      '2027-05-31',
      '2027-06-30',
      '2027-07-31',
      '2027-08-31',
      '2027-09-30',
      '2027-10-31',
      '2027-11-30',
      '2027-12-31',
      '2028-01-31',
    ]);
    expect(
      invoices
        .map((row) => row as { number: bigint; status: string; total: bigint })
        .map(({ number, status, total }) => [number, status, total]),
    ).toEqual(Array.from({ length: 13 }, (_none, index) => [BigInt(index + 1), 'paid', 1_900n]));
    expect(await readSimulatedTime(ctx.sql)).toEqual(new Date('2028-01-31T09:30:00.000Z'));
    const items = await itemsOf(ctx, run.id);
    expect(
      items.map(({ kind, status, outcome, customerName }) => [kind, status, outcome, customerName]),
    ).toEqual(Array.from({ length: 12 }, () => ['billing_cycle', 'completed', 'renewed', 'Customer c0']));
    const events = await ctx.sql<{ position: bigint }>(
      'SELECT position FROM "Event" WHERE "environmentId" = $1 ORDER BY position',
    );
    const positions = events.map(({ position }) => position);
    expect(positions).toEqual(positions.map((_position, index) => BigInt(index + 1)));
  });

  test('retries a declined card four times before it cancels the subscription', async () => {
    const ctx = await newEnvironment(app);
    await addPlan(ctx, 'monthly', 'monthly', 1_900n);
    const [customer = ''] = await addCustomers(ctx, 'c', 1);
    await subscribe(ctx, customer, 'pln_monthly', cards.declinesLater);
    const run = await advance(ctx, { advanceDays: 60 });
    const items = await itemsOf(ctx, run.id);
    expect(items.map(({ kind, outcome, dueAt }) => [kind, outcome, dueAt.toISOString()])).toEqual([
      ['billing_cycle', 'declined', '2027-02-28T00:00:00.000Z'],
      ['dunning_retry', 'declined', '2027-03-01T00:00:00.000Z'],
      ['dunning_retry', 'declined', '2027-03-03T00:00:00.000Z'],
      ['dunning_retry', 'declined', '2027-03-05T00:00:00.000Z'],
      ['dunning_retry', 'exhausted', '2027-03-07T00:00:00.000Z'],
    ]);
    expect(run).toMatchObject({ status: 'completed', completedDeadlineCount: 5, failedDeadlineCount: 0 });
    const { subscriptions, deadlines } = await portrait(ctx);
    expect(subscriptions).toMatchObject([{ status: 'canceled', dunningAttempts: 4 }]);
    expect(deadlines).toEqual([]);
  });
});

describe("a clock run's result", () => {
  test('is the same for one long advance and for many short ones, with any batch size', async () => {
    const long = await mixedWorld();
    await advance(long, { advanceDays: 90 });
    const short = await mixedWorld();
    for (let step = 0; step < 9; step++) await advance(short, { advanceDays: 10 }, 3);
    const expected = await portrait(long);
    expect(expected.invoices.length).toBeGreaterThan(45);
    expect(await portrait(short)).toEqual(expected);
  });

  test('is the same after an interruption between batches', async () => {
    const uninterrupted = await mixedWorld();
    await advance(uninterrupted, { advanceDays: 45 }, 4);
    for (const batches of [1, 6]) {
      const killed = await mixedWorld();
      const { id } = await advanceClock(await fresh(killed), { advanceDays: 45 });
      await workOff(killed, id, 4, batches);
      expect((await requireRun(killed, id)).status).toBe('running');
      const run = await workOff(killed, id, 4);
      expect(run.status).toBe('completed');
      expect(await portrait(killed)).toEqual(await portrait(uninterrupted));
    }
  });

  test('includes no changes from a failed batch (BIL-5)', async () => {
    const ctx = await mixedWorld();
    const { id } = await advanceClock(await fresh(ctx), { advanceDays: 45 });
    await workOff(ctx, id, 4, 2);
    const [before, run] = [await portrait(ctx), await requireRun(ctx, id)];
    // The database rejects the clock update, which is the last write of a batch.
    const { id: environmentId } = ctx.environment;
    await app.database.script(
      `ALTER TABLE "TestClock" ADD CONSTRAINT stuck CHECK ("environmentId" <> '${environmentId}' OR "simulatedTime" <= '${run.cursorTime.toISOString()}') NOT VALID`,
    );
    await expect(fresh(ctx).then((now) => runClockBatch(now, 4))).rejects.toThrow('stuck');
    await app.database.script('ALTER TABLE "TestClock" DROP CONSTRAINT stuck');
    expect([await portrait(ctx), await requireRun(ctx, id)]).toEqual([before, run]);
  });
});

describe('a clock run', () => {
  test('rejects a concurrent second advance (BIL-52)', async () => {
    const ctx = await newEnvironment(app);
    const results = await Promise.allSettled([
      advanceClock(ctx, { advanceDays: 1 }),
      advanceClock(ctx, { advanceDays: 2 }),
    ]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'validation_error' },
    });
    expect(await ctx.sql(`SELECT status FROM "TestClockRun" WHERE "environmentId" = $1`)).toEqual([
      { status: 'pending' },
    ]);
  });

  test('can be canceled between batches, and the clock stays at the last processed time (BIL-57)', async () => {
    const ctx = await mixedWorld();
    const { id } = await advanceClock(await fresh(ctx), { advanceDays: 30 });
    await workOff(ctx, id, 500, 1);
    await cancelRun(ctx, { id });
    const run = await workOff(ctx, id);
    expect(run).toMatchObject({
      status: 'failed',
      error: { code: 'canceled' },
      cursorTime: new Date('2027-02-04T00:00:00.000Z'),
    });
    expect(await readSimulatedTime(ctx.sql)).toEqual(run.cursorTime);
  });

  test('ends after the maximum number of deadline times per run (BIL-57)', async () => {
    const capped = withSettings(app, { CLOCK_RUN_MAX_INSTANTS: '2' });
    const ctx = await newEnvironment(capped);
    await addPlan(ctx, 'weekly', 'weekly', 700n);
    const [customer = ''] = await addCustomers(ctx, 'c', 1);
    await subscribe(ctx, customer, 'pln_weekly');
    const run = await advance(ctx, { advanceDays: 365 });
    expect(run).toMatchObject({
      status: 'failed',
      executedInstantCount: 2,
      error: { code: 'too_many_instants' },
    });
    expect(await readSimulatedTime(ctx.sql)).toEqual(run.cursorTime);
  });

  test('skips a subscription whose changes the database rejects, records the failure, and retries it in the next run (BIL-56)', async () => {
    const ctx = await newEnvironment(app);
    await addPlan(ctx, 'weekly', 'weekly', 700n);
    const customers = await addCustomers(ctx, 'c', 5);
    const ids: string[] = [];
    for (const id of customers) ids.push(await subscribe(ctx, id, 'pln_weekly'));
    await app.database.script(
      `ALTER TABLE "Invoice" ADD CONSTRAINT broken CHECK ("subscriptionId" <> '${ids[2]}' OR number <= 5) NOT VALID`,
    );
    const run = await advance(ctx, { advanceDays: 15 });
    await app.database.script('ALTER TABLE "Invoice" DROP CONSTRAINT broken');
    expect(run).toMatchObject({ status: 'completed', completedDeadlineCount: 8, failedDeadlineCount: 1 });
    const failed = (await itemsOf(ctx, run.id)).filter(({ status }) => status === 'failed');
    expect(failed).toMatchObject([
      { subscriptionId: ids[2], dueAt: new Date('2027-02-07T00:00:00.000Z'), outcome: null },
    ]);
    const again = await advance(ctx, { advanceDays: 1 });
    expect(again).toMatchObject({ status: 'completed', completedDeadlineCount: 2, failedDeadlineCount: 0 });
    const numbers = (await portrait(ctx)).invoices.map((row) => (row as { number: bigint }).number);
    expect(numbers).toEqual(Array.from({ length: 15 }, (_none, index) => BigInt(index + 1)));
  });
});

describe("a clock run's target time (BIL-51)", () => {
  const rejections: [string, object, string][] = [
    ['neither days nor a time', {}, 'advanceDays'],
    [
      'both days and a time',
      { advanceDays: 1, frozenTime: new Date('2028-01-01T00:00:00.000Z') },
      'frozenTime',
    ],
    ['zero days', { advanceDays: 0 }, 'advanceDays'],
    ['less than half a millisecond', { advanceDays: 1e-12 }, 'advanceDays'],
    ['too many days', { advanceDays: 2 ** 53 }, 'advanceDays'],
    ['a target beyond the year 9999', { advanceDays: 3_000_000 }, 'advanceDays'],
    ['a time that is not in the future', { frozenTime: new Date('2027-01-31T09:30:00.000Z') }, 'frozenTime'],
  ];
  test.each(rejections)('is rejected for %s, and nothing changes', async (_name, input, param) => {
    const ctx = await newEnvironment(app);
    await expect(advanceClock(ctx, input)).rejects.toMatchObject({ code: 'validation_error', param });
    expect(await readSimulatedTime(ctx.sql)).toBeNull();
    expect(await ctx.sql('SELECT id FROM "TestClockRun" WHERE "environmentId" = $1')).toEqual([]);
  });

  test('can include fractions of a day, down to the millisecond', async () => {
    const ctx = await newEnvironment(app);
    expect((await advance(ctx, { advanceDays: 45.5 })).targetTime).toEqual(
      new Date('2027-03-17T21:30:00.000Z'),
    );
    expect((await advance(ctx, { advanceDays: 1.00000001 })).targetTime).toEqual(
      new Date('2027-03-18T21:30:00.001Z'),
    );
  });
});
