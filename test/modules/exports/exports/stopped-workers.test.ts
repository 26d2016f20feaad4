import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createExport } from '../../../../src/modules/exports/exports/create.ts';
import { linkedFile } from '../../../../src/modules/exports/exports/read-file.ts';
import { linkTo } from '../../../../src/modules/exports/exports/sign-link.ts';
import { exportLeases, readExport, requireExport } from '../../../../src/modules/exports/exports/store.ts';
import { type PartLimits, serveExport } from '../../../../src/modules/exports/exports/worker.ts';
import type { Format } from '../../../../src/modules/exports/exports/write-file.ts';
import { createOrganization } from '../../../../src/modules/organization/organizations/create.ts';
import { type App, type Context, systemContext } from '../../../../src/request/context.ts';
import { schema } from '../../../../src/schema.ts';
import { closeApp, MovableClock, openApp } from '../../../support/billing-world.ts';

// Export workers that stop in the middle of a file, and workers that complete the file (DAT-34). The test runs its own workers.

const start = '2026-01-01T00:00:00.000Z';
const wall = new MovableClock(start);
const rowCount = 11_000;

let app: App;
let ctx: Context;

beforeAll(async () => {
  app = await openApp(wall);
  const { sandbox } = await createOrganization(app, { name: 'Exports' });
  ctx = await systemContext(app, sandbox.id);
  await ctx.sql(
    `INSERT INTO "Customer" ("environmentId", id, seq, email, "emailKey", "fullName", "searchText", timezone, "requireBudget", "hasMoneyOnAccount", "sortMrr", "sortOutstanding", "sortPaid", "sortStatus", "sortPlan", metadata, "createdAt", "updatedAt")
     SELECT k."environmentId", 'cus_' || n, n, 'c' || n || '@example.com', 'c' || n || '@example.com', 'Customer ' || n, lower('Customer ' || n), 'UTC', false, false, 0, 0, 0, 0, '', '{}', $3, $3 FROM "EnvironmentCounter" k CROSS JOIN generate_series(1, $2::int) n WHERE k."environmentId" = $1`,
    [rowCount, new Date(start)],
  );
  await ctx.sql('UPDATE "EnvironmentCounter" SET seq = $2 WHERE "environmentId" = $1', [rowCount]);
});
afterAll(() => closeApp(app));

const noLimits: PartLimits = { rows: 1_000_000, bytes: 1_000_000_000 };

/**
 * Writes the export as a worker would, until the worker has called `goesOn` `looks` times. Returns `false` if another worker holds the
 * lease.
 */
async function work(id: string, owner: string, looks: number, limits = noLimits): Promise<boolean> {
  const key = { environmentId: ctx.environment.id, id };
  const now = wall.now();
  const until = new Date(now.getTime() + 15_000);
  if (!(await exportLeases.lease(app.database.query, key, owner, now, until))) return false;
  let left = looks;
  const goesOn = (): boolean => left-- > 0;
  await serveExport(app, schema, { key, owner, goesOn, stepAside: async () => undefined }, limits);
  return true;
}

/** Writes the export in time slices until it's complete. */
async function finish(id: string, limits = noLimits): Promise<void> {
  for (let round = 0; (await requireExport(ctx, id)).status !== 'completed'; round++) {
    expect(round).toBeLessThan(50);
    expect(await work(id, `finisher ${round}`, 1_000, limits)).toBe(true);
    wall.set(new Date(wall.now().getTime() + 16_000).toISOString());
  }
}

async function bytesOf(id: string, part = 1): Promise<Buffer> {
  const files = await linkTo(ctx, await requireExport(ctx, id));
  const token = files[part - 1]?.url.split('/').at(-1) ?? '';
  const file = await linkedFile(app, token);
  if (file === null || file === 'expired') throw new Error('There is no file.');
  return Buffer.concat(await Array.fromAsync(file.bytes(0, file.size)));
}

const begin = async (format: Format, gzip = false): Promise<string> =>
  (await createExport(ctx, schema, { kind: 'customers', format, gzip }, null)).id;

describe('an export file whose worker stopped after each chunk', () => {
  test.each([
    { format: 'ndjson', gzip: false },
    { format: 'csv', gzip: true },
    { format: 'parquet', gzip: false },
  ] as const)(
    'has the same bytes as a file written without interruption: $format, gzip $gzip',
    async ({ format, gzip }) => {
      const [whole, broken] = [await begin(format, gzip), await begin(format, gzip)];
      await finish(whole);
      expect(await work(broken, 'first', 1)).toBe(true);
      // The stopped worker's lease remains valid until it expires.
      expect(await work(broken, 'second', 1)).toBe(false);
      const { chunks, rows } = await requireExport(ctx, broken);
      expect(chunks).toBe(1);
      // A chunk contains a tenth of the usual number of rows because the columns include metadata.
      expect(rows).toBe(format === 'parquet' ? 500n : 200n);
      wall.set(new Date(wall.now().getTime() + 16_000).toISOString());
      expect(await work(broken, 'second', 1)).toBe(true);
      // The first worker was slow rather than dead, so its late chunk is rejected.
      const key = { environmentId: ctx.environment.id, id: broken };
      await serveExport(
        app,
        schema,
        { key, owner: 'first', goesOn: () => true, stepAside: async () => undefined },
        noLimits,
      );
      expect((await requireExport(ctx, broken)).chunks).toBe(2);
      wall.set(new Date(wall.now().getTime() + 16_000).toISOString());
      await finish(broken);
      const [once, again] = [await bytesOf(whole), await bytesOf(broken)];
      expect(again.equals(once)).toBe(true);
      expect(once.length).toBe(Number((await requireExport(ctx, whole)).bytes));
      const text = (gzip ? gunzipSync(once) : once).toString();
      if (format !== 'parquet')
        expect(text.split('\n').length - 1).toBe(rowCount + (format === 'csv' ? 1 : 0));
    },
  );
});

test("an export excludes rows created after its start, and writes no more chunks after it's canceled (DAT-33)", async () => {
  const [late, canceled] = [await begin('ndjson'), await begin('ndjson')];
  await ctx.sql(
    `INSERT INTO "Customer" ("environmentId", id, seq, email, "emailKey", "fullName", "searchText", timezone, "requireBudget", "hasMoneyOnAccount", "sortMrr", "sortOutstanding", "sortPaid", "sortStatus", "sortPlan", metadata, "createdAt", "updatedAt")
     VALUES ($1, 'cus_late', $2, 'late@example.com', 'late@example.com', 'Late', 'late', 'UTC', false, false, 0, 0, 0, 0, '', '{}', $3, $3)`,
    [rowCount + 1_000, new Date(start)],
  );
  await finish(late);
  expect(await requireExport(ctx, late)).toMatchObject({ rows: BigInt(rowCount), total: BigInt(rowCount) });
  await work(canceled, 'worker', 1);
  await ctx.sql(`UPDATE "Export" SET status = 'canceled' WHERE "environmentId" = $1 AND id = $2`, [canceled]);
  wall.set(new Date(wall.now().getTime() + 16_000).toISOString());
  await work(canceled, 'worker', 1_000);
  expect(await readExport(ctx.sql, canceled)).toMatchObject({ status: 'canceled', chunks: 1 });
  await ctx.sql(`DELETE FROM "Customer" WHERE "environmentId" = $1 AND id = 'cus_late'`);
});

test('an export splits many rows into several complete files (DAT-36)', async () => {
  const id = await begin('csv');
  await finish(id, { rows: 5_000, bytes: 1_000_000_000 });
  const { parts } = await requireExport(ctx, id);
  expect(parts.map(({ rows }) => rows)).toEqual([5_000, 5_000, 1_000]);
  const lines = (await bytesOf(id, 3)).toString().split('\r\n');
  expect(lines[0]?.startsWith('id,externalId,fullName,email,')).toBe(true);
  expect(lines).toHaveLength(1_002);
  const names = (await linkTo(ctx, await requireExport(ctx, id))).map(({ name }) => name);
  expect(names).toEqual(
    [1, 2, 3].map((number) => expect.stringMatching(new RegExp(`^customers-2026-01-01-${number}\\.csv$`))),
  );
});

describe('the end of an export (DAT-35)', () => {
  type EventRow = { readonly kind: string; readonly occurredAt: Date; readonly data: unknown };
  const eventsOf = (id: string): Promise<EventRow[]> =>
    ctx.sql<EventRow>(
      `SELECT kind, "occurredAt", data FROM "Event" WHERE "environmentId" = $1 AND data->>'exportId' = $2 ORDER BY position`,
      [id],
    );

  test("records one event with the export's results when the last chunk is written", async () => {
    const id = await begin('csv');
    await work(id, 'first', 1);
    expect(await eventsOf(id)).toEqual([]);
    wall.set(new Date(wall.now().getTime() + 16_000).toISOString());
    await finish(id);
    const { bytes, finishedAt } = await requireExport(ctx, id);
    const data = {
      exportId: id,
      kind: 'customers',
      format: 'csv',
      rows: rowCount,
      bytes: Number(bytes),
      files: 1,
      delivered: false,
    };
    expect(await eventsOf(id)).toEqual([{ kind: 'export.completed', occurredAt: finishedAt, data }]);
  });

  test('records one event with the reason, but only after the last failed attempt', async () => {
    const id = await begin('csv');
    // Simulates a column from a different version of Quittance.
    await ctx.sql(
      `UPDATE "Export" SET request = jsonb_set(request, '{columns}', '["gone"]') WHERE "environmentId" = $1 AND id = $2`,
      [id],
    );
    for (let attempt = 1; attempt <= 5; attempt++) {
      expect(await eventsOf(id)).toEqual([]);
      await expect(work(id, `attempt ${attempt}`, 1)).rejects.toThrow('columns.0');
      wall.set(new Date(wall.now().getTime() + 16_000).toISOString());
    }
    const error = 'The file could not be written. Start a new export.';
    expect(await requireExport(ctx, id)).toMatchObject({ status: 'failed', error, failures: 5 });
    const data = { exportId: id, kind: 'customers', format: 'csv', error };
    const events = await eventsOf(id);
    expect(events).toEqual([{ kind: 'export.failed', occurredAt: expect.any(Date), data }]);
    await work(id, 'late', 1);
    expect(await eventsOf(id)).toEqual(events);
  });
});
