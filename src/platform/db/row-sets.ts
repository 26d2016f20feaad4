import { modelFields } from './datamodel.ts';
import type { Query } from './pool.ts';
import type { ModelName, Row } from './rows.ts';

// Reads rows from several models with one SQL statement, instead of many statements that depend on each other. Rows are
// sent as JSON arrays, with big integers as strings.

/** Model for each row set, by name. */
export type Models = { readonly [name: string]: ModelName };

/** Rows of each set by name, without the environment column. */
export type RowSets<M extends Models> = {
  readonly [Name in keyof M]: readonly (Omit<Row<M[Name]>, 'environmentId'> & Stamped)[];
};

/** Version of a row. By default, the ID of the transaction that wrote the row. */
export type Stamped = { readonly stamp: string };

type Column = { readonly name: string; readonly read: ((value: unknown) => unknown) | null };

const asBigint = (value: unknown): bigint => BigInt(String(value));
const asDate = (value: unknown): Date => new Date(String(value));

function columnsOf(model: ModelName): Column[] {
  const fields = (modelFields.get(model) ?? []).filter(
    ({ kind, name }) => kind !== 'object' && name !== 'environmentId',
  );
  return fields.map(({ name, type }) => ({
    name,
    read: type === 'BigInt' ? asBigint : type === 'DateTime' ? asDate : null,
  }));
}

const encoded = ({ name, read }: Column): string => (read === asBigint ? `t."${name}"::text` : `t."${name}"`);

function decode(columns: readonly Column[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = { stamp: values[columns.length] };
  for (const [index, { name, read }] of columns.entries()) {
    const value = values[index] ?? null;
    row[name] = value === null || read === null ? value : read(value);
  }
  return row;
}

/**
 * Reads several row sets with one SQL statement. `common` contains common table expressions without `WITH`. Each set is
 * the SQL after `FROM`, in which the alias `t` has the model's columns and `stamp`. All sets share the parameters; `$1`
 * is the environment.
 */
export function rowSets<M extends Models>(
  models: M,
  common: string,
  parts: { readonly [Name in keyof M]: string },
): (sql: Query, params: readonly unknown[]) => Promise<RowSets<M>> {
  const names = Object.keys(models) as (keyof M & string)[];
  const columns = names.map((name) => columnsOf(models[name] as ModelName));
  const selects = names.map(
    (name, index) =>
      `SELECT ${index} AS part, json_build_array(${(columns[index] ?? []).map(encoded).join(', ')}, t.stamp::text) AS row FROM ${parts[name]}`,
  );
  const text = `WITH ${common} ${selects.map((select) => `(${select})`).join(' UNION ALL ')}`;
  return async (sql, params) => {
    const sets: Record<string, Record<string, unknown>[]> = {};
    for (const name of names) sets[name] = [];
    for (const { part, row } of await sql<{ part: number; row: unknown[] }>(text, params))
      sets[names[part] ?? '']?.push(decode(columns[part] ?? [], row));
    // The cast is safe because each row was decoded with the columns of its model above.
    return sets as unknown as RowSets<M>;
  };
}
