// A JSON value as lines of a tree, for showing, searching and folding.

/** A line: a value, or the opening of an object or list. */
export type JsonLine = {
  /** The place of the value, as a path: `$.items[0].price`. */
  readonly path: string;
  readonly depth: number;
  /** The name in its object, or the place in its list. */
  readonly name: string | null;
  readonly kind: 'object' | 'list' | 'string' | 'number' | 'boolean' | 'null';
  /** A value as JSON; for objects and lists how many values they have. */
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

/** The lines of a value, without those inside of folded places. */
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

/** Whether a line contains what is searched, in its name or value. */
export const isHit = ({ name, text }: JsonLine, search: string): boolean =>
  search !== '' && `${name ?? ''} ${text}`.toLowerCase().includes(search.toLowerCase());
