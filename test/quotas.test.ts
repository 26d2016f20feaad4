import { afterAll, beforeAll, expect, test } from 'vitest';
import { runSchedule } from '../src/modules/exports/schedules/worker.ts';
import { systemContext } from '../src/request/context.ts';
import { watchChanges } from './support/changes.ts';
import { createActiveSubscription, firstShop } from './support/factories.ts';
import { startApp, type TestApp } from './support/harness.ts';

// Public sandboxes have quotas until their organization charges a customer (PLT-68).

const rows = 40;

let t: TestApp;
let key: string;
beforeAll(async () => {
  t = await startApp({
    env: { SANDBOX_ROWS: String(rows), SANDBOX_CLOCK_YEARS: '2', SANDBOX_EXPORTS_PER_DAY: '2' },
  });
  const { body } = await t.rest<{ sandboxApiKey: string }>(
    'POST',
    '/provision',
    { name: 'Free', country: 'US', businessType: 'Software' },
    { key: null, headers: { 'idempotency-key': crypto.randomUUID() } },
  );
  key = body.sandboxApiKey;
});
afterAll(() => t.close());

type Failure = { readonly error: { readonly code: string; readonly message: string } };

const call = (method: string, path: string, body: unknown, caller = key) =>
  t.rest<Failure>(method, path, body, { key: caller });

/** Expects that a quota rejects a request and that nothing changes. Returns the message. */
async function refused(method: string, path: string, body: unknown): Promise<string> {
  const changes = await watchChanges(t.app.database.query);
  const { status, body: answer } = await call(method, path, body);
  expect({ status, code: answer.error?.code }).toEqual({ status: 409, code: 'quota_exceeded' });
  expect(await changes()).toEqual([]);
  return answer.error.message;
}

const years = (count: number): string => {
  const instant = new Date();
  instant.setUTCFullYear(instant.getUTCFullYear() + count);
  return instant.toISOString();
};

test('a sandbox with quotas can advance its test clock by a limited number of years', async () => {
  expect(await refused('POST', '/test-clock', { frozenTime: years(3) })).toBe(
    'The test clock of this sandbox can be up to 2 years ahead of real time. Choose an earlier time.',
  );
  expect((await call('POST', '/test-clock', { frozenTime: years(3) }, t.sandboxKey)).status).toBeLessThan(
    300,
  );
});

const exportCreate = 'mutation { exportCreate(input: { kind: customers, format: csv }) { id } }';

test('a sandbox with quotas can create a limited number of exports per day', async () => {
  for (let count = 0; count < 2; count++) await t.graphql(exportCreate, {}, { key });
  const changes = await watchChanges(t.app.database.query);
  const { errors } = await t.graphqlFailure(exportCreate, {}, { key });
  expect(errors[0]?.extensions).toMatchObject({ code: 'quota_exceeded', status: 409 });
  expect((await changes()).filter((change) => JSON.stringify(change).includes('"INSERT'))).toEqual([]);
  for (let count = 0; count < 3; count++) await t.graphql(exportCreate);
});

test('a sandbox with quotas can read a limited number of export streams per day', async () => {
  const path = '/exports/stream?kind=customers&format=csv';
  const stream = (caller = key) => fetch(`${t.url}/api/v1${path}`, { headers: { 'x-api-key': caller } });
  for (let count = 0; count < 2; count++) expect(await (await stream()).text()).toContain('externalId');
  expect(await refused('GET', path, undefined)).toMatch(/2 exports/);
  for (let count = 0; count < 3; count++)
    expect(await (await stream(t.sandboxKey)).text()).toContain('externalId');
});

test('a sandbox with quotas skips a scheduled export above the daily limit', async () => {
  const create =
    'mutation { exportScheduleCreate(input: { kind: customers, format: csv, frequency: daily }) { id nextRunAt } }';
  const { exportScheduleCreate: made } = await t.graphql<{
    exportScheduleCreate: { id: string; nextRunAt: string };
  }>(create, {}, { key });
  const environmentId = (
    await t.app.database.query<{ environmentId: string }>(
      'SELECT "environmentId" FROM "ExportSchedule" WHERE id = $1',
      [made.id],
    )
  )[0]?.environmentId;
  const ctx = await systemContext(t.app, environmentId ?? '');
  await ctx.sql(
    `UPDATE "ExportSchedule" SET "nextRunAt" = '2026-01-01Z' WHERE "environmentId" = $1 AND id = $2`,
    [made.id],
  );
  expect(await runSchedule(ctx, made.id)).toBeNull();
  const [stored] = await ctx.sql<{ lastExportId: string | null; isLater: boolean }>(
    `SELECT "lastExportId", "nextRunAt" > now() AS "isLater" FROM "ExportSchedule" WHERE "environmentId" = $1 AND id = $2`,
    [made.id],
  );
  expect(stored).toEqual({ lastExportId: null, isLater: true });
});

test("a sandbox with quotas can store a limited number of rows, but the operator's organization has no limit", async () => {
  let made = 0;
  const create = async (caller = key): Promise<number> =>
    (await call('POST', '/customers', { email: `c${++made}@a.example` }, caller)).status;
  // Each customer adds two rows: the customer and an event. Processes cache the count for up to five seconds.
  await expect.poll(() => create(), { timeout: 20_000, interval: 100 }).toBe(409);
  expect(await refused('POST', '/customers', { email: 'more@a.example' })).toBe(
    `This sandbox has reached its quota of ${rows} rows. Go live to continue, or use another sandbox.`,
  );
  await refused('POST', '/customers/batch', { customers: [{ email: 'more@a.example' }] });
  await refused('POST', '/test-clock', { advanceDays: 1 });
  const { status, body } = await call('POST', '/usage/events', {
    customerId: 'c',
    featureCode: 'f',
    value: 1,
  });
  expect({ status, code: body.error.code }).toEqual({ status: 409, code: 'quota_exceeded' });
  // Reads and deletions remain possible.
  expect((await call('GET', '/customers', undefined)).status).toBe(200);
  for (let count = 0; count < rows; count++) expect(await create(t.sandboxKey)).toBe(201);
});

test('a sandbox has no quotas after its organization has charged a customer in live mode', async () => {
  await createActiveSubscription(firstShop(t));
  expect((await call('POST', '/customers', { email: 'before@a.example' })).status).toBe(409);
  const [free] = await t.app.database.query<{ id: string }>(
    `SELECT e.id FROM "Environment" e JOIN "Organization" o ON o.id = e."organizationId" WHERE e.mode = 'live' AND o."isProvisioned"`,
  );
  // Copies a charge from the operator's sandbox without its customer, which the quotas don't read.
  await t.app.database.script(`BEGIN; SET LOCAL session_replication_role = replica;
    INSERT INTO "Transaction" SELECT (jsonb_populate_record(t, jsonb_build_object('environmentId', '${free?.id}'))).*
    FROM "Transaction" t WHERE t."environmentId" = '${t.sandboxId}' AND t.status = 'succeeded' LIMIT 1; COMMIT`);
  expect((await call('POST', '/customers', { email: 'after@a.example' })).status).toBe(201);
});
