import { afterAll, beforeAll, expect, test } from 'vitest';
import { clockSettled, createActiveSubscription, firstShop, type Shop } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

type Run = { readonly id: string; readonly status: string; readonly error?: { readonly code: string } };

const runs = () =>
  t.app.database.query<{ id: string }>('SELECT id FROM "TestClockRun" WHERE "environmentId" = $1', [
    shop.environmentId,
  ]);

test('four concurrent clock advances start one run, and the other three are rejected', async () => {
  // Weekly renewals for half a year make the run last longer than the requests.
  await createActiveSubscription(shop, { billingInterval: 'weekly' });
  const advance = () => shop.rest<Run>('POST', '/test-clock', { advanceDays: 182 });
  const answers = await Promise.all([advance(), advance(), advance(), advance()]);
  expect(answers.map(({ status, body }) => [status, body.error?.code ?? body.status]).sort()).toEqual([
    [202, 'pending'],
    [400, 'validation_error'],
    [400, 'validation_error'],
    [400, 'validation_error'],
  ]);
  expect(await runs()).toHaveLength(1);
  expect(await clockSettled(shop)).toBe('completed');
});

test('a cancellation during a clock run never causes a period to be billed twice', async () => {
  const { id } = await createActiveSubscription(shop);
  const advance = shop.rest<Run>('POST', '/test-clock', { advanceDays: 35 });
  const cancel = shop.rest<{ status: string }>('POST', `/subscriptions/${id}/cancel`, { immediate: true });
  const [run, canceled] = await Promise.all([advance, cancel]);
  expect([run.status, canceled.status, canceled.body.status]).toEqual([202, 200, 'canceled']);
  expect(await clockSettled(shop)).toBe('completed');
  const { body } = await shop.rest<{ data: { periodStart: string }[] }>(
    'GET',
    `/invoices?subscriptionId=${id}`,
  );
  const starts = body.data.map(({ periodStart }) => periodStart);
  expect(new Set(starts).size).toBe(starts.length);
  expect([1, 2]).toContain(starts.length);
  const { ledgerVerify } = await t.graphql<{ ledgerVerify: { ok: boolean } }>('{ ledgerVerify { ok } }');
  expect(ledgerVerify).toEqual({ ok: true });
});

test("a request during a clock run gets a time between the run's start and end", async () => {
  const before = await shop.rest<{ now: string }>('GET', '/test-clock');
  const run = await shop.rest<Run>('POST', '/test-clock', { advanceDays: 3 });
  expect(run.status).toBe(202);
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_none, index) =>
      shop.rest<{ createdAt: string }>('POST', '/customers', { email: `during${index}@shop.test` }),
    ),
  );
  await clockSettled(shop);
  const after = await shop.rest<{ now: string }>('GET', '/test-clock');
  for (const { status, body } of answers) {
    expect(status).toBe(201);
    expect(body.createdAt >= before.body.now && body.createdAt <= after.body.now).toBe(true);
  }
});
