import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  advanceDays,
  cards,
  clockSettled,
  createActiveSubscription,
  createPastDueSubscription,
  createSubscription,
  otherShop,
  payment,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { forecast } from '../../../support/previews.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

type Day = {
  readonly day: string;
  readonly collected: number;
  readonly expected: number;
  readonly atRisk: number;
  readonly count: number;
};

type Answer = Omit<Day, 'day'> & {
  readonly total: number;
  readonly countAtRisk: number;
  readonly isComplete: boolean;
  readonly days: readonly Day[];
  readonly paymentsAtRisk: readonly {
    readonly dueAt: string;
    readonly amount: number;
    readonly reason: string;
    readonly subscription: { readonly id: string };
    readonly paymentMethod: { readonly last4: string } | null;
  }[];
};

async function upcoming({ t: app, key }: Shop, days: number, currency = 'usd'): Promise<Answer> {
  const { upcomingPayments } = await app.graphql<{ upcomingPayments: Answer }>(
    `query ($days: Int!, $currency: Currency!) { upcomingPayments(days: $days, currency: $currency) {
       total collected expected atRisk count countAtRisk isComplete days { day collected expected atRisk count }
       paymentsAtRisk(first: 10) { dueAt amount reason subscription { id } paymentMethod { last4 } } } }`,
    { days, currency },
    { key },
  );
  return upcomingPayments;
}

/** Returns the days with payments. */
const busy = ({ days }: Answer) =>
  days
    .filter(({ count }) => count > 0)
    .map(({ day, collected, expected, atRisk, count }) => [
      day.slice(0, 10),
      collected,
      expected,
      atRisk,
      count,
    ]);

const startAt = async (shop: Shop, frozenTime: string): Promise<void> => {
  await shop.rest('POST', '/test-clock', { frozenTime });
  await clockSettled(shop);
};

describe('upcoming payments', () => {
  test("equal the sum of the subscriptions' forecasts, with today's collected payments", async () => {
    const shop = await otherShop(t);
    await startAt(shop, '2027-02-01T10:00:00Z');
    const first = await createActiveSubscription(shop);
    const weekly = await createActiveSubscription(shop, { billingInterval: 'weekly', price: 700 });
    await startAt(shop, '2027-02-10T10:00:00Z');
    const second = await createActiveSubscription(shop);
    const answer = await upcoming(shop, 20);
    // Until March 1: two weekly renewals, and the monthly renewal. The second monthly subscription was paid today.
    expect(busy(answer)).toEqual([
      ['2027-02-10', 4_900, 0, 0, 1],
      ['2027-02-15', 0, 700, 0, 1],
      ['2027-02-22', 0, 700, 0, 1],
      ['2027-03-01', 0, 5_600, 0, 2],
    ]);
    expect(answer).toMatchObject({
      ...{ total: 11_900, collected: 4_900, expected: 7_000, atRisk: 0, count: 5 },
      ...{ countAtRisk: 0, isComplete: true, paymentsAtRisk: [] },
    });
    const until = (invoices: Awaited<ReturnType<typeof forecast>>['invoices']) =>
      invoices
        .filter(({ issueDate }) => String(issueDate) < '2027-03-02')
        .reduce((sum, { total }) => sum + total, 0);
    const forecasts = await Promise.all([first, weekly, second].map(({ id }) => forecast(shop, id, 1)));
    expect(forecasts.reduce((sum, { invoices }) => sum + until(invoices), 0)).toBe(answer.expected);
  });

  test('equal the payments that are made when the test clock advances', async () => {
    const shop = await otherShop(t);
    await startAt(shop, '2027-02-01T10:00:00Z');
    await createActiveSubscription(shop);
    await createActiveSubscription(shop, { billingInterval: 'weekly', price: 700 });
    await advanceDays(shop, 1);
    const { expected, count } = await upcoming(shop, 31);
    await startAt(shop, '2027-03-04T23:59:59Z');
    const { transactions } = await t.graphql<{
      transactions: { nodes: { amount: number; createdAt: string }[] };
    }>('{ transactions(first: 50) { nodes { amount createdAt } } }', {}, { key: shop.key });
    const made = transactions.nodes.filter(({ createdAt }) => createdAt > '2027-02-03');
    expect([made.reduce((sum, { amount }) => sum + amount, 0), made.length]).toEqual([expected, count]);
    expect([expected, count]).toEqual([7_700, 5]);
  });

  test('are marked as at risk if the last attempt was declined or the card expires before the charge', async () => {
    const shop = await otherShop(t);
    await startAt(shop, '2027-02-01T10:00:00Z');
    const { token, id } = await createSubscription(shop);
    const pays = payment(token, cards.pays);
    const card = { ...(pays['card'] as object), expMonth: 2, expYear: 2027 };
    await t.graphql(
      'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }',
      { input: { ...pays, card } },
      { key: null },
    );
    const expiring = await upcoming(shop, 31);
    expect(busy(expiring)).toEqual([
      ['2027-02-01', 4_900, 0, 0, 1],
      ['2027-03-01', 0, 0, 4_900, 1],
    ]);
    expect(expiring.paymentsAtRisk).toEqual([
      {
        dueAt: '2027-03-01T00:00:00.000Z',
        ...{ amount: 4_900, reason: 'card_expires_before' },
        ...{ subscription: { id }, paymentMethod: { last4: '4242' } },
      },
    ]);
    const other = await otherShop(t, 'Shop with a declined renewal');
    const pastDue = await createPastDueSubscription(other);
    const { paymentsAtRisk, atRisk, expected, countAtRisk } = await upcoming(other, 14);
    expect(
      paymentsAtRisk.map(({ amount, reason, subscription }) => [amount, reason, subscription.id]),
    ).toEqual([[4_900, 'declined_last_time', pastDue.id]]);
    expect([atRisk, expected, countAtRisk]).toEqual([4_900, 0, 1]);
  });

  test('contain only the requested currency, and no payments of other organizations', async () => {
    const shop = await otherShop(t);
    await createActiveSubscription(shop);
    expect(await upcoming(shop, 31, 'eur')).toMatchObject({ total: 0, count: 0 });
    expect(await upcoming(await otherShop(t), 31)).toMatchObject({
      total: 0,
      count: 0,
      days: { length: 31 },
    });
  });
});
