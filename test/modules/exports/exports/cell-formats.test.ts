import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { $Enums } from '../../../../src/generated/prisma/client.ts';
import { type Column, columnsOfKind } from '../../../../src/modules/exports/exports/derive-columns.ts';
import { isSeries, kindNames, kindOf } from '../../../../src/modules/exports/exports/find-kind.ts';
import type { ListKind } from '../../../../src/modules/exports/exports/list-kinds.ts';
import { areCells, cellSource } from '../../../../src/modules/exports/exports/read-cells.ts';
import {
  listSource,
  type RowSet,
  type RowSource,
} from '../../../../src/modules/exports/exports/read-rows.ts';
import { isConstant, shapeOf } from '../../../../src/modules/exports/exports/shape-rows.ts';
import {
  cellWriter,
  type FileWriter,
  rowWriter,
} from '../../../../src/modules/exports/exports/write-file.ts';
import { modelFields, sqlTypeOf } from '../../../../src/platform/db/datamodel.ts';
import type { ModelName } from '../../../../src/platform/db/rows.ts';
import type { Context } from '../../../../src/request/context.ts';
import { schema } from '../../../../src/schema.ts';
import { closeApp, MovableClock, newEnvironment, openApp } from '../../../support/billing-world.ts';
import { freshDatabase } from '../../../support/template.ts';

// The database formats tables that have only stored columns. Other tables are formatted row by row. Both methods must produce the same
// bytes for every export type and value.

const rowCount = 60;

const texts = [
  'plain',
  '',
  '=1+1',
  '+49',
  '-5',
  '@a',
  '\tx',
  '\rx',
  '\uFF1Dx',
  'a,b',
  'a "b"',
  'a\nb',
  'a\r\nb',
  ' ',
  'é 😀 \u2028',
  "'x",
  ',=1',
  '"',
  'x\u001Ey',
];
const instants = [
  '2026-01-31T12:00:00.000Z',
  '2026-01-31T12:00:00.500Z',
  '2024-02-29T23:59:59.050Z',
  '1969-12-31T23:59:59.001Z',
  '0099-12-31T00:00:00.250Z',
];
const numbers = [0, 1, -1, 99, -1_250, 9_007_199_254_740_991, 100];
const documents = [
  {},
  { segment: 'b' },
  { b: '": "', a: ', ', 10: 'x', 2: '\u0001"\\' },
  [1.5, 1e21, -0.1, '=1'],
  'text',
  { name: '=1,"2"', list: [{ a: null }] },
];

const at = <T>(values: readonly T[], index: number): T => values[index % values.length] as T;

/** Columns that must have specific values, because other code depends on them. */
const fixed: Readonly<Record<string, readonly unknown[]>> = {
  currency: ['usd', 'jpy', 'eur'],
  deletedAt: [null],
  requestId: [null, '6f1c8f0e-5a0b-4c38-9f3a-6a1d3c1f0a11'],
  audience: ['customer'],
};

const valuesOf = (name: string): readonly string[] =>
  Object.values(
    ($Enums as unknown as Readonly<Record<string, Readonly<Record<string, string>>>>)[name] ?? {},
  );

/** Creates a row with unique keys. Other columns have varying values. Optional columns can be null. */
function rowOf(model: ModelName, environmentId: string, n: number): Record<string, unknown> {
  const fields = (modelFields.get(model) ?? []).filter(({ kind }) => kind !== 'object');
  const row = fields.map((field, index): [string, unknown] => {
    const { name, isList, isRequired, type } = field;
    const given = fixed[name];
    if (name === 'environmentId') return [name, environmentId];
    // Every third invoice is a credit note.
    if (model === 'Invoice' && n % 3 === 0 && name === 'type') return [name, 'adjustment'];
    if (model === 'Invoice' && n % 3 === 0 && name === 'total') return [name, -n];
    if (name === 'id') return [name, `${model}_${n}`];
    if (['seq', 'position', 'number'].includes(name)) return [name, n];
    if (name === 'featureId' && model === 'CountEvent') return [name, `Feature_${n % 6}`];
    if (given !== undefined) return [name, at(given, n)];
    const turn = n * 7 + index;
    if (!isRequired && turn % 4 === 0) return [name, null];
    if (isList) return [name, []];
    const sqlType = sqlTypeOf(model, field);
    if (sqlType === 'text') return [name, at(texts, turn)];
    if (sqlType === 'timestamptz') return [name, at(instants, turn)];
    if (sqlType === 'integer') return [name, at(numbers, turn) % 1_000_000];
    if (sqlType === 'bigint') return [name, at(numbers, turn)];
    if (sqlType === 'boolean') return [name, turn % 2 === 0];
    return [name, sqlType === 'jsonb' ? at(documents, turn) : at(valuesOf(type), turn)];
  });
  return Object.fromEntries(row);
}

const lists = kindNames.flatMap((name): { name: string; kind: ListKind }[] => {
  const kind = kindOf(name);
  return isSeries(kind) ? [] : [{ name, kind }];
});

let ctx: Context;

beforeAll(async () => {
  const app = await openApp(new MovableClock('2026-01-01T00:00:00.000Z'), {}, async () => {
    const { database, drop } = await freshDatabase();
    return { database, release: drop };
  });
  ctx = await newEnvironment(app);
  const models = new Set<ModelName>(['Feature', ...lists.map(({ kind }) => kind.model)]);
  for (const model of models) {
    const rows = Array.from({ length: rowCount }, (_none, n) => rowOf(model, ctx.environment.id, n + 1));
    // Foreign keys aren't checked, because the referenced rows don't exist. If several rows have the same unique value, only the first row
    // is stored.
    await app.database.transaction(async ({ query }) => {
      await query('SET LOCAL session_replication_role = replica');
      const checks = await query<{ name: string }>(
        `SELECT format('%I', conname) AS name FROM pg_constraint WHERE conrelid = '"${model}"'::regclass AND contype = 'c'`,
      );
      for (const { name } of checks) await query(`ALTER TABLE "${model}" DROP CONSTRAINT ${name}`);
      await query(
        `INSERT INTO "${model}" SELECT * FROM json_populate_recordset(NULL::"${model}", $1::json) ON CONFLICT DO NOTHING`,
        [JSON.stringify(rows)],
      );
    });
  }
});
afterAll(() => closeApp(ctx.app));

const set: RowSet = {
  filter: null,
  search: null,
  snapshot: 1_000_000n,
  asOf: new Date('2026-01-01T00:00:00.000Z'),
};

/** Writes an export in chunks. Returns the combined text and the cursor after each chunk. */
async function written<Read>(source: RowSource<Read>, writer: FileWriter<Read>, limit: number) {
  const pages: string[] = [];
  const cursors: (string | null)[] = [];
  for (let cursor: string | null = null, isLast = false; !isLast; ) {
    const chunk = await source.read(ctx, set, { cursor, limit });
    ({ cursor, isLast } = chunk);
    cursors.push(cursor);
    pages.push(Buffer.from((await writer.chunk(chunk.read, pages.length)).bytes).toString());
    expect(chunk.rows).toBe(isLast ? chunk.rows : limit);
  }
  return { text: pages.join(''), cursors };
}

/** Returns an export type's columns that the database can format as text. */
const cellColumns = (name: string, kind: ListKind): Column[] =>
  columnsOfKind(schema, name).filter((column) => column.stored !== null || isConstant(schema, kind, column));

describe('an export of stored columns', () => {
  test.each(lists.filter(({ kind }) => kind.joined === undefined))(
    "has the same bytes whether the database formats it or it's written row by row: $name",
    async ({ name, kind }) => {
      const columns = cellColumns(name, kind);
      const cells = cellSource(schema, kind, columns);
      const rows = listSource(kind, shapeOf(schema, kind, columns));
      expect(areCells(schema, kind, columns)).toBe(true);
      for (const limit of [7, rowCount * 2]) {
        const one = await written(cells, cellWriter(columns), limit);
        const other = await written(rows, rowWriter('csv', columns), limit);
        expect(one).toEqual(other);
        expect(one.text.split('\r\n').length).toBeGreaterThan(3);
      }
    },
  );

  test('has the same bytes if a value contains the separator of joined values', async () => {
    await ctx.sql('UPDATE "Customer" SET "fullName" = $3 WHERE "environmentId" = $1 AND id = $2', [
      'Customer_30',
      'a\u001Fb',
    ]);
    const kind = kindOf('customers') as ListKind;
    const columns = cellColumns('customers', kind);
    const cells = cellSource(schema, kind, columns);
    const rows = listSource(kind, shapeOf(schema, kind, columns));
    const one = await written(cells, cellWriter(columns), 7);
    expect(one).toEqual(await written(rows, rowWriter('csv', columns), 7));
    expect(one.text).toContain('a\u001Fb');
  });
});
