import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemContext } from '../../../../src/request/context.ts';
import { watchChanges } from '../../../support/changes.ts';
import { eventually } from '../../../support/eventually.ts';
import { createActiveSubscription, firstShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// Series exports: rows that match the corresponding query, and kinds with restricted access.

type Row = Record<string, unknown>;
type Series = Row & { readonly points: readonly (Row & { readonly movements: readonly Row[] })[] };

let t: TestApp;
let shop: Shop;
/** Required arguments. The range is the month in which the subscription started. */
let range: { readonly from: string; readonly to: string };

beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
  const { planId } = await createActiveSubscription(shop);
  await shop.rest('PATCH', `/plans/${planId}`, { name: '=1+1' });
  const { clock } = await systemContext(t.app, shop.environmentId);
  const day = clock.now().toISOString().slice(0, 10);
  range = { from: `${day.slice(0, 8)}01`, to: day };
});
afterAll(() => t.close());

const stream = (query: string, key = shop.key): Promise<Response> =>
  fetch(`${t.url}/api/v1/exports/stream?${query}`, { headers: { 'x-api-key': key } });

const linesOf = async (query: string): Promise<string[]> => {
  const answer = await stream(query);
  const text = await answer.text();
  expect([answer.status, text]).toEqual([200, text]);
  return text.trimEnd().split(/\r?\n/);
};

const query = (): string => new URLSearchParams({ ...range, groupBy: 'plan' }).toString();

const seriesOf = async (): Promise<readonly Series[]> => {
  const { status, body } = await shop.rest<{ data: readonly Series[] }>('GET', `/metrics/mrr?${query()}`);
  expect(status).toBe(200);
  return body.data;
};

describe('a series export', () => {
  test("contains one row per point with its parent objects' values, as over REST (DAT-30)", async () => {
    const series = await seriesOf();
    const lines = await linesOf(`kind=metrics_mrr&format=ndjson&${query()}`);
    expect(lines.map((line) => JSON.parse(line) as Row)).toEqual(
      series.flatMap(({ points, ...own }) => points.map((point) => ({ ...own, ...point }))),
    );
    expect(lines.length).toBeGreaterThan(0);
  });

  test('contains movements as rows, which add up to the closing revenue on the last day', async () => {
    const points = (await seriesOf()).flatMap((series) => series.points);
    const lines = await linesOf(
      `kind=metrics_mrr_movements&format=csv&columns=kind,reason,amount&${query()}`,
    );
    expect(lines[0]).toBe('kind,reason,amount,amount_decimal');
    const amounts = lines.slice(1).map((line) => Number(line.split(',')[2]));
    expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(points.at(-1)?.['closing']);
    expect(amounts.length).toBeGreaterThan(0);
  });

  test('escapes cells that a spreadsheet would execute, and shows the decimals of rates (DAT-31)', async () => {
    const closing = (await seriesOf())[0]?.points.at(-1)?.['closing'] as number;
    const lines = await linesOf(`kind=metrics_mrr&format=csv&columns=group_name,start,closing&${query()}`);
    expect(lines[0]).toBe('group_name,start,closing,closing_decimal');
    expect(lines.at(-1)).toBe(`'=1+1,${range.to},${closing},${(closing / 10_000).toFixed(4)}`);
    expect(closing).toBeGreaterThan(0);
  });

  test('is written to a file in the background, with typed arguments', async () => {
    const points = (await seriesOf()).flatMap((series) => series.points);
    const { exportCreate } = await t.graphql<{ exportCreate: { id: string } }>(
      'mutation ($input: ExportCreateInput!) { exportCreate(input: $input) { id } }',
      {
        input: {
          kind: 'metrics_mrr',
          format: 'parquet',
          columns: ['start', 'closing', 'group_key'],
          filter: { metrics_mrr: { ...range, groupBy: 'plan' } },
        },
      },
      { key: shop.key },
    );
    const { body } = await eventually(
      () =>
        shop.rest<{ status: string; rows: number; files: { url: string }[] }>(
          'GET',
          `/exports/${exportCreate.id}`,
        ),
      ({ body: { status } }) => status === 'completed',
    );
    expect(body.rows).toBe(points.length);
    const file = await (await fetch(body.files[0]?.url ?? '')).arrayBuffer();
    expect(await parquetReadObjects({ file })).toEqual(
      points.map(({ start, closing }) => ({
        start,
        closing: BigInt(closing as number),
        group_key: expect.stringMatching(/^pln_/),
      })),
    );
  });

  test.each([
    ['kind=metrics_mrr&format=csv&from=2026-01-01', 'to'],
    ['kind=metrics_mrr&format=csv&from=2026-02-01&to=2026-01-01', 'from'],
    ['kind=metrics_mrr&format=csv&from=2026-01-01&to=2026-01-02&groupBy=nothing', 'groupBy'],
    ['kind=metrics_mrr&format=csv&from=2026-01-01&to=2026-01-02&search=abc', 'search'],
    ['kind=metrics_mrr&format=csv&from=2026-01-01&to=2026-01-02&after=x', 'after'],
  ])('is rejected for the parameters %s', async (sent, param) => {
    const answer = await stream(sent);
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { error: { code: 'validation_error', param } },
    ]);
  });

  test('is rejected without its range or with a reversed range', async () => {
    const changes = await watchChanges(t.app.database.query);
    const sent = { kind: 'metrics_cash', format: 'csv' };
    const missing = await shop.rest('POST', '/exports', sent);
    expect([missing.status, missing.body]).toMatchObject([
      400,
      { error: { code: 'validation_error', param: 'filter.metrics_cash.from' } },
    ]);
    const reversed = { metrics_cash: { from: '2026-02-01', to: '2026-01-01' } };
    const answer = await shop.rest('POST', '/exports', { ...sent, filter: reversed });
    expect([answer.status, answer.body]).toMatchObject([400, { error: { code: 'validation_error' } }]);
    expect(await changes()).toEqual([]);
  });
});

describe('an export of API keys or webhook endpoints', () => {
  test('omits secrets, and requires the permission to list the keys and endpoints (DAT-36)', async () => {
    const { apiKeyCreate } = await t.graphql<{ apiKeyCreate: { apiKey: string } }>(
      'mutation { apiKeyCreate(input: { name: "=reader", scopes: [read, finance] }) { apiKey } }',
      {},
      { key: shop.key },
    );
    const { body } = await shop.rest<{ id: string; secretKey: string }>('POST', '/webhooks', {
      url: 'http://127.0.0.1:9/hook',
      events: ['payout.failed'],
    });
    const keys = (await linesOf('kind=api_keys&format=csv')).join('\n');
    expect(keys).toContain(",'=reader,");
    expect(keys).not.toContain(apiKeyCreate.apiKey);
    const endpoints = (await linesOf('kind=webhooks&format=ndjson')).join('\n');
    expect(endpoints).toContain(body.id);
    expect(endpoints).not.toContain(body.secretKey);
    const forbidden = await stream('kind=api_keys&format=csv', apiKeyCreate.apiKey);
    expect([forbidden.status, await forbidden.json()]).toMatchObject([403, { error: { code: 'forbidden' } }]);
  });
});
