import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nextRun } from '../../../../src/modules/exports/schedules/rules.ts';
import { runSchedule } from '../../../../src/modules/exports/schedules/worker.ts';
import { systemContext } from '../../../../src/request/context.ts';
import { breakingAt } from '../../../support/breaking.ts';
import { watchChanges } from '../../../support/changes.ts';
import { eventually } from '../../../support/eventually.ts';
import { advanceDays, createCustomer, otherShop, type Shop } from '../../../support/factories.ts';
import { openFileReceiver } from '../../../support/file-receiver.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { rejection } from '../../../support/refusals.ts';

// Recurring exports of lists, scheduled according to the environment's clock (DAT-35a).

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

type Schedule = {
  readonly id: string;
  readonly isActive: boolean;
  readonly frequency: string;
  readonly nextRunAt: string;
  readonly lastRunAt: string | null;
  readonly lastExportId: string | null;
};
type Export = {
  readonly id: string;
  readonly status: string;
  readonly asOf: string;
  readonly scheduleId: string | null;
  readonly files: readonly { readonly url: string }[];
};

async function create(shop: Shop, input: object): Promise<Schedule> {
  const sent = { kind: 'customers', format: 'csv', columns: ['id'], ...input };
  const { status, body } = await shop.rest<Schedule>('POST', '/export-schedules', sent);
  expect([status, body]).toEqual([201, body]);
  return body;
}

async function read(shop: Shop, id: string): Promise<Schedule> {
  const { body } = await shop.rest<{ data: Schedule[] }>('GET', '/export-schedules?limit=100');
  const found = body.data.find((schedule) => schedule.id === id);
  if (found === undefined) throw new Error(`There is no schedule ${id}.`);
  return found;
}

const nowOf = async (shop: Shop): Promise<Date> =>
  (await systemContext(t.app, shop.environmentId)).clock.now();

/** Waits until all due schedules have run. */
const caughtUp = (shop: Shop) =>
  eventually(async () => {
    const [{ body }, now] = [
      await shop.rest<{ data: Schedule[] }>('GET', '/export-schedules?limit=100'),
      await nowOf(shop),
    ];
    return body.data.every(({ isActive, nextRunAt }) => !isActive || new Date(nextRunAt) > now);
  });

/** Returns a schedule's exports after they're complete, from oldest to newest. */
async function exportsOf(shop: Shop, id: string): Promise<Export[]> {
  const { body } = await eventually(
    () => shop.rest<{ data: Export[] }>('GET', '/exports?limit=100'),
    ({ body: { data } }) => data.every(({ status }) => status === 'completed'),
  );
  return body.data.filter(({ scheduleId }) => scheduleId === id).toReversed();
}

/** Returns the IDs in a file, excluding the header. */
async function idsIn({ files }: Export): Promise<string[]> {
  const text = await (await fetch(files[0]?.url ?? '')).text();
  return text.trimEnd().split('\r\n').slice(1).filter(Boolean);
}

test.each([
  ['daily', '2026-02-27T00:00:00.000Z', '2026-02-28T00:00:00.000Z'],
  ['daily', '2026-02-28T23:59:59.999Z', '2026-03-01T00:00:00.000Z'],
  ['weekly', '2026-11-23T00:00:00.000Z', '2026-11-30T00:00:00.000Z'],
  ['weekly', '2026-11-22T12:00:00.000Z', '2026-11-23T00:00:00.000Z'],
  ['monthly', '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
  ['monthly', '2028-02-29T10:00:00.000Z', '2028-03-01T00:00:00.000Z'],
] as const)('an export schedule calculates the next %s run after %s: %s', (frequency, after, next) => {
  expect(nextRun(frequency, new Date(after)).toISOString()).toBe(next);
});

test('an export schedule runs once for each due time in a month, and incremental files include each row once', async () => {
  const shop = await otherShop(t);
  const began = await nowOf(shop);
  const daily = await create(shop, { frequency: 'daily', isIncremental: true });
  const weekly = await create(shop, { frequency: 'weekly' });
  const monthly = await create(shop, { frequency: 'monthly', isIncremental: true });
  const made: string[] = [];
  const days = 31;
  for (let day = 0; day < days; day++) {
    if (day % 3 === 0) made.push((await createCustomer(shop)).id);
    await advanceDays(shop, 1);
    await caughtUp(shop);
  }
  const midnights = Array.from({ length: days }, (_, day) =>
    nextRun('daily', new Date(began.getTime() + day * 86_400_000)),
  );
  const [everyDay, everyWeek, everyMonth] = [
    await exportsOf(shop, daily.id),
    await exportsOf(shop, weekly.id),
    await exportsOf(shop, monthly.id),
  ];
  expect(everyDay).toHaveLength(days);
  expect(everyWeek).toHaveLength(midnights.filter((midnight) => midnight.getUTCDay() === 1).length);
  expect(everyMonth).toHaveLength(midnights.filter((midnight) => midnight.getUTCDate() === 1).length);
  const files = await Promise.all(everyDay.map(idsIn));
  expect(files.flat()).toEqual(made);
  expect(files.filter((ids) => ids.length > 0)).toHaveLength(made.length);
  // Full exports contain all rows.
  expect(await idsIn(everyWeek.at(-1) as Export)).toEqual(
    made.slice(0, (await idsIn(everyWeek.at(-1) as Export)).length),
  );
  expect(await read(shop, daily.id)).toMatchObject({ lastExportId: everyDay.at(-1)?.id });
}, 240_000);

test("an export schedule runs once after several missed runs, and doesn't run while disabled (DAT-35a)", async () => {
  const shop = await otherShop(t);
  const daily = await create(shop, { frequency: 'daily', isIncremental: true });
  const first = await createCustomer(shop);
  await advanceDays(shop, 20);
  await caughtUp(shop);
  expect(await exportsOf(shop, daily.id)).toHaveLength(1);
  const patch = (isActive: boolean) =>
    shop.rest<Schedule>('PATCH', `/export-schedules/${daily.id}`, { isActive });
  expect((await patch(false)).body).toMatchObject({ isActive: false });
  const second = await createCustomer(shop);
  await advanceDays(shop, 3);
  const { body: resumed } = await patch(true);
  expect(new Date(resumed.nextRunAt)).toEqual(nextRun('daily', await nowOf(shop)));
  expect(await exportsOf(shop, daily.id)).toHaveLength(1);
  await advanceDays(shop, 1);
  await caughtUp(shop);
  const files = await Promise.all((await exportsOf(shop, daily.id)).map(idsIn));
  expect(files).toEqual([[first.id], [second.id]]);
  const gone = await shop.rest('DELETE', `/export-schedules/${daily.id}`);
  expect(gone.body).toMatchObject({ id: daily.id, deleted: true, object: 'export_schedule' });
  await advanceDays(shop, 2);
  expect(await exportsOf(shop, daily.id)).toHaveLength(2);
}, 120_000);

test('an export schedule runs exactly once, even if a worker is killed between any two SQL statements', async () => {
  const shop = await otherShop(t);
  const { id } = await create(shop, { frequency: 'daily' });
  const customer = await createCustomer(shop);
  const { sql } = await systemContext(t.app, shop.environmentId);
  await sql(
    `UPDATE "ExportSchedule" SET "leaseOwner" = 'test', "leaseUntil" = '2999-01-01Z' WHERE "environmentId" = $1`,
  );
  await advanceDays(shop, 1);
  const before = await read(shop, id);
  let message = '';
  for (let number = 1; message !== 'killed before the commit'; number++) {
    expect(number).toBeLessThan(30);
    const app = breakingAt(t.app, number);
    const failure: unknown = await runSchedule(await systemContext(app, shop.environmentId), id).catch(
      (error: unknown) => error,
    );
    message = failure instanceof Error ? failure.message : 'it went on';
    expect([number, message]).toEqual([number, expect.stringMatching(/^killed/)]);
    expect(await read(shop, id)).toEqual(before);
    expect(await exportsOf(shop, id)).toEqual([]);
  }
  const run = async () => runSchedule(await systemContext(t.app, shop.environmentId), id);
  const runs = await Promise.all([run(), run(), run()]);
  expect(runs.filter((one) => one !== null)).toHaveLength(1);
  const [file, ...more] = await exportsOf(shop, id);
  expect(more).toEqual([]);
  expect(await idsIn(file as Export)).toEqual([customer.id]);
}, 60_000);

test('an export schedule delivers files to its URL, which REST and GraphQL return without the query string (DAT-35b)', async () => {
  const shop = await otherShop(t);
  const receiver = await openFileReceiver();
  const created = await create(shop, {
    frequency: 'daily',
    deliveryUrl: `${receiver.url}/in/{file}?X-Signature=s3cret`,
  });
  const shown = { deliveryUrl: `${receiver.url}/in/{file}?…`, deliveryFailures: 0, deliveryError: null };
  expect(created).toMatchObject(shown);
  const { exportSchedules } = await t.graphql<{ exportSchedules: { nodes: object[] } }>(
    '{ exportSchedules { nodes { deliveryUrl deliveryFailures deliveryError } } }',
    {},
    { key: shop.key },
  );
  expect(exportSchedules.nodes).toEqual([shown]);
  const customer = await createCustomer(shop);
  await advanceDays(shop, 1);
  await caughtUp(shop);
  const [run] = await exportsOf(shop, created.id);
  expect(run).toMatchObject({ error: null, nextAttemptAt: null, deliveredAt: expect.any(String) });
  expect(receiver.files.map(({ method, bytes }) => [method, bytes.toString()])).toEqual([
    ['PUT', `id\r\n${customer.id}\r\n`],
  ]);
  // The file remains available for download after its delivery URL is removed.
  expect(await idsIn(run as Export)).toEqual([customer.id]);
  const path = `/export-schedules/${created.id}`;
  expect((await shop.rest('PATCH', path, { deliveryUrl: null })).body).toMatchObject({ deliveryUrl: null });
  await advanceDays(shop, 1);
  await caughtUp(shop);
  expect(await exportsOf(shop, created.id)).toMatchObject([{}, { deliveredAt: null }]);
  expect(receiver.files).toHaveLength(1);
  await receiver.close();
}, 60_000);

test('an export schedule accepts a URL only from callers who can create webhook endpoints', async () => {
  const shop = await otherShop(t);
  const { id } = await create(shop, { frequency: 'daily' });
  const { apiKeyCreate } = await t.graphql<{ apiKeyCreate: { apiKey: string } }>(
    'mutation { apiKeyCreate(input: { name: "reader", scopes: [read] }) { apiKey } }',
    {},
    { key: shop.key },
  );
  const key = apiKeyCreate.apiKey;
  const deliveryUrl = 'http://1.1.1.1/x';
  const changes = await watchChanges(t.app.database.query);
  for (const [method, path, body] of [
    ['POST', '/export-schedules', { kind: 'customers', format: 'csv', frequency: 'daily', deliveryUrl }],
    ['PATCH', `/export-schedules/${id}`, { deliveryUrl }],
    ['PATCH', `/export-schedules/${id}`, { deliveryUrl: null }],
  ] as const) {
    const answer = await t.rest(method, path, body, { key });
    expect([path, answer.status, answer.body]).toMatchObject([path, 403, { error: { code: 'forbidden' } }]);
  }
  expect(await changes()).toEqual([]);
});

describe('an invalid export schedule', () => {
  const creating =
    'mutation ($input: ExportScheduleCreateInput!) { exportScheduleCreate(input: $input) { id } }';
  const customers = { kind: 'customers', format: 'csv', frequency: 'daily' };

  test.each([
    [
      'a series',
      {
        kind: 'metrics_cash',
        format: 'csv',
        frequency: 'daily',
        filter: { metrics_cash: { from: '2026-01-01', to: '2026-01-02' } },
      },
      'kind',
    ],
    ['an unknown frequency', { ...customers, frequency: 'hourly' }, 'frequency'],
    ['an unknown column', { ...customers, columns: ['nothing'] }, 'columns.0'],
    ['the filter of another kind', { ...customers, filter: { invoices: {} } }, 'filter.invoices'],
    ['an invalid URL', { ...customers, deliveryUrl: 'bucket/customers.csv' }, 'deliveryUrl'],
    ['a file URL', { ...customers, deliveryUrl: 'file:///etc/passwd' }, 'deliveryUrl'],
    ['compressed Parquet', { ...customers, format: 'parquet', gzip: true }, 'gzip'],
  ])(
    'is rejected for %s over REST and GraphQL, and the error names the input',
    async (_about, input, param) => {
      const changes = await watchChanges(t.app.database.query);
      const { status, body } = await t.rest<{ error: object }>('POST', '/export-schedules', input);
      expect([status, body]).toMatchObject([400, { error: { code: 'validation_error', param } }]);
      expect(await changes()).toEqual([]);
      const over = await rejection(t, creating, { input });
      expect(over.code).toBe('validation_error');
      expect(over.param).toContain(param);
    },
  );

  test("an export schedule isn't found from another environment, or with a key that can't read the exported list", async () => {
    const shop = await otherShop(t);
    const { id } = await create(shop, { kind: 'payouts', columns: ['id'], frequency: 'daily' });
    const { apiKeyCreate } = await t.graphql<{ apiKeyCreate: { apiKey: string } }>(
      'mutation { apiKeyCreate(input: { name: "writer", scopes: [read, write] }) { apiKey } }',
      {},
      { key: shop.key },
    );
    const changes = await watchChanges(t.app.database.query);
    for (const key of [t.sandboxKey, apiKeyCreate.apiKey]) {
      for (const [method, body] of [
        ['PATCH', { isActive: false }],
        ['DELETE', undefined],
      ] as const) {
        const answer = await t.rest(method, `/export-schedules/${id}`, body, { key });
        expect([answer.status, answer.body]).toMatchObject([404, { error: { code: 'not_found' } }]);
      }
      const { body } = await t.rest<{ data: [] }>('GET', '/export-schedules', undefined, { key });
      expect(body.data).toEqual([]);
    }
    const sent = { kind: 'payouts', format: 'csv', frequency: 'daily' };
    const forbidden = await t.rest('POST', '/export-schedules', sent, { key: apiKeyCreate.apiKey });
    expect([forbidden.status, forbidden.body]).toMatchObject([403, { error: { code: 'forbidden' } }]);
    expect(await changes()).toEqual([]);
  });

  test("an export schedule can't be created if the environment already has 50 schedules", async () => {
    const shop = await otherShop(t);
    for (let count = 0; count < 50; count++) await create(shop, { frequency: 'monthly' });
    const { status, body } = await shop.rest('POST', '/export-schedules', customers);
    expect([status, body]).toMatchObject([400, { error: { code: 'validation_error' } }]);
  });
});
