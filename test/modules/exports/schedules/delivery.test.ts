import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cancelExport } from '../../../../src/modules/exports/exports/cancel.ts';
import { linkedFile } from '../../../../src/modules/exports/exports/read-file.ts';
import { linkTo } from '../../../../src/modules/exports/exports/sign-link.ts';
import { exportLeases, requireExport } from '../../../../src/modules/exports/exports/store.ts';
import { type PartLimits, serveExport } from '../../../../src/modules/exports/exports/worker.ts';
import { createSchedule } from '../../../../src/modules/exports/schedules/create.ts';
import { deleteSchedule } from '../../../../src/modules/exports/schedules/delete.ts';
import { deliverExport } from '../../../../src/modules/exports/schedules/send-files.ts';
import {
  deliveryLeases,
  findDueDeliveries,
  scheduleRows,
} from '../../../../src/modules/exports/schedules/store.ts';
import { changeSchedule } from '../../../../src/modules/exports/schedules/update.ts';
import { runSchedule } from '../../../../src/modules/exports/schedules/worker.ts';
import { createOrganization } from '../../../../src/modules/organization/organizations/create.ts';
import { type App, type Context, systemContext } from '../../../../src/request/context.ts';
import { schema } from '../../../../src/schema.ts';
import { removeOld } from '../../../../src/worker/retention.ts';
import { closeApp, MovableClock, openApp, withSettings } from '../../../support/billing-world.ts';
import { breakingAt } from '../../../support/breaking.ts';
import { type FileReceiver, openFileReceiver } from '../../../support/file-receiver.ts';

// Delivery of export files to a merchant's URL (DAT-35b), with a real server. The test runs its own workers.

const start = '2026-01-01T12:00:00.000Z';
const wall = new MovableClock(start);
const few = 5;
const rowCount = 1_200;

let app: App;
let ctx: Context;
let receiver: FileReceiver;

/** Inserts customers with long names, numbered from `first` to `last`. */
async function insertCustomers(first: number, last: number): Promise<void> {
  await ctx.sql(
    `INSERT INTO "Customer" ("environmentId", id, seq, email, "emailKey", "fullName", "searchText", timezone, "requireBudget", "hasMoneyOnAccount", "sortMrr", "sortOutstanding", "sortPaid", "sortStatus", "sortPlan", metadata, "createdAt", "updatedAt")
     SELECT k."environmentId", 'cus_' || n, n, 'c' || n || '@example.com', 'c' || n || '@example.com', repeat('Customer ', 150) || n, 'many', 'UTC', false, false, 0, 0, 0, 0, '', '{}', $4, $4 FROM "EnvironmentCounter" k CROSS JOIN generate_series($2::int, $3::int) n WHERE k."environmentId" = $1`,
    [first, last, new Date(start)],
  );
  await ctx.sql('UPDATE "EnvironmentCounter" SET seq = $2 WHERE "environmentId" = $1', [last]);
}

/** Inserts enough customers to make the file exceed one megabyte, so it's sent in several pieces. */
const enlarge = (): Promise<void> => insertCustomers(few + 1, rowCount);

beforeAll(async () => {
  app = await openApp(wall, { WEBHOOK_TIMEOUT_MS: '1000' });
});
beforeEach(async () => {
  wall.set(start);
  receiver = await openFileReceiver();
  const { sandbox } = await createOrganization(app, { name: 'Exports' });
  ctx = await systemContext(app, sandbox.id);
  await insertCustomers(1, few);
  return () => receiver.close();
});
afterAll(() => closeApp(app));

const noLimits: PartLimits = { rows: 1_000_000, bytes: 1_000_000_000 };

const later = (minutes: number): void =>
  wall.set(new Date(wall.now().getTime() + minutes * 60_000).toISOString());

const schedule = async (deliveryUrl: string, columns: readonly string[] = []): Promise<string> => {
  const sent = { kind: 'customers', format: 'csv', frequency: 'daily', deliveryUrl } as const;
  return (await createSchedule(ctx, schema, { ...sent, ...(columns.length > 0 && { columns }) }, null)).id;
};

/** Runs a schedule one day later and writes its file. Returns the export ID. */
async function written(scheduleId: string, limits = noLimits): Promise<string> {
  later(24 * 60);
  const id = await runSchedule(await systemContext(app, ctx.environment.id), scheduleId);
  if (id === null) throw new Error('It was not due.');
  const key = { environmentId: ctx.environment.id, id };
  const now = wall.now();
  await exportLeases.lease(app.database.query, key, 'writer', now, new Date(now.getTime() + 15_000));
  const leased = { key, owner: 'writer', goesOn: () => true, stepAside: async () => undefined };
  for (let round = 0; ['queued', 'running'].includes((await requireExport(ctx, id)).status); round++) {
    expect(round).toBeLessThan(50);
    await serveExport(app, schema, leased, limits);
  }
  await exportLeases.release(app.database.query, key, 'writer', wall.now());
  return id;
}

/** Delivers an export as a worker would. Returns `false` if another worker holds the lease. */
async function deliver(id: string, owner = 'worker', goesOn = () => true, by = app): Promise<boolean> {
  const key = { environmentId: ctx.environment.id, id };
  const now = wall.now();
  if (!(await deliveryLeases.lease(app.database.query, key, owner, now, new Date(now.getTime() + 15_000))))
    return false;
  await deliverExport(by, { key, owner, goesOn });
  await deliveryLeases.release(app.database.query, key, owner, wall.now());
  return true;
}

async function bytesOf(id: string): Promise<Buffer> {
  const files = await linkTo(ctx, await requireExport(ctx, id));
  const file = await linkedFile(app, files[0]?.url.split('/').at(-1) ?? '');
  if (file === null || file === 'expired') throw new Error('There is no file.');
  return Buffer.concat(await Array.fromAsync(file.bytes(0, file.size)));
}

/** Returns the exports in this environment that a worker would deliver now. */
async function due() {
  const found = await findDueDeliveries(app.database.query, wall.now(), 1_000, null);
  return found.filter(({ environmentId }) => environmentId === ctx.environment.id);
}

const events = (): Promise<{ kind: string; data: Record<string, unknown> }[]> =>
  ctx.sql(
    `SELECT kind, data FROM "Event" WHERE "environmentId" = $1 AND kind LIKE 'export.%' ORDER BY position`,
  );

const scheduleOf = async (id: string) => {
  const row = await scheduleRows.find(ctx, id);
  if (row === null) throw new Error('There is no such schedule.');
  return row;
};

test('a file delivery uploads the whole file, with its size and type, to the URL including its query string, and the URL is stored encrypted (DAT-35b)', async () => {
  await enlarge();
  const schedules = await schedule(`${receiver.url}/bucket/customers.csv?X-Signature=s3cret`);
  const id = await written(schedules);
  expect(await requireExport(ctx, id)).toMatchObject({ status: 'delivering', finishedAt: null });
  // The file hasn't been delivered yet, but can already be downloaded.
  expect(await events()).toEqual([]);
  const bytes = await bytesOf(id);
  expect(bytes.length).toBeGreaterThan(1_048_576);
  expect(await deliver(id)).toBe(true);
  expect(receiver.files).toHaveLength(1);
  const [file] = receiver.files;
  expect([file?.method, file?.path]).toEqual(['PUT', '/bucket/customers.csv?X-Signature=s3cret']);
  expect(file?.headers).toMatchObject({
    'content-length': String(bytes.length),
    'content-type': 'text/csv; charset=utf-8; header=present',
  });
  expect(file?.headers['transfer-encoding']).toBeUndefined();
  expect(file?.bytes.equals(bytes)).toBe(true);
  expect(await requireExport(ctx, id)).toMatchObject({
    status: 'completed',
    error: null,
    nextAttemptAt: null,
    deliveredAt: wall.now(),
    finishedAt: wall.now(),
  });
  const done = { exportId: id, kind: 'customers', format: 'csv', rows: rowCount, files: 1, delivered: true };
  expect(await events()).toMatchObject([{ kind: 'export.completed', data: done }]);
  expect(await deliver(id)).toBe(false);
  expect((await scheduleOf(schedules)).sealedUrl).not.toContain('s3cret');
});

test('a file delivery is retried after an unsuccessful response, shows the reason, and stops after the eighth attempt', async () => {
  const schedules = await schedule(`${receiver.url}/x?sig=1`);
  const id = await written(schedules);
  receiver.behave(403);
  const delays: number[] = [];
  for (let attempt = 1; attempt <= 8; attempt++) {
    expect(await deliver(id)).toBe(true);
    expect(await deliver(id)).toBe(false);
    const { status, error, nextAttemptAt, failures } = await requireExport(ctx, id);
    expect([failures, error]).toEqual([
      attempt,
      'The receiver returned 403. If the URL is signed, it may have expired. Set a new URL.',
    ]);
    expect(status).toBe(attempt < 8 ? 'delivering' : 'failed');
    const wait = ((nextAttemptAt?.getTime() ?? wall.now().getTime()) - wall.now().getTime()) / 60_000;
    delays.push(wait);
    later(wait);
  }
  expect(delays).toEqual([1, 5, 15, 30, 60, 120, 240, 0]);
  expect(receiver.files).toHaveLength(8);
  expect(await events()).toMatchObject([
    { kind: 'export.failed', data: { exportId: id, error: expect.stringContaining('403') } },
  ]);
  expect(await scheduleOf(schedules)).toMatchObject({
    failedInRow: 1,
    isActive: true,
    deliveryError: expect.stringContaining('403'),
  });
  // Every attempt sends the same bytes, and the file remains available for download until it expires.
  const bytes = await bytesOf(id);
  expect(receiver.files.every((file) => file.bytes.equals(bytes))).toBe(true);
  await removeOld(app, 'exportFiles');
  expect((await bytesOf(id)).equals(bytes)).toBe(true);
  later(8 * 24 * 60);
  await removeOld(app, 'exportFiles');
  await expect(bytesOf(id)).rejects.toThrow('There is no file.');
});

/** Makes all attempts of a delivery. */
async function giveUp(id: string): Promise<void> {
  for (let attempt = 1; (await requireExport(ctx, id)).status === 'delivering'; attempt++) {
    expect(attempt).toBeLessThan(10);
    expect(await deliver(id)).toBe(true);
    later(241);
  }
}

test('an export schedule is disabled after three consecutive failed deliveries, and enabling it with a new URL resets the count', async () => {
  const schedules = await schedule(`${receiver.url}/x?sig=old`, ['id']);
  receiver.behave(403);
  for (const failedInRow of [1, 2]) {
    await giveUp(await written(schedules));
    expect(await scheduleOf(schedules)).toMatchObject({ failedInRow, isActive: true });
  }
  receiver.behave(200);
  expect(await deliver(await written(schedules))).toBe(true);
  expect(await scheduleOf(schedules)).toMatchObject({ failedInRow: 0, deliveryError: null });
  receiver.behave(403);
  for (let count = 0; count < 3; count++) await giveUp(await written(schedules));
  expect(await scheduleOf(schedules)).toMatchObject({
    failedInRow: 3,
    isActive: false,
    deliveryError: expect.stringContaining('it may have expired'),
  });
  later(24 * 60);
  expect(await runSchedule(await systemContext(app, ctx.environment.id), schedules)).toBeNull();
  receiver.behave(200);
  const changed = await changeSchedule(await systemContext(app, ctx.environment.id), {
    id: schedules,
    isActive: true,
    deliveryUrl: `${receiver.url}/y?sig=new`,
  });
  expect(changed).toMatchObject({ failedInRow: 0, isActive: true, deliveryError: null });
  expect(await deliver(await written(schedules))).toBe(true);
  expect(receiver.files.at(-1)?.path).toBe('/y?sig=new');
}, 180_000);

test('a pending file is delivered to a new URL immediately, and its export is completed if the schedule is deleted', async () => {
  const schedules = await schedule(`${receiver.url}/old`);
  const [first, second] = [await written(schedules), await written(schedules)];
  receiver.behave(500);
  await deliver(first);
  await deliver(second);
  expect(await due()).toEqual([]);
  receiver.behave(200);
  await changeSchedule(ctx, { id: schedules, deliveryUrl: `${receiver.url}/new/{file}` });
  const [next, ...more] = await due();
  // Only one export per environment is delivered at a time.
  expect(more).toEqual([]);
  expect(await deliver(next?.id ?? '')).toBe(true);
  const { createdAt } = await requireExport(ctx, next?.id ?? '');
  expect(receiver.files.at(-1)?.path).toBe(`/new/customers-${createdAt.toISOString().slice(0, 10)}.csv`);
  await deleteSchedule(ctx, schedules);
  const [left] = await due();
  const begun = receiver.begun();
  expect(await deliver(left?.id ?? '')).toBe(true);
  expect(receiver.begun()).toBe(begun);
  expect(await requireExport(ctx, left?.id ?? '')).toMatchObject({ status: 'completed', deliveredAt: null });
  expect((await events()).map(({ kind, data }) => [kind, data['delivered']])).toEqual([
    ['export.completed', true],
    ['export.completed', false],
  ]);
});

describe('a file delivery to an unusual receiver', () => {
  test('is stopped if the receiver responds early, and shows the response status', async () => {
    await enlarge();
    const id = await written(await schedule(`${receiver.url}/x`));
    receiver.behave((_request, response) =>
      response.writeHead(413, { connection: 'close' }).end('too large'),
    );
    await deliver(id);
    expect((await requireExport(ctx, id)).error).toBe('The receiver returned 413.');
  });

  test("doesn't follow a redirect", async () => {
    const id = await written(await schedule(`${receiver.url}/x`));
    receiver.behave((request, response) => {
      request.resume();
      request.on('end', () => response.writeHead(307, { location: `${receiver.url}/elsewhere` }).end());
    });
    await deliver(id);
    expect((await requireExport(ctx, id)).error).toBe(
      "The receiver returned 307. Redirects aren't followed.",
    );
    expect(receiver.begun()).toBe(1);
  });

  test.each([
    ['never responds', (request: NodeJS.ReadableStream) => void request.resume()],
    ['accepts no bytes', () => undefined],
  ])('is retried later if the receiver %s', async (_about, taking) => {
    await enlarge();
    const id = await written(await schedule(`${receiver.url}/x`));
    receiver.behave(taking);
    await deliver(id);
    expect(await requireExport(ctx, id)).toMatchObject({
      status: 'delivering',
      error: 'The file could not be sent: Nothing moved for 1000 ms.',
    });
  });

  test('starts over with the whole file if the receiver closes the connection', async () => {
    await enlarge();
    const id = await written(await schedule(`${receiver.url}/x`));
    receiver.behave((request) => void request.once('data', () => request.socket.resetAndDestroy()));
    await deliver(id);
    const { status, error } = await requireExport(ctx, id);
    expect([status, error]).toEqual(['delivering', expect.stringMatching(/^The file could not be sent: .+/)]);
    receiver.behave(200);
    later(1);
    expect(await deliver(id)).toBe(true);
    expect(receiver.files[0]?.bytes.equals(await bytesOf(id))).toBe(true);
  });

  test('completes if the receiver reads slowly', async () => {
    await enlarge();
    const id = await written(await schedule(`${receiver.url}/x`));
    const chunks: Buffer[] = [];
    receiver.behave((request, response) => {
      request.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        request.pause();
        setTimeout(() => request.resume(), 5);
      });
      request.on('end', () => response.writeHead(204).end());
    });
    await deliver(id);
    expect(await requireExport(ctx, id)).toMatchObject({ status: 'completed', deliveredAt: wall.now() });
    expect(Buffer.concat(chunks).equals(await bytesOf(id))).toBe(true);
  });
});

test('a file delivery is restarted by the next worker after a worker stops, and sends the same bytes', async () => {
  await enlarge();
  const id = await written(await schedule(`${receiver.url}/x`));
  let left = 1;
  expect(await deliver(id, 'first', () => left-- > 0)).toBe(true);
  expect(receiver.files).toEqual([]);
  expect(await requireExport(ctx, id)).toMatchObject({ status: 'delivering', failures: 0, error: null });
  // A killed worker's lease remains valid until it expires.
  const key = { environmentId: ctx.environment.id, id };
  const until = new Date(wall.now().getTime() + 15_000);
  expect(await deliveryLeases.lease(app.database.query, key, 'killed', wall.now(), until)).toBe(true);
  expect(await deliver(id, 'second')).toBe(false);
  later(1);
  expect(await deliver(id, 'second')).toBe(true);
  expect(receiver.files[0]?.bytes.equals(await bytesOf(id))).toBe(true);
  // A slow worker can't record its result after its lease has expired.
  await deliverExport(app, { key, owner: 'killed', goesOn: () => true });
  expect(await events()).toHaveLength(1);
});

test("a file delivery is recorded either in full or not at all, and is repeated if it wasn't recorded", async () => {
  const schedules = await schedule(`${receiver.url}/x`);
  const id = await written(schedules);
  const before = [await requireExport(ctx, id), await scheduleOf(schedules)];
  let message = '';
  for (let number = 1; message !== 'killed before the commit'; number++) {
    expect(number).toBeLessThan(30);
    later(1);
    const failure: unknown = await deliver(id, 'worker', () => true, breakingAt(app, number)).catch(
      (error: unknown) => error,
    );
    message = failure instanceof Error ? failure.message : 'it went on';
    expect([number, message]).toEqual([number, expect.stringMatching(/^killed/)]);
    const leases = { leaseOwner: null, leaseUntil: null };
    const after = [await requireExport(ctx, id), await scheduleOf(schedules)];
    expect(after.map((row) => ({ ...row, ...leases }))).toEqual(before.map((row) => ({ ...row, ...leases })));
    expect(await events()).toEqual([]);
  }
  later(1);
  expect(await deliver(id)).toBe(true);
  expect(await events()).toHaveLength(1);
});

test('a file delivery uploads several parts to separate URLs, and fails if the URL contains no part number', async () => {
  await enlarge();
  const limits = { rows: 500, bytes: 1_000_000_000 };
  const one = await written(await schedule(`${receiver.url}/one`), limits);
  await deliver(one);
  expect(await requireExport(ctx, one)).toMatchObject({
    status: 'failed',
    error: "The export has 3 files, but the URL doesn't distinguish them. Add {file} to the URL.",
  });
  expect(receiver.begun()).toBe(0);
  const each = await written(await schedule(`${receiver.url}/{file}?s=1`), limits);
  await deliver(each);
  const day = (await requireExport(ctx, each)).createdAt.toISOString().slice(0, 10);
  expect(receiver.files.map(({ path }) => path)).toEqual(
    [1, 2, 3].map((number) => `/customers-${day}-${number}.csv?s=1`),
  );
});

test('a file delivery stops if the export is canceled', async () => {
  const id = await written(await schedule(`${receiver.url}/x`));
  receiver.behave(500);
  await deliver(id);
  await cancelExport(ctx, id);
  expect(await requireExport(ctx, id)).toMatchObject({ status: 'canceled', nextAttemptAt: null });
  later(60);
  expect(await due()).toEqual([]);
  expect(await events()).toEqual([]);
});

test("a file delivery rejects disallowed private URLs, and doesn't connect to hostnames that later resolve to private addresses", async () => {
  const closed = withSettings(app, { WEBHOOKS_TO_PRIVATE_ADDRESSES: 'off' });
  const own = await systemContext(closed, ctx.environment.id);
  for (const deliveryUrl of [
    receiver.url,
    'http://localhost/x',
    'http://169.254.169.254/latest',
    'http://[::1]/{file}',
  ])
    await expect(
      createSchedule(
        own,
        schema,
        { kind: 'customers', format: 'csv', frequency: 'daily', deliveryUrl },
        null,
      ),
    ).rejects.toMatchObject({ code: 'validation_error', param: 'deliveryUrl' });
  const schedules = await schedule(`${receiver.url}/x`);
  await expect(changeSchedule(own, { id: schedules, deliveryUrl: receiver.url })).rejects.toMatchObject({
    code: 'validation_error',
  });
  for (const host of ['127.0.0.1', 'localhost']) {
    const { port } = new URL(receiver.url);
    await changeSchedule(ctx, { id: schedules, deliveryUrl: `http://${host}:${port}/x` });
    const id = await written(schedules);
    await deliver(id, 'worker', () => true, closed);
    expect((await requireExport(ctx, id)).error).toBe(
      'The file could not be sent: must point to a public address.',
    );
  }
  expect(receiver.begun()).toBe(0);
});
