import { modelFields } from './datamodel.ts';
import type { Query } from './pool.ts';
import type { ModelName, Row } from './rows.ts';

// Rows of several models by one statement: each row travels as a JSON array of its columns, big integers in it as texts. What would be a
// dozen statements one after another, each made from what the one before found, is one whose parts name each other.

/** The model of each part, by name. */
export type Models = { readonly [name: string]: ModelName };

/** The rows of each part, without their environment. */
export type RowSets<M extends Models> = {
  readonly [Name in keyof M]: readonly (Omit<Row<M[Name]>, 'environmentId'> & Stamped)[];
};

/** What names the version of a row: the transaction that wrote it, unless the part says otherwise. */
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
 * A statement that reads several parts. `common` are its common table expressions, `WITH` left out; each part is what follows `FROM`, with the
 * model's rows and their `stamp` under the alias `t`. The parameters are those of all parts together, $1 the environment; a part without rows is empty.
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
    const sets = names.map((): Record<string, unknown>[] => []);
    for (const { part, row } of await sql<{ part: number; row: unknown[] }>(text, params)) {
      sets[part]?.push(decode(columns[part] ?? [], row));
    }
    // Decoded above as the models say.
    return Object.fromEntries(names.map((name, index) => [name, sets[index]])) as unknown as RowSets<M>;
  };
}
