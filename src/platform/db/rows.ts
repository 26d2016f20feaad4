import type { Prisma, PrismaClient } from '../../generated/prisma/client.ts';
import { type Columns, columnsByModel, selectionOf } from './columns.ts';
import type { Query } from './pool.ts';

// Reads rows with the driver, which is about twice as fast as Prisma for lists. Statements don't contain values, so that the server can
// reuse their query plans. `$1` is always the environment.

/** Name of a Prisma model. */
export type ModelName = Prisma.ModelName;

/** Row with the same types as in Prisma. Columns that weren't read throw on access. */
export type Row<M extends ModelName> = Prisma.Result<
  PrismaClient[Uncapitalize<M>],
  object,
  'findFirstOrThrow'
>;

/** Lock on a row: `SHARE` to add a reference to the row, and `UPDATE` to change or delete the row. */
export type LockMode = 'SHARE' | 'UPDATE';

/** Filter value that matches everything except null. */
export const present = { isPresent: true } as const;

/** Equality filters by column. `null` matches null, `present` matches every other value, and undefined disables the filter. */
export type Filter = Readonly<
  Record<string, string | number | boolean | bigint | Date | typeof present | null | undefined>
>;

/** Position in a list that is sorted by creation time, newest first. */
export type Position = { readonly createdAt: Date; readonly seq: bigint };

/** Returns the quoted name of a column. Throws for unknown columns, which prevents SQL injection. */
export function column(model: ModelName, name: string): string {
  if (columnsByModel.get(model)?.includes(name) !== true) throw new Error(`${model} has no column ${name}.`);
  return `"${name}"`;
}

type Conditions = { readonly text: string; readonly params: unknown[] };

/** Returns SQL conditions for the filters. Parameters are numbered from `firstParam`. */
export function conditions(model: ModelName, filter: Filter, firstParam: number): Conditions {
  const parts: string[] = [];
  const params: unknown[] = [];
  for (const [name, value] of Object.entries(filter)) {
    if (value === undefined) continue;
    if (value === present) parts.push(`t.${column(model, name)} IS NOT NULL`);
    else if (value === null) parts.push(`t.${column(model, name)} IS NULL`);
    else parts.push(`t.${column(model, name)} = $${firstParam + params.push(value) - 1}`);
  }
  return { text: parts.map((part) => ` AND ${part}`).join(''), params };
}

/**
 * Returns the rows whose column has one of the values and that match the filter. Sorted in ascending order if a column
 * is given. Executes one SQL statement.
 */
export async function readBy<M extends ModelName>(
  sql: Query,
  model: M,
  by: string,
  values: readonly string[],
  request: { filter?: Filter; orderBy?: string; columns?: Columns } = {},
): Promise<Row<M>[]> {
  const { list, rowOf } = selectionOf(model, request.columns ?? 'all');
  const where = conditions(model, request.filter ?? {}, 3);
  const order = request.orderBy === undefined ? '' : ` ORDER BY t.${column(model, request.orderBy)}`;
  return sql<Row<M>>(
    `SELECT ${list} FROM "${model}" t WHERE t."environmentId" = $1 AND t.${column(model, by)} = ANY($2)${where.text}${order}`,
    [values, ...where.params],
    rowOf,
  );
}

/**
 * Returns the rows that match all conditions of `every` and all conditions of at least one filter in `some`. With `lock`, the rows are locked
 * until the transaction ends. Executes one SQL statement.
 */
export async function readMatching<M extends ModelName>(
  sql: Query,
  model: M,
  every: Filter,
  some: readonly Filter[],
  lock?: LockMode,
): Promise<Row<M>[]> {
  const { list, rowOf } = selectionOf(model, 'all');
  const { text, params } = conditions(model, every, 2);
  const alternatives = some.map((filter) => {
    const alternative = conditions(model, filter, 2 + params.length);
    params.push(...alternative.params);
    return `TRUE${alternative.text}`;
  });
  return sql<Row<M>>(
    `SELECT ${list} FROM "${model}" t WHERE t."environmentId" = $1${text} AND (${alternatives.join(' OR ')})${lock === undefined ? '' : ` FOR ${lock}`}`,
    params,
    rowOf,
  );
}

/** Returns a row that matches the filter. `null` if no row matches. Executes one SQL statement. */
export const readOne = async <M extends ModelName>(
  sql: Query,
  model: M,
  filter: Filter,
): Promise<Row<M> | null> => (await readMatching(sql, model, {}, [filter]))[0] ?? null;
