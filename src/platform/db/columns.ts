import { LRUCache } from 'lru-cache';
import { modelFields } from './datamodel.ts';
import type { RowOf } from './pool.ts';

// Partial reads of rows. Columns that weren't read throw on access instead of returning `undefined`.

/** Columns to read: a set of names, or all columns. */
export type Columns = ReadonlySet<string> | 'all';

export const union = (a: Columns, b: Columns): Columns =>
  a === b ? a : a === 'all' || b === 'all' ? 'all' : a.union(b);

/** True if `read` includes all columns in `wanted`. */
export const covers = (read: Columns, wanted: Columns): boolean =>
  read === wanted || read === 'all' || (wanted !== 'all' && wanted.isSubsetOf(read));

/** Column names for each model, in Prisma schema order. */
export const columnsByModel = new Map(
  [...modelFields].map(([model, fields]) => [
    model,
    fields.filter((field) => field.kind !== 'object').map((field) => field.name),
  ]),
);

/** SELECT list for the table alias `t`, and the function that creates a row from the selected values. */
export type Selection = { readonly list: string; readonly rowOf: RowOf };

const trap = (model: string, name: string): PropertyDescriptor => ({
  get: () => {
    throw new Error(
      `The column ${name} of this ${model} was not read: the field that uses it does not name it in its columns.`,
    );
  },
});

/** Returns a function that creates rows. All rows have the same shape, and columns that weren't read throw on access. */
function rowOf(model: string, names: readonly string[], missing: readonly string[]): RowOf {
  // Code generation makes the constructor three times faster than a loop over the columns, which matters for long lists.
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
  // Selects the first column if no columns are wanted, because a SELECT list needs at least one column.
  const names = wanted.length > 0 ? wanted : all.slice(0, 1);
  const missing = all.filter((name) => !names.includes(name));
  return { list: names.map((name) => `t."${name}"`).join(', '), rowOf: rowOf(model, names, missing) };
}

// Limits the cache, because clients can choose any set of columns.
const selections = new LRUCache<string, Selection>({ max: 1_000 });

/** Returns the SELECT list and the row constructor for columns of a model. Throws for unknown columns. */
export function selectionOf(model: string, columns: Columns): Selection {
  const key = `${model}:${columns === 'all' ? '*' : [...columns].sort().join()}`;
  const known = selections.get(key);
  if (known !== undefined) return known;
  const made = makeSelection(model, columns);
  selections.set(key, made);
  return made;
}
