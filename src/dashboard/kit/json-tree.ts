// Lines of a JSON tree that can be displayed, searched and folded.

/** Line of the tree: a single value, or the opening bracket of an object or list. */
export type JsonLine = {
  /** Path of the value, such as `$.items[0].price`. */
  readonly path: string;
  readonly depth: number;
  /** Key in the parent object, or index in the parent list. `null` for the whole value. */
  readonly name: string | null;
  readonly kind: 'object' | 'list' | 'string' | 'number' | 'boolean' | 'null';
  /** Value as JSON. For objects and lists, the number of their values. */
  readonly text: string;
  readonly size: number;
};

function kindOf(value: unknown): JsonLine['kind'] {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'object') return 'object';
  return typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'string';
}

const isPlainName = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name);

const pathTo = (path: string, name: string, isPlace: boolean): string =>
  isPlace ? `${path}[${name}]` : isPlainName(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;

/** Returns the lines of a value. Omits lines inside folded paths. */
export function jsonLines(value: unknown, isFolded: (path: string) => boolean = () => false): JsonLine[] {
  const lines: JsonLine[] = [];
  const visit = (inner: unknown, path: string, name: string | null, depth: number) => {
    const kind = kindOf(inner);
    const entries = kind === 'object' || kind === 'list' ? Object.entries(inner as object) : [];
    const text = kind === 'object' || kind === 'list' ? '' : JSON.stringify(inner ?? null);
    lines.push({ path, depth, name, kind, text, size: entries.length });
    if (isFolded(path)) return;
    for (const [key, child] of entries) visit(child, pathTo(path, key, kind === 'list'), key, depth + 1);
  };
  visit(value, '$', null, 0);
  return lines;
}

/** True if the name or value of a line contains the search text. */
export const isHit = ({ name, text }: JsonLine, search: string): boolean =>
  search !== '' && `${name ?? ''} ${text}`.toLowerCase().includes(search.toLowerCase());
