import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { advanceClock } from '../../src/modules/sandbox/test-clock/advance.ts';
import type { RunRow } from '../../src/modules/sandbox/test-clock/store.ts';
import { isOver, requireRun } from '../../src/modules/sandbox/test-clock/store.ts';
import { type BulkRow, insertRows } from '../../src/platform/db/bulk.ts';
import { sandboxGateway } from '../../src/providers/sandbox.ts';
import type { App, Context } from '../../src/request/context.ts';
import { environmentLoop } from '../../src/worker/environment-work.ts';
import { type RunningLoops, startLoops } from '../../src/worker/loops.ts';
import { removeOld } from '../../src/worker/retention.ts';
import { scheduledTaskLoop } from '../../src/worker/scheduled-tasks.ts';
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
} from '../support/billing-world.ts';
import { eventually } from '../support/eventually.ts';

const wall = new MovableClock('2027-01-31T09:30:00.000Z');
let app: App;
const workers: RunningLoops[] = [];

beforeAll(async () => {
  // Live payments need a provider. The simulated provider settles immediately, so the tests can check the
  // worker's result.
  const opened = await openApp(wall, { PLATFORM_PROCESSOR_URL: 'http://127.0.0.1:9' });
  app = withWorker({ ...opened, gateways: { ...opened.gateways, gatewayOf: () => sandboxGateway } });
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  wall.set('2027-01-31T09:30:00.000Z');
});
afterAll(() => closeApp(app));

const withWorker = (one: App, settings: Record<string, string> = {}): App =>
  withSettings(one, { WORKER_POLL_MS: '20', ...settings });

const work = (on: App = app): RunningLoops => {
  const worker = startLoops(on, [environmentLoop, scheduledTaskLoop]);
  workers.push(worker);
  return worker;
};

async function runOver(ctx: Context, id: string): Promise<RunRow> {
  await eventually(async () => isOver(await requireRun(ctx, id)));
  return requireRun(ctx, id);
}

async function world(mode: 'live' | 'sandbox', number: string = cards.pays, customers = 1): Promise<Context> {
  const ctx = await newEnvironment(app, mode);
  await addPlan(ctx, 'monthly', 'monthly', 1_900n);
  for (const id of await addCustomers(ctx, 'c', customers)) await subscribe(ctx, id, 'pln_monthly', number);
  return ctx;
}

const invoiceDetails = async (ctx: Context) =>
  (await portrait(ctx)).invoices
    .map((row) => row as { periodStart: Date; issueDate: Date; status: string })
    .map(({ periodStart, issueDate, status }) => [
      periodStart.toISOString().slice(0, 10),
      issueDate.toISOString().slice(0, 10),
      status,
    ]);

describe('a clock run', () => {
  test('starts immediately and completes', async () => {
    const ctx = await world('sandbox');
    work();
    const { id } = await advanceClock(ctx, { advanceDays: 365 });
    expect(await runOver(ctx, id)).toMatchObject({
      status: 'completed',
      completedDeadlineCount: 12,
      failedDeadlineCount: 0,
    });
  });

  test('is completed by the next worker after the first worker stops, with the same result (BIL-58)', async () => {
    const expected = await world('sandbox', cards.pays, 3);
    await advance(expected, { advanceDays: 900 });
    const ctx = await world('sandbox', cards.pays, 3);
    const { id } = await advanceClock(ctx, { advanceDays: 900 });
    const first = work(withWorker(app, { CLOCK_RUN_BATCH_SIZE: '1' }));
    await eventually(async () => (await requireRun(ctx, id)).completedDeadlineCount >= 1);
    await first.stop();
    expect((await requireRun(ctx, id)).status).toBe('running');
    work();
    expect((await runOver(ctx, id)).status).toBe('completed');
    expect(await portrait(ctx)).toEqual(await portrait(expected));
  });

  test('has the same result with one worker and with two', async () => {
    const expected = await world('sandbox', cards.declinesLater, 3);
    await advance(expected, { advanceDays: 60 });
    const ctx = await world('sandbox', cards.declinesLater, 3);
    work();
    work();
    const { id } = await advanceClock(ctx, { advanceDays: 60 });
    expect((await runOver(ctx, id)).status).toBe('completed');
    expect(await portrait(ctx)).toEqual(await portrait(expected));
  });

  test('advances only the test clock of its sandbox', async () => {
    const [moved, still] = [await world('sandbox'), await world('sandbox')];
    const before = await portrait(still);
    work();
    const { id } = await advanceClock(moved, { advanceDays: 60 });
    await runOver(moved, id);
    expect(await portrait(still)).toEqual(before);
    expect((await fresh(still)).environment.simulatedTime).toBeNull();
  });
});

describe('a live worker', () => {
  test('renews subscriptions after ten days of downtime, and cancels no subscription that would have been paid (BIL-59)', async () => {
    const ctx = await world('live');
    wall.set('2027-03-10T12:00:00.000Z');
    work();
    await eventually(async () => (await portrait(ctx)).invoices.length === 2);
    expect(await invoiceDetails(ctx)).toEqual([
      ['2027-01-31', '2027-01-31', 'paid'],
      ['2027-02-28', '2027-03-10', 'paid'],
    ]);
    expect((await portrait(ctx)).subscriptions).toMatchObject([
      { status: 'active', periodEnd: new Date('2027-03-31T00:00:00.000Z') },
    ]);
  });

  test('starts the full dunning schedule at the late attempt if that attempt is declined', async () => {
    const ctx = await world('live', cards.declinesLater);
    wall.set('2027-03-10T12:00:00.000Z');
    work();
    await eventually(async () => (await portrait(ctx)).invoices.length === 2);
    const { subscriptions, deadlines } = await portrait(ctx);
    expect(subscriptions).toMatchObject([{ status: 'past_due', dunningAttempts: 0 }]);
    const retries = deadlines
      .map((row) => row as { kind: string; dueAt: Date })
      .filter(({ kind }) => kind === 'dunning_retry');
    expect(retries.map(({ dueAt }) => dueAt.toISOString())).toEqual([
      '2027-03-11T12:00:00.000Z',
      '2027-03-13T12:00:00.000Z',
      '2027-03-15T12:00:00.000Z',
      '2027-03-17T12:00:00.000Z',
    ]);
  });

  test('processes deadlines in a sandbox whose clock has never been advanced', async () => {
    const ctx = await world('sandbox');
    wall.set('2027-02-28T00:00:00.000Z');
    work();
    await eventually(async () => (await portrait(ctx)).invoices.length === 2);
    expect((await fresh(ctx)).environment.simulatedTime).toBeNull();
  });

  test('retries failed work after increasing delays, without delaying other work', async () => {
    const ctx = await world('live', cards.pays, 3);
    const [, broken] = await ctx.db.subscription.findMany({ where: {}, orderBy: { seq: 'asc' } });
    await app.database.script(
      `ALTER TABLE "Invoice" ADD CONSTRAINT broken CHECK ("subscriptionId" <> '${broken?.id}' OR number <= 3) NOT VALID`,
    );
    wall.set('2027-02-28T00:00:00.000Z');
    work();
    const failed = () => ctx.db.deadline.findMany({ where: { state: 'failed', kind: 'period_end' } });
    await eventually(async () => (await failed()).length === 1);
    expect(await failed()).toMatchObject([
      { subscriptionId: broken?.id, attempts: 1, notBefore: new Date('2027-02-28T00:01:00.000Z') },
    ]);
    expect((await portrait(ctx)).invoices).toHaveLength(5);
    wall.set('2027-02-28T00:01:00.000Z');
    await eventually(async () => (await failed())[0]?.attempts === 2);
    expect(await failed()).toMatchObject([{ notBefore: new Date('2027-02-28T00:03:00.000Z') }]);
    await app.database.script('ALTER TABLE "Invoice" DROP CONSTRAINT broken');
    wall.set('2027-02-28T00:03:00.000Z');
    await eventually(async () => (await portrait(ctx)).invoices.length === 6);
    expect(await failed()).toEqual([]);
  });
});

describe('housekeeping', () => {
  test('removes only expired idempotency keys', async () => {
    const ctx = await newEnvironment(app);
    const key = (id: string, expiresAt: string): BulkRow<'IdempotencyKey'> => ({
      id,
      fingerprint: 'f',
      state: 'answered',
      leaseUntil: new Date(0),
      progress: {},
      status: 200,
      body: '{}',
      isEncrypted: false,
      createdAt: new Date(0),
      expiresAt: new Date(expiresAt),
    });
    const old = Array.from({ length: 1_200 }, (_none, index) =>
      key(`old${index}`, '2027-01-31T09:30:00.000Z'),
    );
    await insertRows(ctx.sql, 'IdempotencyKey', [...old, key('new', '2027-01-31T09:30:00.001Z')]);
    expect(await removeOld(app, 'idempotencyKeys')).toBe(1_200);
    expect(await ctx.db.idempotencyKey.findMany({ where: {} })).toMatchObject([{ id: 'new' }]);
  });
});
