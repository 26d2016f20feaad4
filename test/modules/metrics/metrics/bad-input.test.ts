import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { watchChanges } from '../../../support/changes.ts';
import { createActiveSubscription, otherShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { rejection } from '../../../support/refusals.ts';

// Invalid input for series over REST and GraphQL. The error names the input, and nothing changes.

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = await otherShop(t);
});
afterAll(() => t.close());

type Args = Readonly<Record<string, unknown>>;
type Field = {
  readonly path: string;
  readonly types: Readonly<Record<string, string>>;
  readonly selection: string;
};

const days = { from: 'Date!', to: 'Date!' } as const;
const spans = { ...days, interval: 'MetricInterval' } as const;
const converted = { ...spans, currency: 'Currency', fx: 'MetricFx' } as const;

/** All series with the arguments that they require. */
const fields: Readonly<Record<string, Field>> = {
  metricsMrr: {
    path: '/metrics/mrr',
    types: { ...converted, groupBy: 'MrrDimension', filter: 'MrrFilter' },
    selection: '{ currency }',
  },
  metricsCash: { path: '/metrics/cash', types: converted, selection: '{ currency }' },
  metricsBilled: { path: '/metrics/billed', types: converted, selection: '{ currency }' },
  metricsRecovery: { path: '/metrics/recovery', types: converted, selection: '{ currency }' },
  metricsTrials: { path: '/metrics/trials', types: spans, selection: '{ points { start } }' },
  metricsUsage: { path: '/metrics/usage', types: spans, selection: '{ points { start } }' },
  margin: { path: '/metrics/margin', types: days, selection: '{ price }' },
  metricsCohorts: { path: '/metrics/cohorts', types: days, selection: '{ currency }' },
  metricsScheduled: { path: '/metrics/scheduled', types: days, selection: '{ isComplete }' },
  mrrChanges: { path: '/metrics/mrr/changes', types: days, selection: '{ nodes { day } }' },
  fxRates: {
    path: '/fx-rates',
    types: { ...days, currency: 'Currency!' },
    selection: '{ currency }',
  },
};

/** Returns the error from a GraphQL field, with its arguments as variables. */
async function overGraphql(name: string, args: Args): Promise<{ code: string; param?: string }> {
  const field = fields[name];
  if (field === undefined) throw new Error(`There is no field ${name}.`);
  const { types, selection } = field;
  const sent = Object.keys(args);
  const declared = sent.map((arg) => `$${arg}: ${types[arg]}`).join(', ');
  const provided = sent.map((arg) => `${arg}: $${arg}`).join(', ');
  return rejection(
    t,
    `query (${declared}) { ${name}(${provided}) ${selection} }`,
    { ...args },
    { key: shop.key },
  );
}

/** Returns the error from a REST request for a field, with nested objects flattened. */
async function overRest(name: string, args: Args): Promise<{ code: string; param?: string }> {
  const query = new URLSearchParams(Object.entries(args).map(([arg, value]) => [arg, String(value)]));
  const changes = await watchChanges(t.app.database.query);
  const { status, body } = await shop.rest<{ error: { code: string; param?: string } }>(
    'GET',
    `${fields[name]?.path}?${query}`,
  );
  expect([name, status]).toEqual([name, 400]);
  expect(await changes()).toEqual([]);
  return body.error;
}

const names = Object.keys(fields);
const seriesWith = (arg: string): string[] => names.filter((name) => fields[name]?.types[arg] !== undefined);
const requiredArgs = (name: string): Args => (name === 'fxRates' ? { currency: 'eur' } : {});

type Case = readonly [about: string, of: readonly string[], args: Args, param: string];
const cases: readonly Case[] = [
  ['a reversed range', names, { from: '2026-02-02', to: '2026-02-01' }, 'from'],
  [
    'more than 10 years',
    seriesWith('interval'),
    { from: '2010-01-01', to: '2026-01-01', interval: 'year' },
    'interval',
  ],
  ['too many days', seriesWith('interval'), { from: '2020-01-01', to: '2026-01-01' }, 'interval'],
  ['an invalid day', names, { from: '2026-02-30', to: '2026-03-01' }, 'from'],
  ['a timestamp with a UTC offset', names, { from: '2026-03-29T02:30:00+01:00', to: '2026-03-30' }, 'from'],
  ['a day with a time zone name', names, { from: '2026-03-29[Europe/Berlin]', to: '2026-03-30' }, 'from'],
  [
    'an unknown currency',
    seriesWith('currency'),
    { from: '2026-01-01', to: '2026-01-02', currency: 'xyz' },
    'currency',
  ],
  [
    'an unknown interval',
    seriesWith('interval'),
    { from: '2026-01-01', to: '2026-01-02', interval: 'hour' },
    'interval',
  ],
];

describe.each(cases)('%s in a series query', (_about, of, args, param) => {
  test.each(of)('is rejected by %s over REST and GraphQL', async (name) => {
    const sent = { ...requiredArgs(name), ...args };
    const expected = { code: 'validation_error', param };
    expect(await overRest(name, sent)).toMatchObject(expected);
    expect(await overGraphql(name, sent)).toMatchObject(expected);
  });
});

test('a series without an interval rejects ranges of more than 1,100 days', async () => {
  const args = { from: '2020-01-01', to: '2026-01-01' };
  for (const [name, more] of [
    ['fxRates', { currency: 'eur' }],
    ['metricsScheduled', {}],
  ] as const) {
    expect(await overRest(name, { ...args, ...more })).toMatchObject({ code: 'validation_error' });
    expect(await overGraphql(name, { ...args, ...more })).toMatchObject({ code: 'validation_error' });
  }
});

test('a series uses UTC days, even when daylight saving time starts or ends', async () => {
  type Answer = { points: { start: string; end: string }[] };
  const { body } = await shop.rest<Answer>('GET', '/metrics/trials?from=2026-03-28&to=2026-03-30');
  expect(body.points.map(({ start, end }) => [start, end])).toEqual(
    ['2026-03-28', '2026-03-29', '2026-03-30'].map((day) => [day, day]),
  );
  const zoned = await shop.rest('POST', '/customers', {
    email: 'zone@example.com',
    timezone: 'Mars/Olympus',
  });
  expect([zoned.status, zoned.body]).toMatchObject([
    400,
    { error: { code: 'validation_error', param: 'timezone' } },
  ]);
});

test('a series returns null amounts and lists the currency if exchange rates are missing, and exports leave the amounts empty', async () => {
  const sold = await otherShop(t);
  await createActiveSubscription(sold, { price: 4_200 });
  const today = new Date().toISOString().slice(0, 10);
  const query = `from=${today}&to=${today}&currency=krw`;
  type Series = { missingRates: object[]; points: Record<string, unknown>[] };
  for (const [path, member] of [
    ['/metrics/mrr', 'closing'],
    ['/metrics/cash', 'collected'],
    ['/metrics/billed', 'amount'],
  ] as const) {
    const { status, body } = await sold.rest<{ data: Series[] }>('GET', `${path}?${query}`);
    expect([path, status, body.data[0]?.missingRates]).toEqual([
      path,
      200,
      [{ currency: 'krw', day: today }],
    ]);
    expect([path, body.data[0]?.points[0]?.[member]]).toEqual([path, null]);
  }
  const file = await fetch(
    `${t.url}/api/v1/exports/stream?kind=metrics_mrr&format=csv&columns=currency,closing,payingCustomers&${query}`,
    { headers: { 'x-api-key': sold.key } },
  );
  expect([file.status, await file.text()]).toEqual([
    200,
    'currency,closing,closing_decimal,payingCustomers\r\nkrw,,,1\r\n',
  ]);
});

test('a series still shows a deleted plan by name, and can be filtered by that plan', async () => {
  const sold = await otherShop(t);
  const { id, planId } = await createActiveSubscription(sold, { price: 4_200 });
  await sold.rest('POST', `/subscriptions/${id}/cancel`, { immediate: true });
  await createActiveSubscription(sold, { price: 1_000 });
  const { body: plan } = await sold.rest<{ name: string }>('GET', `/plans/${planId}`);
  expect((await sold.rest('DELETE', `/plans/${planId}`)).status).toBe(200);
  expect((await sold.rest('GET', `/plans/${planId}`)).status).toBe(404);
  const today = new Date().toISOString().slice(0, 10);
  const range = `from=${today}&to=${today}`;
  type Series = { group: { key: string; name: string } | null };
  const billed = await sold.rest<{ data: Series[] }>('GET', `/metrics/billed?${range}&groupBy=plan`);
  expect(billed.body.data.map(({ group }) => group?.name)).toContain(plan.name);
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  // Revenue that starts and ends on the same day causes no movement.
  const filtered = await sold.rest<{ data: { points: { closing: number }[] }[] }>(
    'GET',
    `/metrics/mrr?from=${yesterday}&to=${today}&planIds=${planId}`,
  );
  expect(filtered.status).toBe(200);
  expect(
    filtered.body.data
      .flatMap(({ points }) => points.map(({ closing }) => closing))
      .every((closing) => closing === 0),
  ).toBe(true);
  const unknown = await sold.rest<{ data: Series[] }>('GET', `/metrics/mrr?${range}&planIds=pln_nothing`);
  expect([unknown.status, unknown.body.data]).toEqual([200, []]);
});
