import { type Columns, selectionOf } from './columns.ts';
import { modelFields, sqlTypeOf } from './datamodel.ts';
import type { Query } from './pool.ts';
import { column, conditions, type Filter, type ModelName, type Row } from './rows.ts';

// Ordered lists of an environment's rows. Positions consist of the values of the sort keys, not of offsets. Statements don't contain
// values, so that the server can reuse their query plans. `$1` is always the environment.

/** Adds a parameter to an SQL statement and returns its placeholder. */
export type Bind = (value: unknown) => string;

/** Returns an SQL condition on the table alias `t`. The text of the condition doesn't depend on the values. */
export type Condition = (bind: Bind) => string;

/**
 * Sort key: a column, or an expression based on the column. The expression also applies to the values in positions. Values must not be
 * null.
 */
export type OrderKey = { readonly column: string; readonly expression?: (value: string) => string };

/** Sort order. All keys have the same direction, and the last key is unique. */
export type Order = { readonly keys: readonly OrderKey[]; readonly direction: 'asc' | 'desc' };

/** Position in a list: the values of the sort keys. */
export type Place = readonly unknown[];

/**
 * Model whose IDs a list filters by, although the index is on another column. `column` is the indexed column, which the model shares with
 * the listed rows.
 */
export type Owner = { readonly model: ModelName; readonly column: string };

/** Values that rows are filtered by: a column, or an SQL expression based on the column. */
export type RowValues = {
  readonly column: string;
  readonly expression?: ((value: string) => string) | undefined;
};

/** Ordered list of a model's rows. */
export type RowList = {
  readonly model: ModelName;
  readonly filter?: Filter;
  readonly conditions?: readonly Condition[];
  readonly order: Order;
  /**
   * Restricts the list to rows with one of these values. An index contains the rows of each value in order: an index on the column, or on the column
   * of `owner`. If `isKey` is true, each value has at most one row.
   */
  readonly among?: RowValues & {
    readonly values: readonly unknown[];
    readonly owner?: Owner | undefined;
    readonly isKey?: true | undefined;
  };
  /** Owner models by column, for lists that use an index on the owner's column. */
  readonly owners?: Readonly<Record<string, Owner>>;
};

/** Parents with one list each. `by` is the column that contains the parent's ID. */
export type Parents = { readonly by: string; readonly ids: readonly string[] };

/** Part of a list between two positions. If `isReversed` is true, the part is read from its end. */
export type Window = {
  readonly after: Place | null;
  readonly before: Place | null;
  readonly isReversed: boolean;
  readonly limit: number;
  readonly columns?: Columns;
};

/** Builder of an SQL statement and its parameters. */
export class Statement {
  readonly params: unknown[] = [];
  readonly bind: Bind = (value) => `$${this.params.push(value) + 1}`;

  /** Returns the SQL for the lists of all parents. `inner` selects the list of the parent `parent.id`. */
  forEach(parents: Parents | null, inner: () => string): string {
    if (parents === null) return `SELECT '' AS parent, page.* FROM (${inner()}) AS page`;
    const ids = this.bind(parents.ids);
    return `SELECT parent.id AS parent, page.* FROM unnest(${ids}::text[]) AS parent(id) CROSS JOIN LATERAL (${inner()}) AS page`;
  }

  /** Returns the WHERE conditions of a list, including the conditions in `more`. */
  where(list: RowList, by: string | null, more: readonly (Condition | null)[] = []): string {
    const { model, filter = {}, among } = list;
    const owner = by === null ? undefined : list.owners?.[by];
    const parent = [
      ...(by === null ? [] : [` AND t.${column(model, by)} = parent.id`]),
      ...(owner === undefined
        ? []
        : [` AND t.${column(model, owner.column)} = (${selectOwner(owner, '= parent.id')})`]),
    ].join('');
    const equal = conditions(model, filter, this.params.length + 2);
    this.params.push(...equal.params);
    const provided = [
      ...(list.conditions ?? []),
      among === undefined ? null : isAmong(model, among),
      among?.owner === undefined ? null : belongsToOwner(model, among.owner, among.values),
      ...more,
    ];
    const texts = provided.filter((condition) => condition !== null).map((condition) => condition(this.bind));
    return `t."environmentId" = $1${parent}${equal.text}${texts.map((text) => ` AND ${text}`).join('')}`;
  }
}

export function typeOf(model: ModelName, name: string): string {
  const field = modelFields.get(model)?.find((one) => one.name === name);
  if (field === undefined) throw new Error(`${model} has no column ${name}.`);
  return sqlTypeOf(model, field);
}

/** Returns the SQL expression for the values, and its SQL type. */
function valuesOf(model: ModelName, { column: name, expression }: RowValues, table: string) {
  const value = `${table}.${column(model, name)}`;
  return expression === undefined
    ? { value, type: typeOf(model, name) }
    : { value: `(${expression(value)})`, type: 'text' };
}

/** Returns the condition that a column or expression has one of the values. */
export const isAmong =
  (
    model: ModelName,
    { values, ...of }: RowValues & { readonly values: readonly unknown[] },
    table = 't',
  ): Condition =>
  (bind) => {
    const { value, type } = valuesOf(model, of, table);
    return `${value} = ANY(${bind(values)}::text[]::${type}[])`;
  };

/** Returns the condition that a text array column contains at least one of the values. */
export const overlaps =
  (model: ModelName, name: string, values: readonly string[]): Condition =>
  (bind) =>
    `t.${column(model, name)} && ${bind(values)}::text[]`;

/** Returns a SELECT that reads the shared column from owners whose ID meets the condition. */
const selectOwner = ({ model, column: name }: Owner, condition: string): string =>
  `SELECT o.${column(model, name)} FROM "${model}" o WHERE o."environmentId" = $1 AND o.id ${condition}`;

const belongsToOwner =
  (model: ModelName, owner: Owner, ids: readonly unknown[]): Condition =>
  (bind) =>
    `t.${column(model, owner.column)} = ANY(ARRAY(${selectOwner(owner, `= ANY(${bind(ids)}::text[])`)}))`;

/** Returns the condition that compares a column with a value. */
export const compares =
  (model: ModelName, name: string, operator: '>=' | '<' | '<=', value: unknown): Condition =>
  (bind) =>
    `t.${column(model, name)} ${operator} ${bind(value)}::${typeOf(model, name)}`;

const expressions = ({ model, order }: RowList): string[] =>
  order.keys.map(({ column: name, expression = String }) => expression(`t.${column(model, name)}`));

export const orderText = (list: RowList, isReversed: boolean): string => {
  const direction = (list.order.direction === 'desc') === isReversed ? 'ASC' : 'DESC';
  return expressions(list)
    .map((expression) => `${expression} ${direction}`)
    .join(', ');
};

/** Returns the condition for rows before or after a position. With `at`, the position is included. */
export const beyond = (
  list: RowList,
  place: Place | null,
  side: 'after' | 'before',
  at = '',
): Condition | null =>
  place === null
    ? null
    : (bind) => {
        const operator = (list.order.direction === 'desc') === (side === 'after') ? '<' : '>';
        const values = list.order.keys.map(({ column: name, expression = String }, index) =>
          expression(`${bind(place[index])}::${typeOf(list.model, name)}`),
        );
        return `(${expressions(list).join(', ')}) ${operator}${at} (${values.join(', ')})`;
      };

/** Returns the statement that reads the columns `names` in a part of a list. A reversed part is read from the end. */
export function windowStatement(
  list: RowList,
  { after, before, isReversed, limit }: Omit<Window, 'columns'>,
  names: string,
): { readonly text: string; readonly params: readonly unknown[] } {
  const statement = new Statement();
  const { bind, params } = statement;
  const ordered = ` ORDER BY ${orderText(list, isReversed)} LIMIT ${bind(limit)}`;
  const places = [beyond(list, after, 'after'), beyond(list, before, 'before')];
  const { among, ...unsplit } = list;
  if (among === undefined) {
    const where = statement.where(list, null, places);
    return { text: `SELECT ${names} FROM "${list.model}" t WHERE ${where}${ordered}`, params };
  }
  const { value, type } = valuesOf(list.model, among, 't');
  const values = `unnest(${bind(among.values)}::text[]::${type}[]) AS part(value)`;
  const isPart: Condition = () => `${value} = part.value`;
  const { owner, isKey } = among;
  if (isKey === true) {
    // The database looks up each row by key before it evaluates other conditions.
    const part = `SELECT t.* FROM "${list.model}" t WHERE t."environmentId" = $1 AND ${isPart(bind)} LIMIT 1`;
    const where = statement.where(unsplit, null, places);
    return {
      text: `SELECT ${names} FROM ${values} CROSS JOIN LATERAL (${part}) AS t WHERE ${where}${ordered}`,
      params,
    };
  }
  // Reads one page per value from the index, and then selects the first page from these rows. Reads no further rows.
  const isOwned: Condition | null =
    owner === undefined
      ? null
      : () => `t.${column(list.model, owner.column)} = (${selectOwner(owner, '= part.value')})`;
  const part = `SELECT t.* FROM "${list.model}" t WHERE ${statement.where(unsplit, null, [isPart, isOwned, ...places])}${ordered}`;
  return { text: `SELECT ${names} FROM ${values} CROSS JOIN LATERAL (${part}) AS t${ordered}`, params };
}

/** Returns the rows in a part of a list. A reversed part is read from the end. Executes one SQL statement. */
export function readWindow<M extends ModelName>(
  sql: Query,
  list: RowList & { readonly model: M },
  { columns = 'all', ...window }: Window,
): Promise<Row<M>[]> {
  const { list: names, rowOf } = selectionOf(list.model, columns);
  const { text, params } = windowStatement(list, window, names);
  return sql<Row<M>>(text, params, rowOf);
}

/** Returns the rows in the same part of each parent's list. Executes one SQL statement for all parents. */
export async function readWindowsBy<M extends ModelName>(
  sql: Query,
  list: RowList & { readonly model: M },
  parents: Parents,
  { after, before, isReversed, limit, columns = 'all' }: Window,
): Promise<Row<M>[]> {
  const { list: names, rowOf } = selectionOf(list.model, columns);
  const statement = new Statement();
  const ids = statement.bind(parents.ids);
  const most = statement.bind(limit);
  const where = statement.where(list, parents.by, [
    beyond(list, after, 'after'),
    beyond(list, before, 'before'),
  ]);
  return sql<Row<M>>(
    `SELECT page.* FROM unnest(${ids}::text[]) AS parent(id) CROSS JOIN LATERAL (
       SELECT ${names} FROM "${list.model}" t WHERE ${where}
       ORDER BY ${orderText(list, isReversed)} LIMIT ${most}) AS page`,
    statement.params,
    rowOf,
  );
}
