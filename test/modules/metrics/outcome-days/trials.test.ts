import { afterAll, beforeAll, expect, test } from 'vitest';
import { rebuildMetrics } from '../../../../src/modules/metrics/sums/delete-sums.ts';
import { foldNext } from '../../../../src/modules/metrics/sums/worker/fold.ts';
import { systemContext } from '../../../../src/request/context.ts';
import {
  advanceDays,
  cards,
  clockSettled,
  createCustomer,
  createOffer,
  createPricedPlan,
  type Made,
  mendMethods,
  off,
  otherShop,
  pay,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// Free trials with all possible outcomes (MET-40).

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = await otherShop(t);
});
afterAll(() => t.close());

type Point = Record<string, unknown> & { start: string };
type Begun = Made & { readonly customerId: string };

const today = async (): Promise<string> =>
  (await systemContext(t.app, shop.environmentId)).clock.now().toISOString().slice(0, 10);

/** Creates a subscription with a 7-day trial and its own card. */
async function beginTrial(card?: string): Promise<Begun> {
  const [plan, customer, offer] = [
    await createPricedPlan(shop),
    await createCustomer(shop),
    await createOffer(shop, [off.trial(7)]),
  ];
  const { status, body } = await shop.rest<Made & { checkoutUrl: string }>('POST', '/subscriptions', {
    customerId: customer.id,
    planId: plan.id,
    offerId: offer.id,
  });
  expect(status).toBe(201);
  await pay(shop, body.checkoutUrl.split('/').at(-1) ?? null, card);
  return { id: body.id, customerId: customer.id };
}

const read = async (from: string, to: string, interval = 'day'): Promise<Point[]> => {
  const { status, body } = await shop.rest<{ isComplete: boolean; points: Point[] }>(
    'GET',
    `/metrics/trials?from=${from}&to=${to}&interval=${interval}`,
  );
  expect([status, body.isComplete]).toEqual([200, true]);
  return body.points;
};

const countsOf = ({ started, ended, converted, lost, open, conversionBps, isFinal }: Point) => [
  [started, ended, converted, lost, open],
  conversionBps,
  isFinal,
];

async function foldAll(): Promise<void> {
  while (await foldNext(await systemContext(t.app, shop.environmentId), 'outcomes', null));
}

test('metricsTrials counts started trials by start day, and ended trials by end day and outcome, before and after aggregation', async () => {
  await clockSettled(shop);
  const began = await today();
  await beginTrial();
  await beginTrial();
  const leaving = await beginTrial();
  const declined = await beginTrial(cards.declinesLater);
  expect((await read(began, began)).map(countsOf)).toEqual([[[4, 0, 0, 0, 0], null, true]]);
  await advanceDays(shop, 2);
  const left = await today();
  await shop.rest('POST', `/subscriptions/${leaving.id}/cancel`, { immediate: true });
  await advanceDays(shop, 5);
  const ended = await today();
  expect((await read(left, left)).map(countsOf)).toEqual([[[0, 1, 0, 1, 0], 0, true]]);
  // Two of three trials converted. The charge for the third was declined and is being retried.
  expect((await read(ended, ended)).map(countsOf)).toEqual([[[0, 3, 2, 0, 1], 10_000, false]]);
  await mendMethods(shop, declined.customerId);
  await advanceDays(shop, 4);
  // This trial converted later, but counts on the day on which it ended.
  expect((await read(ended, ended)).map(countsOf)).toEqual([[[0, 3, 3, 0, 0], 10_000, true]]);
  const whole = await read(began, ended, 'year');
  expect(whole.map(countsOf)).toEqual([[[4, 4, 3, 1, 0], 7_500, true]]);
  const days = await read(began, ended);
  await foldAll();
  expect(await read(began, ended)).toEqual(days);
  const ctx = await systemContext(t.app, shop.environmentId);
  await rebuildMetrics(ctx);
  await foldAll();
  expect(await read(began, ended)).toEqual(days);
  const sums = await ctx.sql<{ started: number; ended: number }>(
    'SELECT sum(started)::int AS started, sum(ended)::int AS ended FROM "TrialDay" WHERE "environmentId" = $1',
  );
  expect(sums).toEqual([{ started: 4, ended: 4 }]);
});

test('metricsTrials rejects a reversed range and a range with too many points', async () => {
  for (const [query, param] of [
    ['from=2027-02-01&to=2027-01-01', 'from'],
    ['from=2017-01-01&to=2027-12-31', 'interval'],
  ]) {
    const { status, body } = await shop.rest('GET', `/metrics/trials?${query}`);
    expect({ query, status, body }).toMatchObject({
      status: 400,
      body: { error: { code: 'validation_error', param } },
    });
  }
});
