import type { Prisma } from '../../generated/prisma/client.ts';
import { together } from '../together.ts';
import { type ArrayColumn, arrayParameters, arraySource, type Bases, isoInstant } from './column-arrays.ts';
import { modelFields, sqlTypeOf } from './datamodel.ts';
import type { Query } from './pool.ts';
import type { ModelName, Row } from './rows.ts';

// Bulk writes with one SQL statement. The rows are a single parameter, so the statement text and its query plan don't
// depend on the number of rows. In JSON, big integers are strings, and times are in ISO format.

/** Row to write, with all columns except the environment. A missing column would be written as null. */
export type BulkRow<M extends ModelName> = {
  readonly [K in Exclude<keyof Row<M>, 'environmentId'>]: Prisma.JsonValue extends Row<M>[K]
    ? unknown
    : Row<M>[K];
};

type Column = { readonly name: string; readonly sqlType: string };
type Statements = {
  readonly columns: readonly Column[];
  readonly insert: string;
  readonly ensure: string;
  readonly update: string;
  readonly upsert: string;
};

function columnsOf(model: ModelName): Column[] {
  const fields = modelFields.get(model) ?? [];
  return fields
    .filter((field) => field.kind !== 'object' && field.name !== 'environmentId')
    .map((field) => ({ name: field.name, sqlType: sqlTypeOf(model, field) }));
}

/**
 * Returns a SELECT that adds the environment to the rows of `source`. The environment comes from its counter row `a`, so that a distributed database
 * inserts all rows on one node.
 */
export const anchored = (values: string, source: string): string =>
  `SELECT a."environmentId", ${values} FROM "EnvironmentCounter" a CROSS JOIN ${source} WHERE a."environmentId" = $1`;

function statementsFor(model: ModelName): Statements {
  const columns = columnsOf(model);
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const values = columns.map(({ name }) => `r."${name}"`).join(', ');
  const source = `json_to_recordset($2::json) AS r(${columns.map(({ name, sqlType }) => `"${name}" ${sqlType}`).join(', ')})`;
  const rest = columns.filter(({ name }) => name !== 'id');
  const insert = `INSERT INTO "${model}" ("environmentId", ${names}) ${anchored(values, source)}`;
  const update = `WITH written AS (
      UPDATE "${model}" t SET ${rest.map(({ name }) => `"${name}" = r."${name}"`).join(', ')}
      FROM ${source} WHERE t."environmentId" = $1 AND t.id = r.id RETURNING 1)
    SELECT count(*) AS written FROM written`;
  const upsert = `${insert} ON CONFLICT ("environmentId", id) DO UPDATE SET ${rest.map(({ name }) => `"${name}" = EXCLUDED."${name}"`).join(', ')}`;
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

function encodeRow(
  model: ModelName,
  columns: readonly Column[],
  row: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const encoded: Record<string, unknown> = {};
  for (const { name } of columns) {
    const value = row[name];
    if (value === undefined) throw new Error(`A row of ${model} has no value for ${name}.`);
    if (typeof value === 'bigint') encoded[name] = value.toString();
    else encoded[name] = value instanceof Date ? isoInstant(value) : value;
  }
  return encoded;
}

export type BulkWrite = { readonly run: (sql: Query) => Promise<void> };

function encodeRows<M extends ModelName>(
  model: M,
  rows: readonly BulkRow<M>[],
): { statements: Statements; text: string } {
  const statements = statementsOf(model);
  return {
    statements,
    text: JSON.stringify(
      rows.map((row) => encodeRow(model, statements.columns, row as Readonly<Record<string, unknown>>)),
    ),
  };
}

/** Returns a bulk insert of rows. Throws if a row lacks a column. */
export function inserting<M extends ModelName>(model: M, rows: readonly BulkRow<M>[]): BulkWrite {
  const { statements, text } = encodeRows(model, rows);
  return {
    run: async (sql) => {
      await sql(statements.insert, [text]);
    },
  };
}

/** Returns a bulk insert that skips existing keys. Throws if a row lacks a column. */
export function ensuring<M extends ModelName>(model: M, rows: readonly BulkRow<M>[]): BulkWrite {
  const { statements, text } = encodeRows(model, rows);
  return {
    run: async (sql) => {
      await sql(statements.ensure, [text]);
    },
  };
}

/** Write statement in a group of statements that are sent together. `$1` is the environment; `params` start at `$2`. */
export type WritePart = { readonly text: string; readonly params: readonly unknown[] };

/** Bulk insert options: expressions to add to columns, which can use the counter row `a`, and the ON CONFLICT clause. */
export type InsertTerms = { readonly bases?: Bases; readonly onConflict?: string };

const partColumns = new Map<ModelName, readonly [ArrayColumn, ...ArrayColumn[]]>();

function partColumnsOf(model: ModelName): readonly [ArrayColumn, ...ArrayColumn[]] {
  const found = partColumns.get(model);
  if (found !== undefined) return found;
  const [first, ...rest] = statementsOf(model).columns;
  if (first === undefined) throw new Error(`${model} has no columns.`);
  const made = [first, ...rest] as const;
  partColumns.set(model, made);
  return made;
}

/** Returns the text of a bulk insert whose rows are passed as column arrays. `$1` is the environment. */
export function arrayInsert(
  table: string,
  columns: readonly [ArrayColumn, ...ArrayColumn[]],
  { bases = {}, onConflict = '' }: InsertTerms = {},
): string {
  const { from, values } = arraySource(columns, bases);
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  return `INSERT INTO "${table}" ("environmentId", ${names}) ${anchored(values, from)} ${onConflict}`.trimEnd();
}

/** Returns the text of a bulk insert for a statement group. See `partParameters` for its parameters. */
export const partInsert = (model: ModelName, terms: InsertTerms = {}): string =>
  arrayInsert(model, partColumnsOf(model), terms);

/** Returns the parameters for the statement of `partInsert`. Throws if a row lacks a column. */
export const partParameters = <M extends ModelName>(
  model: M,
  rows: readonly BulkRow<M>[],
): readonly unknown[] =>
  arrayParameters(partColumnsOf(model), rows as readonly Readonly<Record<string, unknown>>[]);

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
  const { statements, text } = encodeRows(model, rows);
  return {
    run: async (sql) => {
      await sql(statements.upsert, [text]);
    },
  };
}

/** Returns a bulk update of rows by ID. Throws if a row lacks a column. The write throws if a row doesn't exist. */
export function updating<M extends ModelName>(model: M, rows: readonly BulkRow<M>[]): BulkWrite {
  const { statements, text } = encodeRows(model, rows);
  return {
    run: async (sql) => {
      const [result] = await sql<{ written: bigint }>(statements.update, [text]);
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
