import type { Prisma } from '../../generated/prisma/client.ts';
import { together } from '../together.ts';
import { type ArrayColumn, arrayParameters, arraySource, type Bases } from './column-arrays.ts';
import { modelFields, sqlTypeOf } from './datamodel.ts';
import type { Query } from './pool.ts';
import type { ModelName, Row } from './rows.ts';

// Bulk writes with one SQL statement. The rows are sent as column arrays, so the statement text and its query plan don't depend on the number
// of rows.

/** Row to write, with all columns except the environment. A missing column would be written as null. */
export type BulkRow<M extends ModelName> = {
  readonly [K in Exclude<keyof Row<M>, 'environmentId'>]: Prisma.JsonValue extends Row<M>[K]
    ? unknown
    : Row<M>[K];
};

type Columns = readonly [ArrayColumn, ...ArrayColumn[]];
type Statements = {
  readonly columns: Columns;
  readonly insert: string;
  readonly ensure: string;
  readonly update: string;
  readonly upsert: string;
};

function columnsOf(model: ModelName): Columns {
  const [first, ...rest] = (modelFields.get(model) ?? [])
    .filter((field) => field.kind !== 'object' && field.name !== 'environmentId')
    .map((field) => ({ name: field.name, sqlType: sqlTypeOf(model, field) }));
  if (first === undefined) throw new Error(`${model} has no columns.`);
  return [first, ...rest];
}

/**
 * Returns a SELECT that adds the environment to the rows of `source`. The environment comes from its counter row `a`, so that a distributed database
 * inserts all rows on one node.
 */
export const anchored = (values: string, source: string): string =>
  `SELECT a."environmentId", ${values} FROM "EnvironmentCounter" a CROSS JOIN ${source} WHERE a."environmentId" = $1`;

function statementsFor(model: ModelName): Statements {
  const columns = columnsOf(model);
  const { from, values } = arraySource(columns);
  const insert = arrayInsert(model, columns);
  const others = columns.flatMap(({ name }, index) =>
    name === 'id' ? [] : [{ name, value: values[index] ?? '' }],
  );
  const id = values[columns.findIndex(({ name }) => name === 'id')] ?? '';
  const update = `WITH written AS (
      UPDATE "${model}" t SET ${others.map(({ name, value }) => `"${name}" = ${value}`).join(', ')}
      FROM ${from} WHERE t."environmentId" = $1 AND t.id = ${id} RETURNING 1)
    SELECT count(*) AS written FROM written`;
  const upsert = `${insert} ON CONFLICT ("environmentId", id) DO UPDATE SET ${others.map(({ name }) => `"${name}" = EXCLUDED."${name}"`).join(', ')}`;
  const ensure = `${insert} ON CONFLICT DO NOTHING`;
  return { columns, insert, ensure, update, upsert };
}

const known = new Map<ModelName, Statements>();

function statementsOf(model: ModelName): Statements {
  const found = known.get(model);
  if (found !== undefined) return found;
  const made = statementsFor(model);
  known.set(model, made);
  return made;
}

export type BulkWrite = { readonly run: (sql: Query) => Promise<void> };

/** Returns the statements of a model, and the parameters for rows. Throws if a row lacks a column. */
function encodeRows<M extends ModelName>(model: M, rows: readonly BulkRow<M>[]) {
  return { statements: statementsOf(model), params: partParameters(model, rows) };
}

/** Returns a bulk insert of rows. Throws if a row lacks a column. */
export function inserting<M extends ModelName>(model: M, rows: readonly BulkRow<M>[]): BulkWrite {
  const { statements, params } = encodeRows(model, rows);
  return {
    run: async (sql) => {
      await sql(statements.insert, params);
    },
  };
}

/** Returns a bulk insert that skips existing keys. Throws if a row lacks a column. */
export function ensuring<M extends ModelName>(model: M, rows: readonly BulkRow<M>[]): BulkWrite {
  const { statements, params } = encodeRows(model, rows);
  return {
    run: async (sql) => {
      await sql(statements.ensure, params);
    },
  };
}

/** Write statement in a group of statements that are sent together. `$1` is the environment; `params` start at `$2`. */
export type WritePart = { readonly text: string; readonly params: readonly unknown[] };

/** Bulk insert options: expressions to add to columns, which can use the counter row `a`, and the ON CONFLICT clause. */
export type InsertTerms = { readonly bases?: Bases; readonly onConflict?: string };

/** Returns the text of a bulk insert whose rows are passed as column arrays. `$1` is the environment. */
export function arrayInsert(
  table: string,
  columns: Columns,
  { bases = {}, onConflict = '' }: InsertTerms = {},
): string {
  const { from, values } = arraySource(columns, bases);
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  return `INSERT INTO "${table}" ("environmentId", ${names}) ${anchored(values.join(', '), from)} ${onConflict}`.trimEnd();
}

/** Returns the text of a bulk insert for a statement group. See `partParameters` for its parameters. */
export const partInsert = (model: ModelName, terms: InsertTerms = {}): string =>
  arrayInsert(model, statementsOf(model).columns, terms);

/** Returns the parameters for the statement of `partInsert`. Throws if a row lacks a column. */
export const partParameters = <M extends ModelName>(
  model: M,
  rows: readonly BulkRow<M>[],
): readonly unknown[] =>
  arrayParameters(statementsOf(model).columns, rows as readonly Readonly<Record<string, unknown>>[]);

/** Returns a bulk insert for a statement group. Throws if a row lacks a column. */
export const insertPart = <M extends ModelName>(model: M, rows: readonly BulkRow<M>[]): WritePart => ({
  text: partInsert(model),
  params: partParameters(model, rows),
});

/** Sends statements as a group, which the database runs in order. `last` is the function that sends the last statement. */
export async function writeTogether(
  sql: Query,
  parts: readonly WritePart[],
  last: Query = sql,
): Promise<void> {
  await together(
    parts.map(({ text, params }, index) => (index === parts.length - 1 ? last : sql)(text, params)),
  );
}

/** Returns a bulk insert that replaces rows with the same ID. Throws if a row lacks a column. */
export function upserting<M extends ModelName>(model: M, rows: readonly BulkRow<M>[]): BulkWrite {
  const { statements, params } = encodeRows(model, rows);
  return {
    run: async (sql) => {
      await sql(statements.upsert, params);
    },
  };
}

/** Returns a bulk update of rows by ID. Throws if a row lacks a column. The write throws if a row doesn't exist. */
export function updating<M extends ModelName>(model: M, rows: readonly BulkRow<M>[]): BulkWrite {
  const { statements, params } = encodeRows(model, rows);
  return {
    run: async (sql) => {
      const [result] = await sql<{ written: bigint }>(statements.update, params);
      if (result?.written !== BigInt(rows.length))
        throw new Error(`${rows.length} rows of ${model} were to be updated, ${result?.written ?? 0} were.`);
    },
  };
}

/** Inserts rows with one SQL statement. `sql` must bind the environment as `$1`. */
export async function insertRows<M extends ModelName>(
  sql: Query,
  model: M,
  rows: readonly BulkRow<M>[],
): Promise<void> {
  if (rows.length > 0) await inserting(model, rows).run(sql);
}

/** Updates rows by ID with one SQL statement. Throws if a row doesn't exist. */
export async function updateRows<M extends ModelName>(
  sql: Query,
  model: M,
  rows: readonly BulkRow<M>[],
): Promise<void> {
  if (rows.length > 0) await updating(model, rows).run(sql);
}

/** Inserts rows or replaces rows with the same ID, with one SQL statement. */
export async function upsertRows<M extends ModelName>(
  sql: Query,
  model: M,
  rows: readonly BulkRow<M>[],
): Promise<void> {
  if (rows.length > 0) await upserting(model, rows).run(sql);
}

/** Resolves after the driver has sent the pending messages. */
const sent = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

/**
 * Sends writes without waiting for their results, so that the database executes one write while the next is encoded. The writes keep their
 * order. Calls `onSent` after the last write was sent. If writes fail, throws the first error after all writes have ended.
 */
export async function writeInOrder(
  sql: Query,
  writes: readonly (() => BulkWrite)[],
  onSent: () => void = () => undefined,
): Promise<void> {
  const running: Promise<void>[] = [];
  for (const prepare of writes) {
    const write = Promise.try(() => prepare().run(sql));
    // Prevents an unhandled rejection. `together` throws the error below.
    write.catch(() => undefined);
    running.push(write);
    await sent();
  }
  onSent();
  await together(running);
}

const columnLists = new Map<string, string>();

/** Returns the quoted list of a model's columns, except the environment, with a table alias. */
export const columnList = (model: ModelName, alias: string): string =>
  columnLists.getOrInsertComputed(`${model} ${alias}`, () =>
    statementsOf(model)
      .columns.map(({ name }) => `${alias}."${name}"`)
      .join(', '),
  );
