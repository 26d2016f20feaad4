import type { Prisma } from '../../generated/prisma/client.ts';
import { together } from '../together.ts';
import { type ArrayColumn, arrayParameters, arraySource, type Bases, isoInstant } from './column-arrays.ts';
import { modelFields, sqlTypeOf } from './datamodel.ts';
import type { Query } from './pool.ts';
import type { ModelName, Row } from './rows.ts';

// Writing many rows by one statement whose only parameter beside the environment is a JSON text: the server plans it once, whatever the
// number of rows. Big integers travel as strings, instants in ISO form.

/** A whole row to write, without its environment: every column must be given, since an absent one would be stored as null. */
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
 * Rows to insert into an environment: the values selected from a source `r`, the environment before them. It comes from the environment's row of
 * counters `a`, which is as old as the environment, so that a distributed database sees where all rows go and inserts them there, in one task.
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

/** A bulk write that is encoded and ready to be sent. */
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

/** Encodes rows to insert. Throws when one lacks a column. */
export function inserting<M extends ModelName>(model: M, rows: readonly BulkRow<M>[]): BulkWrite {
  const { statements, text } = encodeRows(model, rows);
  return {
    run: async (sql) => {
      await sql(statements.insert, [text]);
    },
  };
}

/** Encodes rows to insert where none with the same key is stored. Throws when one lacks a column. */
export function ensuring<M extends ModelName>(model: M, rows: readonly BulkRow<M>[]): BulkWrite {
  const { statements, text } = encodeRows(model, rows);
  return {
    run: async (sql) => {
      await sql(statements.ensure, [text]);
    },
  };
}

/** A statement of several that are sent together: its text, and the values of its parameters from $2 on; $1 is the environment. */
export type WritePart = { readonly text: string; readonly params: readonly unknown[] };

/** How rows of a part are inserted: what is added to their columns, which may be a column of the row `a` of counters, and what follows the insertion. */
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

/** The insertion of rows from arrays of columns, the environment before them. */
export function arrayInsert(
  table: string,
  columns: readonly [ArrayColumn, ...ArrayColumn[]],
  { bases = {}, onConflict = '' }: InsertTerms = {},
): string {
  const { from, values } = arraySource(columns, bases);
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  return `INSERT INTO "${table}" ("environmentId", ${names}) ${anchored(values, from)} ${onConflict}`.trimEnd();
}

/** The insertion of rows of a model as the text of a part; its parameters are made by `partParameters`. */
export const partInsert = (model: ModelName, terms: InsertTerms = {}): string =>
  arrayInsert(model, partColumnsOf(model), terms);

/** The parameters of a part that inserts rows. Throws when one lacks a column. */
export const partParameters = <M extends ModelName>(
  model: M,
  rows: readonly BulkRow<M>[],
): readonly unknown[] =>
  arrayParameters(partColumnsOf(model), rows as readonly Readonly<Record<string, unknown>>[]);

/** The insertion of rows as a part. Throws when one lacks a column. */
export const insertPart = <M extends ModelName>(model: M, rows: readonly BulkRow<M>[]): WritePart => ({
  text: partInsert(model),
  params: partParameters(model, rows),
});

/** Runs the parts in their order, sent together; `last` sends the last one. */
export async function writeTogether(
  sql: Query,
  parts: readonly WritePart[],
  last: Query = sql,
): Promise<void> {
  await together(
    parts.map(({ text, params }, index) => (index === parts.length - 1 ? last : sql)(text, params)),
  );
}

/** Encodes rows to insert or, where one with the same id exists, to put in its place. Throws when one lacks a column. */
export function upserting<M extends ModelName>(model: M, rows: readonly BulkRow<M>[]): BulkWrite {
  const { statements, text } = encodeRows(model, rows);
  return {
    run: async (sql) => {
      await sql(statements.upsert, [text]);
    },
  };
}

/** Encodes rows whose columns replace those of the stored rows with the same ids. Throws when one lacks a column; running throws when one is not stored. */
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

/** Inserts rows by one statement; none without rows. `sql` is that of the context, whose $1 is the environment. */
export async function insertRows<M extends ModelName>(
  sql: Query,
  model: M,
  rows: readonly BulkRow<M>[],
): Promise<void> {
  if (rows.length > 0) await inserting(model, rows).run(sql);
}

/** Replaces the columns of stored rows by one statement; none without rows. Throws when one of them is not stored. */
export async function updateRows<M extends ModelName>(
  sql: Query,
  model: M,
  rows: readonly BulkRow<M>[],
): Promise<void> {
  if (rows.length > 0) await updating(model, rows).run(sql);
}

/** Inserts rows or puts them in the place of those with the same ids, by one statement; none without rows. */
export async function upsertRows<M extends ModelName>(
  sql: Query,
  model: M,
  rows: readonly BulkRow<M>[],
): Promise<void> {
  if (rows.length > 0) await upserting(model, rows).run(sql);
}

/** Lets what was asked for leave the process. */
const sent = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

/**
 * Sends one write after another without waiting for answers, so that the database works on some while others are made ready; they run in order. Calls `onSent`
 * once all are under way. The first failure is thrown once all are answered.
 */
export async function writeInOrder(
  sql: Query,
  writes: readonly (() => BulkWrite)[],
  onSent: () => void = () => undefined,
): Promise<void> {
  const running: Promise<void>[] = [];
  for (const prepare of writes) {
    const write = Promise.try(() => prepare().run(sql));
    // Its failure is met below; until then it must not count as unhandled.
    write.catch(() => undefined);
    running.push(write);
    await sent();
  }
  onSent();
  await together(running);
}

/** All columns of a model but the environment, quoted, under an alias: what whole rows are read by. */
export const columnList = (model: ModelName, alias: string): string =>
  statementsOf(model)
    .columns.map(({ name }) => `${alias}."${name}"`)
    .join(', ');
