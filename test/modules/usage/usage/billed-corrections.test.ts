import { afterAll, beforeAll, expect, test } from 'vitest';
import { MovableClock } from '../../../support/billing-world.ts';
import { eventually } from '../../../support/eventually.ts';
import {
  advanceDays,
  attachFeature,
  createCustomer,
  createFeature,
  createLadder,
  otherShop,
  pay,
  type Shop,
  subscribeTo,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { chargingSandboxes, openProcessor, type Processor } from '../../../support/processor.ts';
import { expectLedgerBalanced } from '../../../support/stories.ts';

// Corrections of events that a plan change billed while its charge is in progress (PRM-127, PRM-128).

const wall = new MovableClock('2027-01-31T09:30:00.000Z');

let processor: Processor;
let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  processor = await openProcessor();
  t = await startApp({
    wall,
    env: { PLATFORM_PROCESSOR_URL: processor.url, WORKER_POLL_MS: '100' },
    gateways: chargingSandboxes,
  });
  shop = await otherShop(t);
});
afterAll(async () => {
  await t.close();
  await processor.close();
});

type Line = { readonly lineType: string; readonly amount: number };

/** Returns the lines of the latest invoice, each as its type and amount. */
async function latestLines(subscriptionId: string): Promise<readonly string[]> {
  const { body } = await shop.rest('GET', `/invoices?subscriptionId=${subscriptionId}&limit=1`);
  const [latest] = body['data'] as readonly { readonly id: string }[];
  const invoice = await shop.rest<{ lineItems: readonly Line[] }>('GET', `/invoices/${latest?.id}`);
  return invoice.body.lineItems.map(({ lineType, amount }) => `${lineType} ${amount}`);
}

/** Returns the totals of the usage windows: the open one, and the ended one. */
async function totals(subscriptionId: string): Promise<unknown> {
  const read = (table: string) =>
    t.app.database.query<{ total: bigint }>(
      `SELECT total FROM "${table}" WHERE "environmentId" = $1 AND "subscriptionId" = $2 ORDER BY seq DESC LIMIT 1`,
      [shop.environmentId, subscriptionId],
    );
  const [[open], [ended]] = await Promise.all([read('UsageCounter'), read('EndedUsage')]);
  return [open?.total, ended?.total ?? null];
}

test('a correction of a billed event is credited after the plan change, and its replacement stays in the billed window', async () => {
  const { lowId, highId } = await createLadder(shop);
  const feature = await createFeature(shop, 'usage');
  const terms = { includedAmount: 0, overage: { enabled: true, unitPrice: 10_000 } };
  for (const planId of [lowId, highId]) await attachFeature(shop, planId, feature.id, terms);
  const { id: customerId } = await createCustomer(shop);
  const { id, token } = await subscribeTo(shop, customerId, lowId);
  processor.plays('settles');
  if (token !== null) await pay(shop, token);
  const track = async (value: number): Promise<string> => {
    const event = { customerId, featureCode: feature.code, value };
    const { status, body } = await shop.rest('POST', '/usage/events', event);
    expect(status).toBe(200);
    return String(body['id']);
  };
  const [voided, replaced] = [await track(30), await track(20)];
  processor.plays('works');
  await shop.rest('POST', `/subscriptions/${id}/change-plan`, { newPlanId: highId });
  await track(7);
  const later = await track(4);
  expect((await shop.rest('POST', `/usage/events/${voided}/void`, {})).body).toMatchObject({
    difference: -30,
  });
  const replacement = await shop.rest('POST', `/usage/events/${replaced}/replace`, { value: 25 });
  expect(replacement.body).toMatchObject({ difference: 5 });
  expect((await shop.rest('POST', `/usage/events/${later}/void`, {})).body).toMatchObject({ difference: -4 });
  expect(await totals(id)).toEqual([32n, null]);
  const [attempt] = await t.app.database.query<{ id: string }>(
    `SELECT id FROM "ChargeAttempt" WHERE "environmentId" = $1 AND "inquireAt" IS NOT NULL`,
    [shop.environmentId],
  );
  processor.decides(attempt?.id ?? '', { status: 'settled' });
  wall.set('2027-01-31T09:31:00.000Z');
  await eventually(async () => {
    const { body } = await shop.rest('GET', `/subscriptions/${id}`);
    return (body['plan'] as { readonly id: string } | undefined)?.id === highId || body['planId'] === highId;
  });
  expect(await latestLines(id)).toContain('feature_overage 5000');
  expect(await totals(id)).toEqual([7n, 25n]);
  processor.plays('settles');
  await advanceDays(shop, 31);
  expect(await latestLines(id)).toEqual(['plan_base 11800', 'feature_overage 700', 'credit -2500']);
  await expectLedgerBalanced(t);
});
