import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkLedger } from '../../src/modules/metrics/ledger/check.ts';
import { systemContext } from '../../src/request/context.ts';
import { runRealTimeBatch } from '../../src/worker/real-time.ts';
import { MovableClock, portrait } from '../support/billing-world.ts';
import {
  advanceDays,
  attachFeature,
  cards,
  createActiveSubscription,
  createClimber,
  createFeature,
  createSubscription,
  type MadeSubscription,
  otherShop,
  pay,
  type Shop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { preview } from '../support/previews.ts';
import { chargingSandboxes, openProcessor, type Processor } from '../support/processor.ts';

// Operations process a customer's due deadlines first, even if the worker is late (BIL-2). The result is the same as with a punctual
// worker.

const began = '2027-01-31T09:30:00.000Z';
const wall = new MovableClock(began);
// The polling interval is longer than the tests, so the worker is always late.
const late = { WORKER_POLL_MS: '60000' };

let t: TestApp;
beforeAll(async () => {
  t = await startApp({ wall, env: late });
});
beforeEach(() => wall.set(began));
afterAll(() => t.close());

const contextOf = (shop: Shop) => systemContext(shop.t.app, shop.environmentId);

/** Runs an environment's real-time worker until no work is left. */
async function work(shop: Shop): Promise<void> {
  while ((await runRealTimeBatch(await contextOf(shop), 100)).looked > 0);
}

type Act = (shop: Shop, made: MadeSubscription & { readonly highId?: string }) => Promise<unknown>;
type Story = {
  readonly begin: (shop: Shop) => Promise<MadeSubscription>;
  readonly at: string;
  readonly act: Act;
  readonly until: string;
};

/** Returns the data to compare. Excludes event positions, because environment tasks also create events. */
async function picture(shop: Shop) {
  const { events, ...rest } = await portrait(await contextOf(shop));
  return {
    ...rest,
    events: (events as Record<string, unknown>[]).map(({ position: _position, ...event }) => event),
  };
}

/** Returns the result of the story. The worker runs before the operation, or only at the end. */
async function emitted({ begin, at, act, until }: Story, isInTime: boolean) {
  wall.set(began);
  const shop = await otherShop(t);
  const made = await begin(shop);
  wall.set(at);
  if (isInTime) await work(shop);
  const answer = await act(shop, made);
  const then = await picture(shop);
  wall.set(until);
  await work(shop);
  expect(await checkLedger(await contextOf(shop))).toMatchObject({ ok: true, mismatches: [] });
  return { answer, then, after: await picture(shop) };
}

const statusOf = async (shop: Shop, path: string, body: object = {}): Promise<unknown> => {
  const answer = await shop.rest<{ status?: string; outcome?: string; error?: { code: string } }>(
    'POST',
    path,
    body,
  );
  return answer.body.error?.code ?? answer.body.outcome ?? answer.body.status;
};
const cancel: Act = (shop, { id }) => statusOf(shop, `/subscriptions/${id}/cancel`);
const cancelNow: Act = (shop, { id }) => statusOf(shop, `/subscriptions/${id}/cancel`, { immediate: true });

async function seated(shop: Shop): Promise<MadeSubscription> {
  const made = await createSubscription(shop);
  const { id } = await createFeature(shop, 'seats');
  await attachFeature(shop, made.planId, id, {
    includedAmount: 1,
    overage: { enabled: true, unitPrice: 90_000 },
  });
  await pay(shop, made.token);
  return made;
}

const use = (shop: Shop, { customerId }: MadeSubscription, value: number) =>
  shop.rest('POST', '/usage/events', { customerId, featureCode: 'feature1', value });

/** 3 units were used and 1 is included. Each additional unit costs 9.00. */
async function metered(shop: Shop): Promise<MadeSubscription> {
  const made = await createSubscription(shop);
  const { id } = await createFeature(shop, 'usage');
  await attachFeature(shop, made.planId, id, {
    includedAmount: 1,
    overage: { enabled: true, unitPrice: 90_000 },
  });
  await pay(shop, made.token);
  await use(shop, made, 3);
  return made;
}

async function declining(shop: Shop): Promise<MadeSubscription> {
  const made = await createSubscription(shop);
  await pay(shop, made.token, cards.declinesLater);
  return made;
}

const scheduled = async (shop: Shop): Promise<MadeSubscription> => {
  const made = await createActiveSubscription(shop);
  await cancel(shop, made);
  return made;
};

const stories: readonly (readonly [string, Story, { answer: unknown; invoices: number }])[] = [
  [
    'a cancellation takes effect at the end of the new period',
    {
      begin: createActiveSubscription,
      at: '2027-02-28T07:00:00Z',
      act: cancel,
      until: '2027-04-02T00:00:00Z',
    },
    { answer: 'active', invoices: 2 },
  ],
  [
    'an immediate cancellation follows the renewal, which stays paid',
    {
      begin: createActiveSubscription,
      at: '2027-02-28T07:00:00Z',
      act: cancelNow,
      until: '2027-04-02T00:00:00Z',
    },
    { answer: 'canceled', invoices: 2 },
  ],
  [
    'several missed periods are billed one after another',
    {
      begin: createActiveSubscription,
      at: '2027-05-10T00:00:00Z',
      act: cancelNow,
      until: '2027-06-02T00:00:00Z',
    },
    { answer: 'canceled', invoices: 4 },
  ],
  [
    'a plan change credits the days of the new period, not of the previous period',
    {
      begin: createClimber,
      at: '2027-03-05T07:00:00Z',
      act: (shop, { id, highId }) =>
        statusOf(shop, `/subscriptions/${id}/change-plan`, { newPlanId: highId }),
      until: '2027-04-06T00:00:00Z',
    },
    { answer: 'completed', invoices: 3 },
  ],
  [
    'seats added in the new period are charged in that period, prorated by day',
    {
      begin: seated,
      at: '2027-03-05T07:00:00Z',
      act: async (shop, { customerId }) =>
        (await shop.rest('POST', '/seats', { customerId, featureCode: 'feature1', count: 3 })).status,
      until: '2027-04-06T00:00:00Z',
    },
    { answer: 200, invoices: 2 },
  ],
  [
    'usage in the new period counts there, and is billed at its end (CON-9)',
    {
      begin: metered,
      at: '2027-03-05T07:00:00Z',
      act: async (shop, made) => (await use(shop, made, 5)).status,
      until: '2027-04-06T00:00:00Z',
    },
    { answer: 200, invoices: 2 },
  ],
  [
    'a batch of usage is recorded after several missed periods are billed',
    {
      begin: metered,
      at: '2027-05-05T07:00:00Z',
      act: async (shop, { customerId }) =>
        (
          await shop.rest('POST', '/usage/events/batch', {
            events: [1, 2].map(() => ({ customerId, featureCode: 'feature1' })),
          })
        ).status,
      until: '2027-06-06T00:00:00Z',
    },
    { answer: 200, invoices: 4 },
  ],
  [
    'a usage total is set in the new period (CON-14)',
    {
      begin: metered,
      at: '2027-03-05T07:00:00Z',
      act: async (shop, { customerId }) =>
        (
          await shop.rest<{ previousValue: number }>('PUT', '/usage', {
            customerId,
            featureCode: 'feature1',
            value: 4,
          })
        ).body.previousValue,
      until: '2027-04-06T00:00:00Z',
    },
    { answer: 0, invoices: 2 },
  ],
  [
    'a manual retry follows the declined renewal',
    {
      begin: declining,
      at: '2027-02-28T09:00:00Z',
      act: (shop, { id }) => statusOf(shop, `/subscriptions/${id}/reactivate`),
      until: '2027-03-01T12:00:00Z',
    },
    { answer: 'charge_failed', invoices: 2 },
  ],
  [
    'a due cancellation can no longer be undone, and the rejection keeps it executed',
    {
      begin: scheduled,
      at: '2027-02-28T00:00:00Z',
      act: (shop, { id }) => statusOf(shop, `/subscriptions/${id}/uncancel`),
      until: '2027-04-02T00:00:00Z',
    },
    { answer: 'subscription_already_canceled', invoices: 1 },
  ],
];

describe('a late worker', () => {
  test.each(stories)('has the same result as an on-time worker: %s', async (_name, story, expected) => {
    const [inTime, afterwards] = [await emitted(story, true), await emitted(story, false)];
    expect(afterwards).toEqual(inTime);
    expect([afterwards.answer, afterwards.then.invoices.length]).toEqual([
      expected.answer,
      expected.invoices,
    ]);
  });

  test("doesn't affect a preview, which shows the effects but writes nothing", async () => {
    const shop = await otherShop(t);
    const { id, highId } = await createClimber(shop);
    wall.set('2027-03-05T07:00:00Z');
    const before = await portrait(await contextOf(shop));
    // 34.00 was paid for the 31 days from February 28, and 26 days are left: 3,400 × 26 ÷ 31 = 2,851.6.
    const { body } = await shop.rest('POST', `/subscriptions/${id}/preview-change`, { planId: highId });
    expect(body).toMatchObject({
      currentPlanCredit: 2_852,
      newPlanCharge: 11_800,
      estimatedTotal: 8_948,
      daysRemaining: 26,
    });
    const { totals } = await preview(shop, { changePlan: { id, newPlanId: highId } });
    expect(totals).toMatchObject([{ invoiced: 8_948, collected: 8_948 }]);
    expect(await portrait(await contextOf(shop))).toEqual(before);
    const changed = await shop.rest('POST', `/subscriptions/${id}/change-plan`, { newPlanId: highId });
    expect(changed.body).toMatchObject({ billing: { totalCharged: 8_948 } });
  });

  test('bills late usage in the usage window in which the usage is recorded (CON-9, BIL-10)', async () => {
    wall.set(began);
    const shop = await otherShop(t);
    const made = await metered(shop);
    wall.set('2027-03-05T07:00:00Z');
    expect((await use(shop, made, 5)).status).toBe(200);
    wall.set('2027-04-06T00:00:00Z');
    await work(shop);
    const lines = await t.app.database.query(
      `SELECT l."usedAmount", l."overageAmount", l.amount FROM "InvoiceLine" l JOIN "Invoice" i ON i."environmentId" = l."environmentId" AND i.id = l."invoiceId"
       WHERE l."environmentId" = $1 AND l."usedAmount" > 0 ORDER BY i.number`,
      [shop.environmentId],
    );
    expect(lines).toEqual([
      { usedAmount: 3n, overageAmount: 2n, amount: 1_800n },
      { usedAmount: 5n, overageAmount: 4n, amount: 3_600n },
    ]);
  });

  test("doesn't affect an advanced test clock, whose deadlines aren't due in real time", async () => {
    const shop = await otherShop(t);
    const { id } = await createActiveSubscription(shop);
    await advanceDays(shop, 1);
    wall.set('2027-06-01T00:00:00Z');
    expect(await statusOf(shop, `/subscriptions/${id}/cancel`, { immediate: true })).toBe('canceled');
    expect((await portrait(await contextOf(shop))).invoices).toHaveLength(1);
  });

  test('retries a failed deadline later, and the operation uses the unchanged subscription', async () => {
    const shop = await otherShop(t);
    const { id } = await createActiveSubscription(shop);
    await t.app.database.script(
      `ALTER TABLE "Invoice" ADD CONSTRAINT broken CHECK ("subscriptionId" <> '${id}' OR number < 2) NOT VALID`,
    );
    wall.set('2027-02-28T07:00:00Z');
    expect(await statusOf(shop, `/subscriptions/${id}/cancel`)).toBe('active');
    const ctx = await contextOf(shop);
    expect(await ctx.db.deadline.findMany({ where: { kind: 'period_end' } })).toMatchObject([
      { state: 'failed', attempts: 1, notBefore: new Date('2027-02-28T07:01:00Z') },
    ]);
    expect((await portrait(ctx)).invoices).toHaveLength(1);
    await t.app.database.script('ALTER TABLE "Invoice" DROP CONSTRAINT broken');
  });

  test('processes due deadlines once if operations run concurrently (SUB-5)', async () => {
    const shop = await otherShop(t);
    const all = await Promise.all(Array.from({ length: 8 }, () => createActiveSubscription(shop)));
    wall.set('2027-02-28T07:00:00Z');
    const ctx = await contextOf(shop);
    const batches = async (): Promise<void> => {
      for (let batch = 0; batch < 8; batch++) await runRealTimeBatch(ctx, 2);
    };
    const canceled = await Promise.all([...all.map((made) => cancelNow(shop, made)), batches(), batches()]);
    expect(canceled.slice(0, all.length)).toEqual(all.map(() => 'canceled'));
    await work(shop);
    const { invoices, transactions, subscriptions } = await portrait(ctx);
    expect(invoices.map((row) => (row as { status: string }).status)).toEqual(Array(16).fill('paid'));
    expect(transactions.map((row) => (row as { status: string }).status)).toEqual(
      Array(16).fill('succeeded'),
    );
    expect(subscriptions).toMatchObject(
      all.map(() => ({ status: 'canceled', periodStart: new Date('2027-02-28T00:00:00Z') })),
    );
    expect(await checkLedger(ctx)).toMatchObject({ ok: true, mismatches: [] });
  });
});

describe("a due deadline's charge through a remote provider", () => {
  let processor: Processor;
  let remote: TestApp;
  beforeAll(async () => {
    processor = await openProcessor();
    remote = await startApp({
      wall,
      env: { ...late, PLATFORM_PROCESSOR_URL: processor.url },
      gateways: chargingSandboxes,
    });
  });
  afterAll(async () => {
    await remote.close();
    await processor.close();
  });

  test.each([
    ['settles', 'canceled', ['paid', 'paid']],
    ['declines', 'canceled', ['paid', 'void']],
  ] as const)(
    'is made before the operation: a charge that %s leaves the subscription %s',
    async (script, status, invoices) => {
      processor.plays('settles');
      const shop = await otherShop(remote);
      const made = await createActiveSubscription(shop);
      processor.plays(script);
      wall.set('2027-02-28T07:00:00Z');
      const before = processor.made.size;
      const headers = { 'Idempotency-Key': `late ${script}` };
      const ask = () =>
        shop.rest('POST', `/subscriptions/${made.id}/cancel`, { immediate: true }, { headers });
      expect((await ask()).body).toMatchObject({ status });
      expect((await portrait(await contextOf(shop))).invoices).toMatchObject(
        invoices.map((one) => ({ status: one })),
      );
      // A repeated request returns the same response without calling the provider.
      expect((await ask()).body).toMatchObject({ status });
      expect(processor.made.size).toBe(before + 1);
      expect(await checkLedger(await contextOf(shop))).toMatchObject({ ok: true, mismatches: [] });
    },
  );

  test('blocks the operation until an inquiry if the result is unknown', async () => {
    processor.plays('settles');
    const shop = await otherShop(remote);
    const made = await createActiveSubscription(shop);
    processor.plays('settles silently');
    wall.set('2027-02-28T07:00:00Z');
    expect(await cancelNow(shop, made)).toBe('charge_in_progress');
    expect((await portrait(await contextOf(shop))).invoices).toMatchObject([
      { status: 'paid' },
      { status: 'outstanding' },
    ]);
  });
});
