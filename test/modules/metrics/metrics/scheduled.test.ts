import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemContext } from '../../../../src/request/context.ts';
import {
  advanceDays,
  clockSettled,
  createActiveSubscription,
  createClimber,
  createCustomer,
  createOffer,
  createPricedPlan,
  type Made,
  off,
  otherShop,
  pay,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// Scheduled recurring revenue changes, compared with the actual changes.

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = await otherShop(t);
});
afterAll(() => t.close());

type Day = { day: string; amount: number; changes: object[]; trialMrr: number; trials: number };
type Scheduled = {
  isComplete: boolean;
  series: { currency: string; amount: number; trialMrr: number; days: Day[] }[];
};

const dayMs = 86_400_000;
const today = async (): Promise<string> =>
  (await systemContext(t.app, shop.environmentId)).clock.now().toISOString().slice(0, 10);
const later = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

const read = async (from: string, to: string): Promise<Scheduled> => {
  const { status, body } = await shop.rest<Scheduled>('GET', `/metrics/scheduled?from=${from}&to=${to}`);
  expect(status).toBe(200);
  return body;
};

const closing = async (): Promise<number> => {
  const day = await today();
  const { body } = await shop.rest<{ data: { points: { closing: number }[] }[] }>(
    'GET',
    `/metrics/mrr?from=${day}&to=${day}`,
  );
  return body.data[0]?.points[0]?.closing ?? 0;
};

async function subscribe(price: number, offerId: string): Promise<Made> {
  const [plan, customer] = [await createPricedPlan(shop, { price }), await createCustomer(shop)];
  const { body } = await shop.rest<Made & { checkoutUrl: string }>('POST', '/subscriptions', {
    customerId: customer.id,
    planId: plan.id,
    offerId,
  });
  await pay(shop, body.checkoutUrl.split('/').at(-1) ?? null);
  return body;
}

test('metricsScheduled counts changes on the day on which they take effect, and matches the changes that later occur (MET-5)', async () => {
  await clockSettled(shop);
  const began = await today();
  expect(await read(began, later(began, 40))).toEqual({ isComplete: true, series: [] });
  const leaving = await createActiveSubscription(shop, { price: 4_200 });
  await createActiveSubscription(shop, { price: 9_900 });
  const climber = await createClimber(shop);
  await shop.rest('POST', `/subscriptions/${climber.id}/change-plan`, { newPlanId: climber.highId });
  await shop.rest('POST', `/subscriptions/${climber.id}/change-plan`, { newPlanId: climber.lowId });
  await shop.rest('POST', `/subscriptions/${leaving.id}/cancel`, {});
  await subscribe(1_000, (await createOffer(shop, [off.percent(5_000, 1)])).id);
  await subscribe(2_500, (await createOffer(shop, [off.trial(7)])).id);
  const { isComplete, series } = await read(began, later(began, 40));
  expect([isComplete, series.length]).toEqual([true, 1]);
  // 118.00 becomes 34.00, 42.00 is canceled, and 10.00 loses its 50% discount: −84.00 − 42.00 + 5.00.
  expect(series[0]).toMatchObject({ currency: 'usd', amount: -1_210_000, trialMrr: 250_000 });
  const [trial, renewal, ...others] = series[0]?.days ?? [];
  expect(others).toEqual([]);
  expect(trial).toEqual({ day: later(began, 7), amount: 0, changes: [], trialMrr: 250_000, trials: 1 });
  expect(renewal?.changes).toEqual([
    { reason: 'canceled', amount: -420_000, subscriptions: 1 },
    { reason: 'discount_ended', amount: 50_000, subscriptions: 1 },
    { reason: 'plan_changed', amount: -840_000, subscriptions: 1 },
  ]);
  expect((await read(later(began, 8), later(began, 9))).series).toEqual([]);
  const before = await closing();
  await advanceDays(shop, 35);
  expect((await closing()) - before).toBe(-1_210_000 + 250_000);
  expect((await read(await today(), later(await today(), 40))).series).toEqual([]);
});

test('metricsScheduled rejects a reversed range and a range with too many days', async () => {
  for (const [query, param] of [
    ['from=2027-02-01&to=2027-01-01', 'from'],
    ['from=2017-01-01&to=2027-12-31', 'interval'],
  ]) {
    const { status, body } = await shop.rest('GET', `/metrics/scheduled?${query}`);
    expect({ query, status, body }).toMatchObject({
      status: 400,
      body: { error: { code: 'validation_error', param } },
    });
  }
});
