import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { watchChanges } from '../../../support/changes.ts';
import { createConsumer, of } from '../../../support/consumers.ts';
import {
  advanceDays,
  cards,
  clockSettled,
  createActiveSubscription,
  createCredit,
  createPlan,
  createPrice,
  createSubscription,
  otherShop,
  pay,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { emitted, issued, itemFields, simulation } from '../../../support/previews.ts';
import { expectLedgerBalanced } from '../../../support/stories.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

/** Creates customers with different cards, plans, and statuses on the last day of January. */
async function mixedShop(): Promise<Shop> {
  const shop = await otherShop(t);
  await shop.rest('POST', '/test-clock', { frozenTime: '2027-01-31T10:00:00Z' });
  await clockSettled(shop);
  const terms = { includedAmount: 100, overage: { enabled: true, unitPrice: 10_000 } };
  for (const card of [cards.pays, cards.declinesLater, '4000000000000259']) {
    const consumer = await createConsumer(shop, { terms, card });
    await shop.rest('POST', '/usage/events', { ...of(consumer), value: 109 });
    await createCredit(shop, consumer.customerId, { amount: 6_000 });
  }
  await createConsumer(shop, {
    price: { billingInterval: 'weekly', price: 700 },
    terms,
    card: cards.declinesLater,
  });
  await createConsumer(shop, { price: { billingInterval: 'yearly', price: 70_000 }, terms });
  const trial = await createSubscription(shop, { trialDays: 10 });
  await pay(shop, trial.token);
  const leaving = await createActiveSubscription(shop);
  await shop.rest('POST', `/subscriptions/${leaving.id}/cancel`, {});
  const { id: planId } = await createPlan(shop);
  await createPrice(shop, planId);
  const { body } = await shop.rest<{ id: string }>('POST', '/customers', { email: 'late@shop.test' });
  await shop.rest('POST', '/subscriptions', {
    customerId: body.id,
    planId,
    startDate: '2027-02-10T00:00:00Z',
  });
  await createSubscription(shop);
  return shop;
}

const until = '2027-05-05T12:00:00Z';

type Run = {
  readonly latestRun: {
    readonly completedDeadlineCount: number;
    readonly failedDeadlineCount: number;
    readonly items: unknown[];
  };
};

describe('a test clock simulation', () => {
  test("predicts the later run's documents, amounts, order, and outcomes, and stores nothing (BIL-54, BIL-55)", async () => {
    const shop = await mixedShop();
    const before = await issued(shop);
    const changes = await watchChanges(t.app.database.query);
    const simulated = await simulation(shop, { until });
    expect(await changes()).toEqual([]);
    await shop.rest('POST', '/test-clock', { frozenTime: until });
    await clockSettled(shop);
    const { testClock } = await t.graphql<{ testClock: Run }>(
      `{ testClock { latestRun { completedDeadlineCount failedDeadlineCount items { ${itemFields} } } } }`,
      {},
      { key: shop.key },
    );
    const { items, ...counts } = testClock.latestRun;
    expect(simulated.items).toEqual(items);
    const { completedDeadlineCount, failedDeadlineCount } = simulated;
    expect({ completedDeadlineCount, failedDeadlineCount }).toEqual(counts);
    const after = [...(await issued(shop))];
    const made = after.filter(([id]) => !before.has(id)).map(([, invoice]) => invoice);
    expect(made.length).toBeGreaterThan(10);
    expect(simulated.invoices.filter(({ id }) => id === null).map(emitted)).toEqual(made);
    expect(new Set(made.map(({ status }) => status))).toEqual(
      new Set(['paid', 'outstanding', 'uncollectible']),
    );
    const total = (invoices: typeof made): number =>
      invoices.reduce((sum, invoice) => sum + invoice.total, 0);
    const paid = made.filter(({ status }) => status === 'paid');
    expect(simulated.totals).toEqual([
      {
        currency: 'usd',
        invoiced: total(made),
        tax: 0,
        collected: total(paid),
        unpaid: total(made) - total(paid),
      },
    ]);
    await expectLedgerBalanced({
      ...t,
      graphql: (query, variables) => t.graphql(query, variables, { key: shop.key }),
    });
  });

  test('can be limited to selected subscriptions', async () => {
    const shop = await otherShop(t);
    await advanceDays(shop, 1);
    const [first, second] = [await createActiveSubscription(shop), await createActiveSubscription(shop)];
    const { items, invoices } = await simulation(shop, {
      until: '2030-01-01T00:00:00Z',
      subscriptionIds: [second.id],
    });
    expect(new Set(items.map(({ subscriptionId }) => subscriptionId))).toEqual(new Set([second.id]));
    expect(invoices.length).toBe(items.length);
    expect(
      (await simulation(shop, { until: '2030-01-01T00:00:00Z', subscriptionIds: [first.id, second.id] }))
        .invoices,
    ).toHaveLength(2 * invoices.length);
  });

  test('rejects times in the past, unknown subscriptions, inputs above the limits, and live keys (BIL-51)', async () => {
    const shop = await otherShop(t);
    await shop.rest('POST', '/test-clock', { frozenTime: '2027-01-31T10:00:00Z' });
    await clockSettled(shop);
    const { id } = await createActiveSubscription(shop, { billingInterval: 'weekly', price: 700 });
    const query =
      'query ($input: TestClockSimulateInput!) { testClockSimulate(input: $input) { targetTime } }';
    const rejection = async (input: object, key = shop.key) => {
      const { errors } = await t.graphqlFailure(query, { input }, { key });
      return [errors[0]?.extensions['code'], errors[0]?.extensions['param']];
    };
    expect(await rejection({ until: '2027-01-31T10:00:00Z' })).toEqual(['validation_error', 'until']);
    expect(await rejection({ until, subscriptionIds: ['sub_none'] })).toEqual([
      'subscription_not_found',
      'subscriptionIds',
    ]);
    expect(await rejection({ until, subscriptionIds: [] })).toEqual(['validation_error', 'subscriptionIds']);
    // Each week has two deadlines, a renewal and its notice, so reaching 5,000 deadlines takes about 48 years.
    expect(await rejection({ until: '2090-01-01T00:00:00Z', subscriptionIds: [id] })).toEqual([
      'validation_error',
      'until',
    ]);
    expect((await rejection({ until }, t.liveKey))[0]).toBe('sandbox_only');
  });
});
