import { request } from 'node:http';
import { isRequiredArgument } from 'graphql';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isSeries, kindNames, kindOf } from '../../../../src/modules/exports/exports/find-kind.ts';
import { schema } from '../../../../src/schema.ts';
import { watchChanges } from '../../../support/changes.ts';
import { eventually } from '../../../support/eventually.ts';
import { createActiveSubscription, otherShop } from '../../../support/factories.ts';
import { heldBytes } from '../../../support/garbage-collection.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { memberOf } from '../../../support/people.ts';
import { rejection } from '../../../support/refusals.ts';

let t: TestApp;
let reader: string;

type File = { readonly name: string; readonly rows: number; readonly bytes: number; readonly url: string };
type Export = {
  readonly id: string;
  readonly status: string;
  readonly rows: number;
  readonly files: readonly File[];
};

const names = ['=SUM(A1)', 'Ann "A", Ltd', 'Zoë'];

beforeAll(async () => {
  t = await startApp();
  for (const [index, fullName] of names.entries())
    await t.rest('POST', '/customers', {
      email: `c${index}@example.com`,
      externalId: `c${index}`,
      fullName,
      metadata: { n: index },
    });
  const { apiKeyCreate } = await t.graphql<{ apiKeyCreate: { apiKey: string } }>(
    'mutation { apiKeyCreate(input: { name: "reader", scopes: [read, write] }) { apiKey } }',
  );
  reader = apiKeyCreate.apiKey;
});
afterAll(() => t.close());

const stream = (query: string, key = t.sandboxKey): Promise<Response> =>
  fetch(`${t.url}/api/v1/exports/stream?${query}`, { headers: { 'x-api-key': key } });

const textOf = async (query: string): Promise<string> => {
  const answer = await stream(query);
  const text = await answer.text();
  expect([answer.status, text]).toEqual([200, text]);
  return text;
};

/** Waits for an export to end and returns the export. */
async function written(input: object): Promise<Export> {
  const made = await t.rest<Export>('POST', '/exports', input);
  expect([made.status, made.body]).toEqual([201, made.body]);
  const { body } = await eventually(
    () => t.rest<Export>('GET', `/exports/${made.body.id}`),
    ({ body: { status } }) => status !== 'queued' && status !== 'running',
  );
  expect(body.status).toBe('completed');
  return body;
}

/**
 * Inserts customers with long names, a few thousand per statement. Their numbers continue after the existing rows. Their search keys are
 * short, because indexing long strings would take most of the time.
 */
async function insertCustomers(
  prefix: string,
  count: number,
  nameLength: number,
  environmentId = t.sandboxId,
): Promise<void> {
  const slice = 5_000;
  for (let first = 1; first <= count; first += slice)
    await t.app.database.query(
      `INSERT INTO "Customer" ("environmentId", id, seq, email, "emailKey", "fullName", "searchText", timezone, "requireBudget", "hasMoneyOnAccount", "sortMrr", "sortOutstanding", "sortPaid", "sortStatus", "sortPlan", metadata, "createdAt", "updatedAt")
       SELECT $1, 'cus_' || $2::text || n, 0, 'many@example.com', 'many@example.com', repeat('x', $3::int), 'many', 'UTC', false, false, 0, 0, 0, 0, '', '{}', $4::timestamptz + n * interval '1 ms', now()
       FROM generate_series($5::int, $6::int) n`,
      [environmentId, prefix, nameLength, new Date('2030-01-01T00:00:00.000Z'), first, first + slice - 1],
    );
}

// Runs first because memory measurements force a full garbage collection, which is slower after other tests have allocated memory.
test('an export stream of 100 MB keeps only a few chunks in memory (DAT-34)', async () => {
  const count = 10_000;
  const { sandboxId, sandboxKey } = await t.otherTenant();
  await insertCustomers('bulk', count, 10_000, sandboxId);
  const answer = await stream('kind=customers&format=ndjson', sandboxKey);
  let [bytes, lines, most, looks] = [0, 0, 0, 0];
  const before = heldBytes();
  for await (const piece of answer.body ?? []) {
    bytes += piece.length;
    for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) lines++;
    if (bytes < looks * 10_000_000) continue;
    looks++;
    most = Math.max(most, heldBytes() - before);
  }
  expect(lines).toBeGreaterThanOrEqual(count);
  expect(bytes).toBeGreaterThan(100_000_000);
  expect(most).toBeLessThan(64 * 1_024 ** 2);
}, 120_000);

test('an export contains credit notes as separate documents with their invoice, and can be filtered (DAT-11, DAT-30)', async () => {
  const shop = await otherShop(t);
  const { customerId } = await createActiveSubscription(shop, { price: 5_000 });
  const { body } = await shop.rest<{ data: { id: string }[] }>('GET', '/invoices');
  const invoiceId = body.data[0]?.id ?? '';
  const adjust = async (input: object) =>
    (
      await t.graphql<{ invoiceAdjustmentCreate: { id: string } }>(
        'mutation ($input: InvoiceAdjustmentCreateInput!) { invoiceAdjustmentCreate(input: $input) { id } }',
        { input: { customerId, description: 'Correction', ...input } },
        { key: shop.key },
      )
    ).invoiceAdjustmentCreate.id;
  await adjust({ amount: -700 });
  const named = await adjust({ amount: -300, invoiceId });
  await adjust({ amount: 250 });
  const read = async (filter: string) =>
    (await (await stream(`kind=credit_notes&format=ndjson${filter}`, shop.key)).text())
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(await read('')).toMatchObject([
    { id: named, creditNoteNumber: 'CN-0001', total: -300, invoiceId, customerId, reason: 'adjustment' },
  ]);
  expect((await read(`&ids=${named},${invoiceId}`)).map(({ id }) => id)).toEqual([named]);
});

/** Values for the required arguments of each series. */
const needed: Readonly<Record<string, string>> = {
  from: '2026-01-01',
  to: '2026-01-31',
  month: '2026-01-01',
  day: '2026-01-31',
  currency: 'eur',
};

/** Returns the query parameters that a series requires in addition to the kind and format. */
function neededBy(name: string): string {
  const kind = kindOf(name);
  if (!isSeries(kind)) return '';
  const args = schema.getQueryType()?.getFields()[kind.field]?.args.filter(isRequiredArgument) ?? [];
  return args.map((argument) => `&${argument.name}=${needed[argument.name]}`).join('');
}

const chosen = 'columns=externalId,fullName,metadata';

describe('an export stream', () => {
  test('has the exact bytes for each text format, with the oldest rows first (DAT-31)', async () => {
    expect(await textOf(`kind=customers&format=csv&${chosen}`)).toBe(
      `externalId,fullName,metadata\r\nc0,'=SUM(A1),"{""n"":0}"\r\nc1,"Ann ""A"", Ltd","{""n"":1}"\r\nc2,Zoë,"{""n"":2}"\r\n`,
    );
    expect(await textOf(`kind=customers&format=ndjson&${chosen}`)).toBe(
      names
        .map((fullName, n) => `${JSON.stringify({ externalId: `c${n}`, fullName, metadata: { n } })}\n`)
        .join(''),
    );
  });

  test('returns rows in the REST format', async () => {
    const { body } = await t.rest<{ data: object[] }>('GET', '/customers');
    const lines = (await textOf('kind=customers&format=ndjson')).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual(body.data.toReversed());
  });

  test('is available for every export type and format (DAT-30)', async () => {
    for (const kind of kindNames)
      for (const format of ['ndjson', 'csv', 'parquet']) {
        const answer = await stream(`kind=${kind}&format=${format}${neededBy(kind)}`);
        expect([kind, format, answer.status]).toEqual([kind, format, 200]);
        await answer.arrayBuffer();
      }
  });

  test('requires either both the name and value of a property filter or neither', async () => {
    const kind = 'kind=usage_events&format=ndjson';
    expect((await stream(`${kind}&propertyName=request&propertyValue=r1`)).status).toBe(200);
    for (const [given, missing] of [
      ['propertyName=request', 'value'],
      ['propertyValue=r1', 'name'],
    ] as const) {
      const answer = await stream(`${kind}&${given}`);
      const { error } = (await answer.json()) as { error: { message: string } };
      expect([answer.status, error.message]).toEqual([400, expect.stringContaining(`"${missing}"`)]);
    }
  });

  test("accepts its list's filter and search, and continues after a row or cursor in the same snapshot (DAT-32, DAT-33)", async () => {
    const ids = 'kind=customers&format=csv&columns=externalId';
    expect(await textOf(`${ids}&search=zo%C3%AB`)).toBe('externalId\r\nc2\r\n');
    expect(await textOf(`${ids}&createdAtFrom=2999-01-01T00:00:00Z`)).toBe('externalId\r\n');
    const first = await stream(ids);
    const snapshot = first.headers.get('x-export-snapshot') ?? '';
    await first.text();
    const { body } = await t.rest<{ id: string }>('GET', '/customers/c1');
    await t.rest('POST', '/customers', { email: 'later@example.com', externalId: 'later' });
    expect(await textOf(`${ids}&after=${body.id}`)).toBe('externalId\r\nc2\r\nlater\r\n');
    expect(await textOf(`${ids}&after=${body.id}&snapshot=${snapshot}`)).toBe('externalId\r\nc2\r\n');
    const trailers = await trailersOf(`${ids}&snapshot=${snapshot}`);
    expect(trailers['x-export-rows']).toBe('3');
    expect(await textOf(`${ids}&after=${trailers['x-export-cursor']}`)).toBe('externalId\r\nlater\r\n');
  });

  test('allows one reader per key, and ends when the reader disconnects (DAT-34)', async () => {
    await insertCustomers('many', 6_000, 2_500);
    const url = new URL(`${t.url}/api/v1/exports/stream?kind=customers&format=ndjson`);
    const { promise, resolve } = Promise.withResolvers<void>();
    const stalled = request(url, { headers: { 'x-api-key': t.sandboxKey } }, (incoming) => {
      incoming.once('readable', resolve);
    });
    stalled.on('error', () => undefined);
    stalled.end();
    await promise;
    const second = await stream('kind=customers&format=csv');
    expect([second.status, await second.json()]).toMatchObject([429, { error: { code: 'rate_limited' } }]);
    expect((await stream('kind=customers&format=csv&columns=id&search=zo%C3%AB', reader)).status).toBe(200);
    stalled.destroy();
    const third = await eventually(
      () => stream('kind=customers&format=csv&columns=id&search=zo%C3%AB'),
      ({ status }) => status === 200,
    );
    await third.text();
  });

  test.each([
    ['format=csv', 'kind'],
    ['kind=customers&format=xml', 'format'],
    ['kind=customers&format=csv&columns=id,nothing', 'columns.1'],
    ['kind=customers&format=csv&columns=id,id', 'columns.1'],
    ['kind=customers&format=csv&statuses=paid', 'statuses'],
    ['kind=plans&format=csv&search=pro', 'search'],
    ['kind=customers&format=parquet&gzip=true', 'gzip'],
    ['kind=customers&format=csv&after=nothing', 'after'],
    ['kind=customers&format=csv&snapshot=99999999', 'snapshot'],
  ])('is rejected for the parameters %s', async (query, param) => {
    const answer = await stream(query);
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { error: { code: 'validation_error', param } },
    ]);
  });
});

/** Returns a stream's trailers, which `fetch` doesn't expose. */
function trailersOf(query: string): Promise<NodeJS.Dict<string>> {
  const { promise, resolve, reject } = Promise.withResolvers<NodeJS.Dict<string>>();
  const sent = request(
    `${t.url}/api/v1/exports/stream?${query}`,
    { headers: { 'x-api-key': t.sandboxKey } },
    (incoming) => incoming.resume().on('end', () => resolve(incoming.trailers)),
  );
  sent.on('error', reject);
  sent.end();
  return promise;
}

describe('an export file', () => {
  test('is written in the background, and can be downloaded in full or by byte range until it expires (DAT-32)', async () => {
    const { id, files, rows } = await written({
      kind: 'customers',
      format: 'csv',
      columns: ['externalId', 'email'],
    });
    const [file] = files;
    const whole = await fetch(file?.url ?? '');
    const text = await whole.text();
    expect(text.startsWith('externalId,email\r\nc0,c0@example.com\r\nc1,')).toBe(true);
    expect([rows, file?.bytes]).toEqual([text.split('\r\n').length - 2, text.length]);
    const range = async (value: string, more = {}) => {
      const answer = await fetch(file?.url ?? '', { headers: { range: value, ...more } });
      return [answer.status, answer.headers.get('content-range'), await answer.text()];
    };
    const size = text.length;
    expect(await range('bytes=0-9')).toEqual([206, `bytes 0-9/${size}`, 'externalId']);
    expect(await range('bytes=11-')).toEqual([206, `bytes 11-${size - 1}/${size}`, text.slice(11)]);
    expect(await range('bytes=-2')).toEqual([206, `bytes ${size - 2}-${size - 1}/${size}`, '\r\n']);
    expect(await range(`bytes=${size}-`)).toEqual([416, `bytes */${size}`, '']);
    expect(await range('bytes=0-9', { 'if-range': '"another"' })).toEqual([200, null, text]);
    await t.app.database.query(
      `UPDATE "Export" SET "expiresAt" = now() WHERE "environmentId" = $1 AND id = $2`,
      [t.sandboxId, id],
    );
    expect((await fetch(file?.url ?? '')).status).toBe(410);
    expect((await t.rest<Export>('GET', `/exports/${id}`)).body.files).toEqual([]);
    expect((await fetch(`${file?.url}x`)).status).toBe(404);
  });

  test("can be downloaded through a key's or member's links until the key is deleted or the member leaves (PLT-117)", async () => {
    const { id } = await written({ kind: 'customers', format: 'csv', columns: ['email'] });
    const urlFor = async (options: { key: string | null; headers?: Record<string, string> }) =>
      (
        await t.graphql<{ export: { files: { url: string }[] } }>(
          'query ($id: ID!) { export(id: $id) { files { url } } }',
          { id },
          options,
        )
      ).export.files[0]?.url ?? '';
    const statusOf = async (url: string) => (await fetch(url)).status;
    const made = await t.graphql<{ apiKeyCreate: { id: string; apiKey: string } }>(
      'mutation { apiKeyCreate(input: { name: "auditor", scopes: [read] }) { id apiKey } }',
    );
    const member = await memberOf(t, t.organizationId, 'member');
    const urls = [
      await urlFor({ key: t.sandboxKey }),
      await urlFor({ key: made.apiKeyCreate.apiKey }),
      await urlFor({ key: null, headers: { ...member.headers, 'x-environment': 'sandbox' } }),
    ];
    const statuses = () => Promise.all(urls.map(statusOf));
    expect(await statuses()).toEqual([200, 200, 200]);
    expect((await t.rest('DELETE', `/api-keys/${made.apiKeyCreate.id}`)).status).toBe(200);
    expect(await statuses()).toEqual([200, 410, 200]);
    await t.app.database.prisma.member.delete({ where: { id: member.memberId } });
    expect(await statuses()).toEqual([200, 410, 410]);
  });

  test('has typed rows in Parquet format', async () => {
    const { files } = await written({
      kind: 'customers',
      format: 'parquet',
      columns: ['externalId', 'metadata', 'createdAt', 'livemode'],
      search: 'zoë',
    });
    const file = await (await fetch(files[0]?.url ?? '')).arrayBuffer();
    expect(await parquetReadObjects({ file })).toEqual([
      { externalId: 'c2', metadata: '{"n":2}', createdAt: expect.any(Date), livemode: false },
    ]);
  });

  test('contains up to 1,000 rows with the given IDs, and no rows from another environment', async () => {
    await insertCustomers('pick', 1_200, 10);
    const other = await t.otherTenant();
    const elsewhere: string[] = [];
    for (const key of [t.liveKey, other.sandboxKey]) {
      const made = await t.rest<{ id: string }>(
        'POST',
        '/customers',
        { email: 'elsewhere@example.com' },
        { key },
      );
      elsewhere.push(made.body.id);
    }
    const picked = Array.from({ length: 998 }, (_, index) => `cus_pick${1_200 - index}`);
    const ids = [...picked, ...elsewhere];
    const { rows, files } = await written({
      kind: 'customers',
      format: 'csv',
      columns: ['id'],
      filter: { customers: { ids } },
    });
    // Rows are sorted from oldest to newest, as in every export.
    const text = await (await fetch(files[0]?.url ?? '')).text();
    expect([rows, text]).toEqual([998, `${['id', ...picked.toReversed()].join('\r\n')}\r\n`]);
    const changes = await watchChanges(t.app.database.query);
    const many = await t.rest('POST', '/exports', {
      kind: 'customers',
      format: 'csv',
      filter: { customers: { ids: [...ids, 'cus_one_more'] } },
    });
    expect([many.status, many.body]).toMatchObject([
      400,
      { error: { code: 'validation_error', param: 'filter.customers.ids' } },
    ]);
    expect(await changes()).toEqual([]);
  });

  test("can't be created or canceled for any export type with a key that has only the `read` scope (PLT-13)", async () => {
    const { id } = await written({ kind: 'payouts', format: 'csv' });
    const { apiKeyCreate } = await t.graphql<{ apiKeyCreate: { apiKey: string } }>(
      'mutation { apiKeyCreate(input: { name: "auditor", scopes: [read] }) { apiKey } }',
    );
    const key = apiKeyCreate.apiKey;
    const changes = await watchChanges(t.app.database.query);
    for (const [method, path, body] of [
      ['POST', '/exports', { kind: 'customers', format: 'csv' }],
      ['POST', `/exports/${id}/cancel`, {}],
      ['POST', '/export-schedules', { kind: 'customers', format: 'csv', frequency: 'daily' }],
      ['PATCH', '/export-schedules/exs_none', { isActive: false }],
      ['DELETE', '/export-schedules/exs_none', undefined],
    ] as const) {
      const { status, body: answer } = await t.rest(method, path, body, { key });
      expect([path, status, answer]).toMatchObject([path, 403, { error: { code: 'forbidden' } }]);
    }
    expect(await changes()).toEqual([]);
    expect((await stream('kind=customers&format=csv&columns=id', key)).status).toBe(200);
  });

  test('is limited to its environment, and to keys that can read its type of data (DAT-36)', async () => {
    const { id } = await written({ kind: 'payouts', format: 'csv' });
    const other = await t.otherTenant();
    for (const key of [other.sandboxKey, t.liveKey, reader]) {
      const found = await t.rest('GET', `/exports/${id}`, undefined, { key });
      expect([found.status, found.body]).toMatchObject([
        404,
        { error: { code: 'not_found', message: "The export doesn't exist in this environment." } },
      ]);
      const canceled = await t.rest('POST', `/exports/${id}/cancel`, {}, { key });
      expect(canceled.status).toBe(404);
    }
    const listed = await t.rest<{ data: { kind: string }[] }>('GET', '/exports', undefined, { key: reader });
    expect(new Set(listed.body.data.map(({ kind }) => kind))).toEqual(new Set(['customers']));
    expect(
      (await t.rest<{ data: [] }>('GET', '/exports', undefined, { key: other.sandboxKey })).body.data,
    ).toEqual([]);
    const changes = await watchChanges(t.app.database.query);
    const forbidden = await t.rest('POST', '/exports', { kind: 'payouts', format: 'csv' }, { key: reader });
    expect([forbidden.status, forbidden.body]).toMatchObject([403, { error: { code: 'forbidden' } }]);
    expect((await stream('kind=payouts&format=csv', reader)).status).toBe(403);
    expect(await changes()).toEqual([]);
  });

  test("is rejected if it has another export type's filter or a reversed range", async () => {
    const creating = 'mutation ($input: ExportCreateInput!) { exportCreate(input: $input) { id } }';
    const changes = await watchChanges(t.app.database.query);
    const sent = (filter: object) => ({ input: { kind: 'customers', format: 'csv', filter } });
    expect(await rejection(t, creating, sent({ invoices: {} }))).toMatchObject({ code: 'validation_error' });
    const reversed = { createdAt: { from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' } };
    expect(await rejection(t, creating, sent({ customers: reversed }))).toMatchObject({
      code: 'validation_error',
    });
    expect(await changes()).toEqual([]);
  });
});
