import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  advanceDays,
  cards,
  clockSettled,
  createSubscription,
  latestInvoice,
  mendMethods,
  otherShop,
  pay,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// Invoices whose payment failed at renewal, with all possible outcomes (MET-41).

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = await otherShop(t);
});
afterAll(() => t.close());

type Point = Record<string, unknown> & {
  readonly start: string;
  readonly isFinal: boolean;
  readonly outcomes: readonly { readonly outcome: string; readonly count: number }[];
  readonly recoveredBy: readonly { readonly maker: string; readonly count: number }[];
  readonly attempts: readonly { readonly attempt: number; readonly count: number }[];
};

const read = async (from: string, to: string): Promise<Point[]> => {
  const { body } = await shop.rest<{ data: { currency: string; points: Point[] }[] }>(
    'GET',
    `/metrics/recovery?from=${from}&to=${to}&interval=year`,
  );
  return body.data.flatMap(({ points }) => points);
};

const counts = (sums: readonly { readonly count: number }[]): number[] => sums.map(({ count }) => count);

test('metricsRecovery counts each invoice on the day of its first failed payment, by outcome', async () => {
  await clockSettled(shop);
  const subscriptions = [];
  for (let number = 0; number < 5; number++) {
    const subscription = await createSubscription(shop);
    await pay(shop, subscription.token, cards.declinesLater);
    subscriptions.push(subscription);
  }
  const [mended, marked, canceled] = subscriptions;
  expect(await advanceDays(shop, 31)).toBe('completed');
  const { body: clock } = await shop.rest<{ now: string; simulatedTime: string }>('GET', '/test-clock');
  const to = new Date(clock.simulatedTime ?? clock.now).toISOString().slice(0, 10);
  const from = new Date(Date.parse(to) - 40 * 86_400_000).toISOString().slice(0, 10);
  const days = { from, to: new Date(Date.parse(to) + 5 * 86_400_000).toISOString().slice(0, 10) };
  const failed = (await read(days.from, to)).at(-1);
  expect(failed).toMatchObject({ isFinal: false, rateByCountBps: null, rateByAmountBps: null });
  expect(counts(failed?.outcomes ?? [])).toEqual([0, 0, 0, 0, 5]);
  await mendMethods(shop, mended?.customerId ?? '');
  await shop.rest('PATCH', `/invoices/${await latestInvoice(shop, marked?.id ?? '')}/status`, {
    status: 'paid',
  });
  await shop.rest('POST', `/subscriptions/${canceled?.id}/cancel`, { immediate: true });
  await advanceDays(shop, 10);
  const point = (await read(days.from, to)).at(-1);
  expect(point?.outcomes).toEqual([
    { outcome: 'recovered', count: 2, amount: 9_800 },
    { outcome: 'exhausted', count: 2, amount: 9_800 },
    { outcome: 'canceled', count: 1, amount: 4_900 },
    { outcome: 'voided', count: 0, amount: 0 },
    { outcome: 'open', count: 0, amount: 0 },
  ]);
  expect(point).toMatchObject({ isFinal: true, rateByCountBps: 4_000, rateByAmountBps: 4_000 });
  expect(counts(point?.recoveredBy ?? [])).toEqual([1, 0, 1]);
  // The first attempt after the failure was also declined, so the second attempt recovered both invoices.
  expect(counts(point?.attempts ?? [])).toEqual([0, 2, 0, 0]);
  // No invoice payment failed before this time.
  expect(await read('2020-01-01', '2020-12-31')).toEqual([]);
});
