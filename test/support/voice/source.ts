import { parseSync } from 'vite';
import { readText } from './files.ts';

/** Node of a syntax tree in the ESTree format. */
export type Node = { readonly type: string; readonly start: number; readonly [member: string]: unknown };

type Comment = {
  readonly type: 'Line' | 'Block';
  readonly value: string;
  readonly start: number;
  readonly end: number;
};

/** Source file with its syntax tree and comments. */
export type Source = {
  readonly file: string;
  readonly code: string;
  readonly program: Node;
  readonly comments: readonly Comment[];
  /** Returns the number of the line that contains an offset. */
  readonly lineAt: (offset: number) => number;
};

const cache = new Map<string, Source>();

/** Parses a TypeScript file once per run. */
export function sourceOf(file: string): Source {
  const known = cache.get(file);
  if (known !== undefined) return known;
  const code = readText(file);
  const { program, comments } = parseSync(file, code);
  const breaks = [...code.matchAll(/\n/g)].map(({ index }) => index);
  const lineAt = (offset: number): number => {
    let [low, high] = [0, breaks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((breaks[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
  const source: Source = { file, code, program: program as unknown as Node, comments, lineAt };
  cache.set(file, source);
  return source;
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** Returns the direct children of a node. */
const childrenOf = (node: Node): Node[] =>
  Object.values(node).flatMap((member) => (Array.isArray(member) ? member : [member]).filter(isNode));

/** True for a node that exists only for the type checker. */
export const isType = ({ type }: Node): boolean =>
  type.startsWith('TS') && !/^TS(?:As|Satisfies|NonNull)/.test(type);

/**
 * Calls `visit` for a node and all its descendants. Skips the descendants of nodes for which `visit` returns
 * false.
 */
export function walk(
  node: Node,
  visit: (node: Node, parent: Node | null) => unknown,
  parent: Node | null = null,
): void {
  if (visit(node, parent) === false) return;
  for (const child of childrenOf(node)) walk(child, visit, node);
}

/** Returns a name for an expression inside a template, which is used as a placeholder. */
const nameOf = (node: Node): string => {
  if (node.type === 'Identifier') return String(node['name']);
  if (node.type === 'MemberExpression' && isNode(node['property'])) return nameOf(node['property']);
  if (node.type === 'CallExpression' && isNode(node['callee'])) return nameOf(node['callee']);
  return 'value';
};

/** Returns the text of a string literal or template, with placeholders for its expressions. `undefined` for other nodes. */
export function literalText(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : undefined;
  if (node.type !== 'TemplateLiteral') return undefined;
  const quasis = node['quasis'] as readonly { readonly value: { readonly cooked: string } }[];
  const expressions = node['expressions'] as readonly Node[];
  return quasis
    .map(({ value }, index) => {
      const expression = expressions[index];
      return value.cooked + (expression === undefined ? '' : `{${nameOf(expression)}}`);
    })
    .join('');
}
