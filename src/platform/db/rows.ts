import type { Prisma, PrismaClient } from '../../generated/prisma/client.ts';
import { type Columns, columnsByModel, selectionOf } from './columns.ts';
import type { Query } from './pool.ts';

// Reading rows, whole or in part, through the driver, whose lists are about twice as fast as Prisma's. Every statement has the
// environment as $1, and its text depends on the model, the names of the filters and the columns, so that the server plans it once per connection.

/** Name of a model, as the Prisma schema spells it. */
export type ModelName = Prisma.ModelName;

/** A row as Prisma would answer it: every column, dates as Date, big numbers as bigint, JSON parsed. Columns that were not read throw. */
export type Row<M extends ModelName> = Prisma.Result<
  PrismaClient[Uncapitalize<M>],
  object,
  'findFirstOrThrow'
>;

/** Equality filters by column: null means the column is null, undefined means no filter. */
export type Filter = Readonly<Record<string, string | number | boolean | bigint | Date | null | undefined>>;

/** The place of a row in most lists, which are in descending order of both. */
export type Position = { readonly createdAt: Date; readonly seq: bigint };

/** A column of the model, quoted. Throws for a name the model does not have, so that no caller's text can reach a statement. */
export function column(model: ModelName, name: string): string {
  if (columnsByModel.get(model)?.includes(name) !== true) throw new Error(`${model} has no column ${name}.`);
  return `"${name}"`;
}

type Conditions = { readonly text: string; readonly params: unknown[] };

/** The filters as conditions on `t`, their parameters numbered from `firstParam` on. */
export function conditions(model: ModelName, filter: Filter, firstParam: number): Conditions {
  const parts: string[] = [];
  const params: unknown[] = [];
  for (const [name, value] of Object.entries(filter)) {
    if (value === undefined) continue;
    if (value === null) parts.push(`t.${column(model, name)} IS NULL`);
    else parts.push(`t.${column(model, name)} = $${firstParam + params.push(value) - 1}`);
  }
  return { text: parts.map((part) => ` AND ${part}`).join(''), params };
}

/** The rows whose column has one of the values and that pass the filter, in no particular order by default by an ascending column. One statement. */
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
