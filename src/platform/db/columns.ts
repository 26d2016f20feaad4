import { LRUCache } from 'lru-cache';
import { modelFields } from './datamodel.ts';
import type { RowOf } from './pool.ts';

// Which columns of a model are read. A row that was read in part has a trap in the place of every other column, so that code that relies on
// one that was not asked for fails at once and does not go on with `undefined`.

/** What is read of a row: the columns of these names, or all. */
export type Columns = ReadonlySet<string> | 'all';

/** Columns that hold what either asks for. */
export const union = (a: Columns, b: Columns): Columns =>
  a === b ? a : a === 'all' || b === 'all' ? 'all' : a.union(b);

/** Whether a row read by `read` has what `wanted` asks for. */
export const covers = (read: Columns, wanted: Columns): boolean =>
  read === wanted || read === 'all' || (wanted !== 'all' && wanted.isSubsetOf(read));

/** The names of a model's columns, in the order of the Prisma schema. */
export const columnsByModel = new Map(
  [...modelFields].map(([model, fields]) => [
    model,
    fields.filter((field) => field.kind !== 'object').map((field) => field.name),
  ]),
);

/** How columns of a model are read: the list after SELECT from a table named `t`, and what makes a row of the values in that order. */
export type Selection = { readonly list: string; readonly rowOf: RowOf };

const trap = (model: string, name: string): PropertyDescriptor => ({
  get: () => {
    throw new Error(
      `The column ${name} of this ${model} was not read: the field that uses it does not name it in its columns.`,
    );
  },
});

/** A constructor of rows: plain objects of one shape, with traps for the columns they lack. */
function rowOf(model: string, names: readonly string[], missing: readonly string[]): RowOf {
  // Written out as one assignment per column: a loop over the names takes three times as long, and lists have many rows.
  const Row = new Function(
    'values',
    names.map((name, index) => `this.${name} = values[${index}];`).join('\n'),
  ) as unknown as {
    new (values: readonly unknown[]): object;
    prototype: object;
  };
  const traps = Object.fromEntries(missing.map((name) => [name, trap(model, name)]));
  Row.prototype = missing.length === 0 ? Object.prototype : Object.create(Object.prototype, traps);
  return (values) => new Row(values);
}

function makeSelection(model: string, columns: Columns): Selection {
  const all = columnsByModel.get(model) ?? [];
  const unknown = columns === 'all' ? [] : [...columns].filter((name) => !all.includes(name));
  if (unknown.length > 0) throw new Error(`${model} has no column ${unknown.join(', ')}.`);
  const wanted = all.filter((name) => columns === 'all' || columns.has(name));
  // A row has at least one column.
  const names = wanted.length > 0 ? wanted : all.slice(0, 1);
  const missing = all.filter((name) => !names.includes(name));
  return { list: names.map((name) => `t."${name}"`).join(', '), rowOf: rowOf(model, names, missing) };
}

// Callers choose what they read; those seldom chosen are made again.
const selections = new LRUCache<string, Selection>({ max: 1_000 });

/** How to read columns of a model. Throws for names the model does not have. */
export function selectionOf(model: string, columns: Columns): Selection {
  const key = `${model}:${columns === 'all' ? '*' : [...columns].sort().join()}`;
  const known = selections.get(key);
  if (known !== undefined) return known;
  const made = makeSelection(model, columns);
  selections.set(key, made);
  return made;
}
