import { type Columns, selectionOf } from './columns.ts';
import { modelFields, sqlTypeOf } from './datamodel.ts';
import type { Query } from './pool.ts';
import { column, conditions, type Filter, type ModelName, type Row } from './rows.ts';

// Lists of rows of the environment: which rows, in which order, and statements about them. Places in a list are found by the values of its order,
// never by an offset. The text of a statement depends on the list and on what is asked, not on values, so that the server plans it once per
// connection. Every statement has the environment as $1.

/** Makes a parameter of a value and answers its name in the statement. */
export type Bind = (value: unknown) => string;

/** A condition on rows of the table `t`. Its text is the same for all values. */
export type Condition = (bind: Bind) => string;

/** A value rows are sorted by: a column, or what `expression` makes of it. The same is made of the values a place has. Never null. */
export type OrderKey = { readonly column: string; readonly expression?: (value: string) => string };

/** The order of a list: all keys ascend or all descend, and the last one tells rows apart. */
export type Order = { readonly keys: readonly OrderKey[]; readonly direction: 'asc' | 'desc' };

/** The values a row has in the columns of an order. */
export type Place = readonly unknown[];

/** Rows of another model whose ids the values of a list are: `column` has the same value in them and in the rows of the list. */
export type Owner = { readonly model: ModelName; readonly column: string };

/** What rows have values of: a column, or the text that `expression` makes of it. */
export type RowValues = {
  readonly column: string;
  readonly expression?: ((value: string) => string) | undefined;
};

/** Rows of a model in an order. */
export type RowList = {
  readonly model: ModelName;
  readonly filter?: Filter;
  readonly conditions?: readonly Condition[];
  readonly order: Order;
  /**
   * Only rows with one of these values, each of which has its rows in order in an index: its own, or that of the `owner`'s column. A value of a
   * key has one row.
   */
  readonly among?: RowValues & {
    readonly values: readonly unknown[];
    readonly owner?: Owner | undefined;
    readonly isKey?: true | undefined;
  };
  /** The owners of columns whose rows are found in order by the owner's column. */
  readonly owners?: Readonly<Record<string, Owner>>;
};

/** The parents whose rows make a list each: values of a column. */
export type Parents = { readonly by: string; readonly ids: readonly string[] };

/** A part of a list: what lies between two places, from its beginning or, reversed, from its end. */
export type Window = {
  readonly after: Place | null;
  readonly before: Place | null;
  readonly isReversed: boolean;
  readonly limit: number;
  readonly columns?: Columns;
};

/** A statement in the making. */
export class Statement {
  readonly params: unknown[] = [];
  readonly bind: Bind = (value) => `$${this.params.push(value) + 1}`;

  /** The same for the list of every parent, `inner` being about the one whose id is `parent.id`. */
  forEach(parents: Parents | null, inner: () => string): string {
    if (parents === null) return `SELECT '' AS parent, page.* FROM (${inner()}) AS page`;
    const ids = this.bind(parents.ids);
    return `SELECT parent.id AS parent, page.* FROM unnest(${ids}::text[]) AS parent(id) CROSS JOIN LATERAL (${inner()}) AS page`;
  }

  /** The conditions of a list on `t`, those of `more` included. */
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

/** The SQL type of a column of the model. */
export function typeOf(model: ModelName, name: string): string {
  const field = modelFields.get(model)?.find((one) => one.name === name);
  if (field === undefined) throw new Error(`${model} has no column ${name}.`);
  return sqlTypeOf(model, field);
}

/** The values of rows of a table, and their SQL type. */
function valuesOf(model: ModelName, { column: name, expression }: RowValues, table: string) {
  const value = `${table}.${column(model, name)}`;
  return expression === undefined
    ? { value, type: typeOf(model, name) }
    : { value: `(${expression(value)})`, type: 'text' };
}

/** The condition that a column, or what an expression makes of it, has one of some values. */
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

/** The condition that a column of texts has one of some values. */
export const overlaps =
  (model: ModelName, name: string, values: readonly string[]): Condition =>
  (bind) =>
    `t.${column(model, name)} && ${bind(values)}::text[]`;

/** What selects the column of the owner with the id, or one of the ids, that `condition` names. */
const selectOwner = ({ model, column: name }: Owner, condition: string): string =>
  `SELECT o.${column(model, name)} FROM "${model}" o WHERE o."environmentId" = $1 AND o.id ${condition}`;

const belongsToOwner =
  (model: ModelName, owner: Owner, ids: readonly unknown[]): Condition =>
  (bind) =>
    `t.${column(model, owner.column)} = ANY(ARRAY(${selectOwner(owner, `= ANY(${bind(ids)}::text[])`)}))`;

/** The condition that a column is at least, or below, a value. */
export const compares =
  (model: ModelName, name: string, operator: '>=' | '<' | '<=', value: unknown): Condition =>
  (bind) =>
    `t.${column(model, name)} ${operator} ${bind(value)}::${typeOf(model, name)}`;

const expressions = ({ model, order }: RowList): string[] =>
  order.keys.map(({ column: name, expression = String }) => expression(`t.${column(model, name)}`));

/** What follows ORDER BY. */
export const orderText = (list: RowList, isReversed: boolean): string => {
  const direction = (list.order.direction === 'desc') === isReversed ? 'ASC' : 'DESC';
  return expressions(list)
    .map((expression) => `${expression} ${direction}`)
    .join(', ');
};

/** The condition that rows lie after or before a place, or `at` it. */
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

/** The statement that reads `names` of the rows of a window, in the order they are read: from its end where it is reversed. */
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
    // Each row is looked up before anything else is asked of it.
    const part = `SELECT t.* FROM "${list.model}" t WHERE t."environmentId" = $1 AND ${isPart(bind)} LIMIT 1`;
    const where = statement.where(unsplit, null, places);
    return {
      text: `SELECT ${names} FROM ${values} CROSS JOIN LATERAL (${part}) AS t WHERE ${where}${ordered}`,
      params,
    };
  }
  // The first rows of each value, found in their order, and of these the first of all: never more than a page per value is looked at.
  const isOwned: Condition | null =
    owner === undefined
      ? null
      : () => `t.${column(list.model, owner.column)} = (${selectOwner(owner, '= part.value')})`;
  const part = `SELECT t.* FROM "${list.model}" t WHERE ${statement.where(unsplit, null, [isPart, isOwned, ...places])}${ordered}`;
  return { text: `SELECT ${names} FROM ${values} CROSS JOIN LATERAL (${part}) AS t${ordered}`, params };
}

/** The rows of a window in the order they are read: from its end where it is reversed. One statement. */
export function readWindow<M extends ModelName>(
  sql: Query,
  list: RowList & { readonly model: M },
  { columns = 'all', ...window }: Window,
): Promise<Row<M>[]> {
  const { list: names, rowOf } = selectionOf(list.model, columns);
  const { text, params } = windowStatement(list, window, names);
  return sql<Row<M>>(text, params, rowOf);
}

/** The rows of a window of the list of every parent. One statement for all. */
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
