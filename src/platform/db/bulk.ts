import type { Prisma } from '../../generated/prisma/client.ts';
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

function statementsFor(model: ModelName): Statements {
  const columns = columnsOf(model);
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const values = columns.map(({ name }) => `r."${name}"`).join(', ');
  const source = `json_to_recordset($2::json) AS r(${columns.map(({ name, sqlType }) => `"${name}" ${sqlType}`).join(', ')})`;
  const rest = columns.filter(({ name }) => name !== 'id');
  const insert = `INSERT INTO "${model}" ("environmentId", ${names}) SELECT $1, ${values} FROM ${source}`;
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

/**
 * A statement as a part of one that does several things at once: its text, and the values of its parameters from $2 on. The others may name it
 * where it has a name.
 */
export type WritePart = {
  readonly text: string;
  readonly params: readonly unknown[];
  readonly name?: string;
  /** The column of its only row that is answered; the part must have a name. */
  readonly answer?: string;
};

/** How rows of a part are inserted: what is added to their columns, and what follows the insertion. */
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
  return `INSERT INTO "${table}" ("environmentId", ${names}) SELECT $1, ${values} FROM ${from} ${onConflict}`.trimEnd();
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

const together = new Map<string, string>();

/** The parts as one statement, the parameters of each after those of the ones before it. */
function joined(parts: readonly WritePart[]): string {
  const key = parts.map(({ text }) => text).join('\n');
  const known = together.get(key);
  if (known !== undefined) return known;
  let before = 0;
  const texts = parts.map(({ text, params, name }, index) => {
    const shift = before;
    before += params.length;
    const moved = text.replace(/\$(\d+)/g, (whole, number: string) =>
      number === '1' ? whole : `$${shift + Number(number)}`,
    );
    return `${name ?? `part${index}`} AS (${moved})`;
  });
  const answers = parts.flatMap(({ name, answer }) =>
    answer === undefined ? [] : [`(SELECT ${answer} FROM ${name})`],
  );
  const made = `WITH ${texts.join(', ')} SELECT ${answers.length === 0 ? '1' : answers.join(', ')}`;
  together.set(key, made);
  return made;
}

/**
 * Runs the parts as one statement, in no order among them but that in which they name each other; none without parts. Answers one row of the
 * columns parts answer. Foreign keys between them are checked when all is written.
 */
export async function writeTogether<Row>(sql: Query, parts: readonly WritePart[]): Promise<Row[]> {
  if (parts.length === 0) return [];
  return sql<Row>(
    joined(parts),
    parts.flatMap(({ params }) => params),
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

/** Makes the next write ready while the database works on the one before; they run in order. The first failure stops the rest and is thrown. */
export async function writeInOrder(sql: Query, writes: readonly (() => BulkWrite)[]): Promise<void> {
  let running: Promise<void> = Promise.resolve();
  for (const prepare of writes) {
    let next: BulkWrite;
    try {
      next = prepare();
    } finally {
      await running;
    }
    running = next.run(sql);
    // Its failure is met by the await above or below; until then it must not count as unhandled.
    running.catch(() => undefined);
  }
  await running;
}

/** All columns of a model but the environment, quoted, under an alias: what whole rows are read by. */
export const columnList = (model: ModelName, alias: string): string =>
  statementsOf(model)
    .columns.map(({ name }) => `${alias}."${name}"`)
    .join(', ');
