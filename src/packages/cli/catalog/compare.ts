import { createHash } from 'node:crypto';
import { type Fields, type Item, kinds, nameOf, shapes, sorted } from './document.ts';

// Difference between the catalog of an environment and a file.

/** Difference of one object. */
export type Change = Pick<Item, 'kind' | 'key'> &
  (
    | { readonly change: 'create'; readonly fields: Fields }
    | { readonly change: 'update'; readonly before: Fields; readonly fields: Fields }
    | { readonly change: 'remove' }
  );

/** Difference of two catalogs. `issues` contains a text for each change that isn't possible. */
export type Difference = { readonly changes: readonly Change[]; readonly issues: readonly string[] };

const textOf = (value: unknown): string => JSON.stringify(sorted(value)) ?? '';

/** Returns the fields whose values differ. A field that the file omits keeps its value. Members of an object can also be omitted. */
function changedFields(current: Fields, wanted: Fields): string[] {
  const isPart = (before: unknown, after: unknown): boolean =>
    typeof before === 'object' && before !== null && typeof after === 'object' && after !== null;
  return Object.keys(wanted).filter((name) => {
    const [before, after] = [current[name], wanted[name]];
    if (name === 'overage' && isPart(before, after))
      return Object.entries(after as Fields).some(([key, value]) => (before as Fields)[key] !== value);
    return textOf(before ?? null) !== textOf(after ?? null);
  });
}

const only = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));

/** Returns the fields of a new object, which has no values to remove. */
const withoutRemoved = (kind: Item['kind'], fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => value !== null || !shapes[kind].removable.includes(name),
    ),
  );

/** Returns the issues of a reference to objects that neither the file nor the environment contains. */
function missingReferences({ kind, key, fields }: Item, known: ReadonlySet<string>): string[] {
  const [outer = '', inner = ''] = key.split('/');
  const references: Readonly<Partial<Record<Item['kind'], readonly string[]>>> = {
    plan_feature: [`plan ${outer}`, `feature ${inner}`],
    price: [`plan ${outer}`],
    addon: [`feature ${key}`],
    plan_order: ((fields['plans'] ?? []) as readonly string[]).map((code) => `plan ${code}`),
  };
  return (references[kind] ?? [])
    .filter((name) => !known.has(name))
    .map((name) => `${nameOf({ kind, key })} refers to ${name}, which doesn't exist.`);
}

/** Compares the catalog of an environment with the wanted catalog. Objects that the file omits are removed only if `prunes` is true. */
export function compare(
  current: readonly Item[],
  wanted: readonly Item[],
  { prunes }: { readonly prunes: boolean },
): Difference {
  const stored = new Map(current.map((item) => [nameOf(item), item]));
  const wantedNames = new Set(wanted.map(nameOf));
  const known = new Set([...stored.keys(), ...wantedNames]);
  const issues = wanted.flatMap((item) => missingReferences(item, known));
  const changes: Change[] = [];
  for (const item of wanted.toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind))) {
    const { kind, key, fields } = item;
    const before = stored.get(nameOf(item));
    const { required, fixed } = shapes[kind];
    if (before === undefined) {
      const missing = required.filter((name) => fields[name] === undefined);
      if (missing.length > 0) issues.push(`${nameOf(item)} is new and requires ${missing.join(', ')}.`);
      else changes.push({ change: 'create', kind, key, fields: withoutRemoved(kind, fields) });
      continue;
    }
    const changed = changedFields(before.fields, fields);
    for (const name of changed.filter((field) => fixed.includes(field)))
      issues.push(
        `${nameOf(item)}: ${name} can't be changed from ${textOf(before.fields[name] ?? null)} to ${textOf(fields[name])}.`,
      );
    if (changed.length > 0)
      changes.push({
        change: 'update',
        kind,
        key,
        before: only(before.fields, changed),
        fields: only(fields, changed),
      });
  }
  if (!prunes) return { changes, issues };
  // Objects inside a removed plan are removed with the plan. The order of a group isn't an object.
  const removed = current.filter((item) => item.kind !== 'plan_order' && !wantedNames.has(nameOf(item)));
  const removedPlans = new Set(removed.filter(({ kind }) => kind === 'plan').map(({ key }) => key));
  const isInside = ({ kind, key }: Item): boolean =>
    (kind === 'price' || kind === 'plan_feature') && removedPlans.has(key.split('/')[0] ?? '');
  for (const { kind, key } of removed
    .filter((item) => !isInside(item))
    .toSorted((a, b) => kinds.indexOf(b.kind) - kinds.indexOf(a.kind)))
    changes.push({ change: 'remove', kind, key });
  return { changes, issues };
}

/** Returns the hash of changes to an environment. The hash of a difference that was shown allows its changes. */
export const hashOf = (environment: string, changes: readonly Change[]): string =>
  createHash('sha256').update(textOf({ environment, changes })).digest('hex').slice(0, 16);
