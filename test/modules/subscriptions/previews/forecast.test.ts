import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createConsumer, of } from '../../../support/consumers.ts';
import {
  advanceDays,
  cards,
  clockSettled,
  createActiveSubscription,
  createOffer,
  createPastDueSubscription,
  createSubscription,
  mendMethods,
  off,
  otherShop,
  pay,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { emitted, forecast, issued } from '../../../support/previews.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

describe('a subscription forecast', () => {
  test("lists future invoices as they're later issued, including an expiring offer and current usage (BIL-6, OFR-3)", async () => {
    const shop = await otherShop(t);
    await shop.rest('POST', '/test-clock', { frozenTime: '2027-01-31T10:00:00Z' });
    await clockSettled(shop);
    const terms = { includedAmount: 100, overage: { enabled: true, unitPrice: 10_000 } };
    const consumer = await createConsumer(shop, { terms });
    const { id: offerId } = await createOffer(shop, [off.percent(5_000, 2)]);
    await shop.rest('PUT', `/subscriptions/${consumer.subscriptionId}/offer`, { offerId });
    await shop.rest('POST', '/usage/events', { ...of(consumer), value: 107 });
    const answer = await forecast(shop, consumer.subscriptionId, 4);
    // Two invoices for 49.00 with a 50% discount, the first of which includes 7 units for 1.00 each. Then 49.00 without a discount.
    expect(
      answer.invoices.map(({ periodStart, total, status }) => [
        String(periodStart).slice(0, 10),
        total,
        status,
      ]),
    ).toEqual([
      ['2027-02-28', 3_150, 'paid'],
      ['2027-03-31', 2_450, 'paid'],
      ['2027-04-30', 4_900, 'paid'],
      ['2027-05-31', 4_900, 'paid'],
    ]);
    expect(answer.totals).toEqual([
      { currency: 'usd', invoiced: 15_400, tax: 0, collected: 15_400, unpaid: 0 },
    ]);
    expect(answer.subscription).toMatchObject({
      status: 'active',
      nextBillingDate: '2027-06-30T00:00:00.000Z',
    });
    const before = await issued(shop);
    await shop.rest('POST', '/test-clock', { frozenTime: '2027-05-31T00:00:00Z' });
    await clockSettled(shop);
    const made = [...(await issued(shop))].filter(([id]) => !before.has(id));
    expect(answer.invoices.map(emitted)).toEqual(made.map(([, invoice]) => invoice));
  });

  test('assumes that charges succeed and that outstanding amounts are collected at the next retry, regardless of the card (BIL-45)', async () => {
    const shop = await otherShop(t);
    const { id } = await createPastDueSubscription(shop);
    const [owed] = [...(await issued(shop))].filter(([, { status }]) => status === 'outstanding');
    const { invoices } = await forecast(shop, id, 1);
    expect(invoices.map((one) => [one.id, one.status, one.total])).toEqual([
      [owed?.[0], 'paid', 4_900],
      [null, 'paid', 4_900],
    ]);
  });

  test('stops at a scheduled cancellation, and is empty for a canceled subscription', async () => {
    const shop = await otherShop(t);
    await advanceDays(shop, 1);
    const { id } = await createActiveSubscription(shop);
    await shop.rest('POST', `/subscriptions/${id}/cancel`, {});
    expect(await forecast(shop, id, 36)).toMatchObject({
      invoices: [],
      totals: [],
      subscription: { status: 'canceled' },
    });
    await shop.rest('POST', `/subscriptions/${id}/cancel`, { immediate: true });
    expect(await forecast(shop, id, 36)).toMatchObject({
      invoices: [],
      totals: [],
      subscription: { status: 'canceled' },
    });
  });

  test('covers up to 36 months for a weekly plan', async () => {
    const shop = await otherShop(t);
    await shop.rest('POST', '/test-clock', { frozenTime: '2027-01-01T10:00:00Z' });
    await clockSettled(shop);
    const { id, token } = await createSubscription(shop, { billingInterval: 'weekly', price: 1_000 });
    await pay(shop, token, cards.pays);
    const { invoices, totals } = await forecast(shop, id, 36);
    // 2027, 2028 and 2029 have 1,096 days, which are 156 full weeks.
    expect(invoices).toHaveLength(156);
    expect(totals).toEqual([{ currency: 'usd', invoiced: 156_000, tax: 0, collected: 156_000, unpaid: 0 }]);
    const query =
      'query ($id: ID!, $months: Int!) { subscriptionForecast(id: $id, months: $months) { until } }';
    for (const months of [0, 37]) {
      const { errors } = await t.graphqlFailure(query, { id, months }, { key: shop.key });
      expect(errors[0]?.extensions).toMatchObject({ code: 'validation_error', param: 'months' });
    }
    const { errors } = await t.graphqlFailure(query, { id: 'sub_none', months: 1 }, { key: shop.key });
    expect(errors[0]?.extensions['code']).toBe('subscription_not_found');
  });

  test("assumes that charges to a card that would be declined succeed, and doesn't change after the card is replaced", async () => {
    const shop = await otherShop(t);
    await advanceDays(shop, 1);
    const { id, token, customerId } = await createSubscription(shop);
    await pay(shop, token, cards.declinesLater);
    const answer = await forecast(shop, id, 2);
    await mendMethods(shop, customerId);
    expect(await forecast(shop, id, 2)).toEqual(answer);
    expect(answer.invoices.map(({ status }) => status)).toEqual(['paid', 'paid']);
  });
});
