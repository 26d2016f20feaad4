import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createActiveSubscription,
  createAdjustment,
  createCustomer,
  createDispute,
  createPricedPlan,
  latestTransaction,
  otherShop,
  pay,
  type Shop,
  setCurrency,
  subscribeTo,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// Cash series over REST and GraphQL. Each amount counts on the day on which the money moved.

let t: TestApp;
let shop: Shop;
let today: string;
beforeAll(async () => {
  t = await startApp({ env: { FEE_BASIS_POINTS: '500', FEE_FIXED_CENTS: '50' } });
});
afterAll(() => t.close());

type Row = Record<string, unknown>;
const get = async (path: string): Promise<Row[]> => {
  const { status, body } = await shop.rest<{ data: Row[] }>('GET', path);
  expect([path, status]).toEqual([path, 200]);
  return body.data;
};
const change = (field: string, input: object): Promise<unknown> =>
  t.graphql(
    `mutation ($input: ${field.charAt(0).toUpperCase()}${field.slice(1)}Input!) { ${field}(input: $input) { id } }`,
    { input },
    { key: shop.key },
  );
const points = (series: Row | undefined): Row[] => series?.['points'] as Row[];
const month = (): string => `from=${today}&to=${today}`;

describe('the cash report of a shop with sales, refunds, and lost disputes', () => {
  beforeAll(async () => {
    shop = await otherShop(t);
    today = new Date().toISOString().slice(0, 10);
    const sold = await createActiveSubscription(shop);
    await change('transactionRefund', { id: await latestTransaction(shop, sold.id), amount: 900 });
    await change('transactionDisputeResolve', { ...(await createDispute(shop)), outcome: 'lost' });
    for (const status of ['void', 'paid'])
      await shop.rest('PATCH', `/invoices/${(await createAdjustment(shop)).id}/status`, { status });
    await createAdjustment(shop);
  });

  test('matches the ledger immediately, over REST and GraphQL', async () => {
    const rest = await get(`/metrics/cash?${month()}`);
    expect(rest).toHaveLength(1);
    const sums = await t.app.database.query<{ fact: string; amount: number }>(
      'SELECT fact, SUM("amountMinor")::int AS amount FROM "LedgerTransfer" WHERE "environmentId" = $1 GROUP BY fact',
      [shop.environmentId],
    );
    const of = Object.fromEntries(sums.map(({ fact, amount }) => [fact, amount]));
    expect([of['payment.refunded'], of['dispute.lost']]).toEqual([900, 4_900]);
    const settled = of['payment.settled'] ?? 0;
    expect(points(rest[0])).toEqual([
      {
        start: today,
        end: today,
        isClosed: false,
        collected: settled,
        refunded: 900,
        disputesLost: of['dispute.lost'],
        netCash: settled - 5_800,
        fees: of['payment.fee_kept'],
        settledOutside: 1_250,
        writtenOff: 0,
      },
    ]);
    const { metricsCash } = await t.graphql<{ metricsCash: Row[] }>(
      `query ($day: Date!) { metricsCash(from: $day, to: $day, interval: year) { currency isConverted isComplete missingRates { day }
        points { start end isClosed collected refunded disputesLost netCash fees settledOutside writtenOff } } }`,
      { day: today },
      { key: shop.key },
    );
    expect(metricsCash).toEqual(
      rest.map((series) => ({ ...series, currency: 'usd', isConverted: false, isComplete: true })),
    );
  });

  test('contains billed amounts (issued minus voided invoices) by group', async () => {
    const [whole] = await get(`/metrics/billed?${month()}`);
    const amountOf = (series: Row | undefined) => points(series)[0]?.['amount'] as number;
    const byType = await get(`/metrics/billed?${month()}&groupBy=invoice_type`);
    const named = Object.fromEntries<number>(
      byType.map((series) => [String((series['group'] as Row)['key']), amountOf(series)]),
    );
    // Three adjustment invoices of 12.50, one of which is voided.
    expect(named['adjustment']).toBe(2_500);
    expect(Object.values(named).reduce((sum, amount) => sum + amount, 0)).toBe(amountOf(whole));
    const byPlan = await get(`/metrics/billed?${month()}&groupBy=plan`);
    expect(byPlan.map((series) => (series['group'] as Row)['key'])).toContain('');
    expect(byPlan.map(amountOf).reduce((sum, amount) => sum + amount, 0)).toBe(amountOf(whole));
    const byLine = await get(`/metrics/billed?${month()}&groupBy=line_type`);
    expect(byLine.map((series) => (series['group'] as Row)['key']).sort()).toEqual(['one_time', 'plan_base']);
  });

  test('lists sales in countries without a tax registration, net of voided invoices', async () => {
    const exposure = async (): Promise<Row[]> =>
      (
        await t.graphql<{ taxExposure: Row[] }>(
          'query ($day: Date!) { taxExposure(from: $day, to: $day) { country currency billed coverage regions } }',
          { day: today },
          { key: shop.key },
        )
      ).taxExposure;
    const { id: customerId } = await createCustomer(shop, 'DE');
    await createAdjustment(shop, { customerId, amount: 3_000 });
    const [whole] = await get(`/metrics/billed?${month()}`);
    const total = points(whole)[0]?.['amount'] as number;
    const before = await exposure();
    const german = { country: 'DE', currency: 'usd', billed: 3_000, coverage: 'none', regions: [] };
    expect(before).toContainEqual(german);
    expect(before.reduce((sum, { billed }) => sum + (billed as number), 0)).toBe(total);
    const byCountry = await get(`/metrics/billed?${month()}&groupBy=country`);
    expect(byCountry.map((series) => (series['group'] as Row)['key'])).toContain('DE');
    const registration = await change('taxRegistrationCreate', { country: 'DE' });
    expect(await exposure()).toContainEqual({ ...german, coverage: 'country' });
    await t.graphql(
      'mutation ($input: TaxRegistrationDeleteInput!) { taxRegistrationDelete(input: $input) { deleted } }',
      { input: { id: (registration as { taxRegistrationCreate: { id: string } }).taxRegistrationCreate.id } },
      { key: shop.key },
    );
    const { errors } = await t.graphqlFailure(
      'query { taxExposure(from: "2027-02-02", to: "2027-02-01") { billed } }',
      {},
      { key: shop.key },
    );
    expect(errors[0]?.extensions['code']).toBe('validation_error');
  });

  test('contains receivables by days past due, which add up to the outstanding amount', async () => {
    const outstanding = (await get('/invoices?status=outstanding&limit=100')).map(
      ({ total }) => total as number,
    );
    const [owed] = await get(`/metrics/receivables?day=${today}`);
    expect(owed).toMatchObject({
      currency: 'usd',
      day: today,
      isClosed: false,
      total: outstanding.reduce((sum, total) => sum + total, 0),
    });
    const later = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const [aged] = await get(`/metrics/receivables?day=${later(200)}`);
    expect(aged).toMatchObject({ notDue: 0, d91: owed?.['total'], daysSalesOutstanding: null });
    expect(await get(`/metrics/receivables?day=${later(-1)}`)).toEqual([]);
  });
});

describe("a currency's exchange rate", () => {
  test("is used to convert amounts; if it's missing, the amount is null and the currency is listed as missing", async () => {
    shop = await otherShop(t);
    today = new Date().toISOString().slice(0, 10);
    const plan = await createPricedPlan(shop, { price: 10_000 });
    await setCurrency(shop, plan.id, 'eur', 0.9);
    const { token } = await subscribeTo(shop, (await createCustomer(shop, 'DE')).id, plan.id);
    expect(await pay(shop, token)).toBe('paid');
    await createAdjustment(shop, { amount: 1_000 });
    const read = () => get(`/metrics/billed?${month()}&currency=usd`);
    const rates = () => get(`/fx-rates?currency=eur&${month()}`);
    const head = { currency: 'usd', isConverted: true, isComplete: true };
    // 90.00 EUR from payments worth 100.00 USD, plus 10.00 USD.
    expect(await rates()).toMatchObject([{ unitsPerUsd: 90_000_000, source: 'settlement' }]);
    expect(await read()).toMatchObject([{ ...head, missingRates: [], points: [{ amount: 11_000 }] }]);
    expect(await get(`/metrics/billed?${month()}&currency=jpy`)).toMatchObject([
      { currency: 'jpy', missingRates: [{ currency: 'jpy', day: today }], points: [{ amount: null }] },
    ]);
    const set = { currency: 'eur', day: today, unitsPerUsd: 100_000_000 };
    expect((await shop.rest('PUT', '/fx-rates', set)).body).toEqual({
      ...set,
      source: 'manual',
      rateDay: today,
      object: 'fx_rate',
      livemode: false,
    });
    expect(await read()).toMatchObject([{ ...head, missingRates: [], points: [{ amount: 10_000 }] }]);
    const tomorrow = new Date(Date.parse(today) + 86_400_000).toISOString().slice(0, 10);
    expect(await get(`/fx-rates?currency=eur&from=${today}&to=${tomorrow}`)).toMatchObject([
      { day: today, rateDay: today, unitsPerUsd: 100_000_000, source: 'manual' },
      { day: tomorrow, rateDay: today, unitsPerUsd: 100_000_000, source: 'manual' },
    ]);
    const gone = await shop.rest('DELETE', `/fx-rates?currency=eur&day=${today}`);
    expect(gone.body).toMatchObject({ deleted: true, object: 'fx_rate' });
    expect(await rates()).toMatchObject([{ unitsPerUsd: 90_000_000, source: 'settlement' }]);
    expect((await shop.rest('DELETE', `/fx-rates?currency=eur&day=${today}`)).status).toBe(404);
    expect(await shop.rest('PUT', '/fx-rates', { ...set, currency: 'usd' })).toMatchObject({
      status: 400,
      body: { error: { code: 'validation_error', param: 'currency' } },
    });
  });

  test('requires the `finance` scope, like all monetary metrics', async () => {
    const { apiKeyCreate } = await t.graphql<{ apiKeyCreate: { apiKey: string } }>(
      'mutation { apiKeyCreate(input: { name: "reader", scopes: [read, write] }) { apiKey } }',
      {},
      { key: shop.key },
    );
    for (const path of [
      `/metrics/cash?${month()}`,
      `/metrics/billed?${month()}`,
      `/metrics/receivables?day=${today}`,
      `/fx-rates?currency=eur&${month()}`,
    ]) {
      const response = await fetch(`${t.url}/api/v1${path}`, {
        headers: { 'x-api-key': apiKeyCreate.apiKey },
      });
      expect([path, response.status]).toEqual([path, 403]);
    }
  });
});

test.each([
  ['a reversed range', 'from=2027-01-02&to=2027-01-01', 'from'],
  ['too many days', 'from=2020-01-01&to=2027-01-01', 'interval'],
  ['more than ten years', 'from=2010-01-01&to=2027-01-01&interval=year', 'interval'],
  ['an invalid day', 'from=2027-02-30&to=2027-03-01', 'from'],
  ['an unknown currency', 'from=2027-02-01&to=2027-03-01&currency=xyz', 'currency'],
  ['a time zone', 'from=2027-02-01T00:00:00%2B02:00&to=2027-03-01', 'from'],
])('metricsCash and metricsBilled reject %s, and the error names the input', async (_about, query, param) => {
  for (const series of ['cash', 'billed'])
    expect(await shop.rest('GET', `/metrics/${series}?${query}`)).toMatchObject({
      status: 400,
      body: { error: { code: 'validation_error', param } },
    });
});
