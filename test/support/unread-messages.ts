import { type MessageFolder, readMessages, sourceLanguage } from '../../src/messages/catalogs.ts';
import type { MessageTree } from '../../src/messages/compile.ts';
import { filesBelow } from './voice/files.ts';
import { isNode, type Node, type Source, sourceOf, walk } from './voice/source.ts';

// Finds messages that no code reads. A message counts as read if the code reads a property with its key, or reads its whole group. A group
// is read with a computed key such as `words.statuses[status]`, or as an argument. Keys are compared by name, so `title` counts as read if
// any area has a title that is read.

/** Folders with the code that reads the messages of a catalog. */
const readers = {
  dashboard: ['src/dashboard', 'src/ui'],
  pages: ['src/pages', 'src/ui', 'src/web'],
} as const satisfies Partial<Record<MessageFolder, readonly string[]>>;

export type ReadFolder = keyof typeof readers;

export const readFolders = Object.keys(readers) as ReadFolder[];

/** Returns the key paths of all messages, such as `['kit', 'selected']`. */
const pathsOf = (tree: MessageTree, path: readonly string[] = []): (readonly string[])[] =>
  Object.entries(tree).flatMap(([key, message]) =>
    typeof message === 'string' ? [[...path, key]] : pathsOf(message, [...path, key]),
  );

const textOf = (node: unknown): string | null => {
  if (!isNode(node)) return null;
  const text = node.type === 'Identifier' ? node['name'] : node['value'];
  return typeof text === 'string' ? text : null;
};

/** Returns the key of a property access. `null` if the key is computed. */
const keyOf = (node: Node): string | null =>
  node.type === 'MemberExpression' &&
  (node['computed'] !== true || (node['property'] as Node).type === 'Literal')
    ? textOf(node['property'])
    : null;

const propertiesOf = (pattern: Node): readonly Node[] => pattern['properties'] as readonly Node[];

/** Returns the variables in a file whose value is a group of messages, by name. */
function groupVariables({ program }: Source, groups: ReadonlySet<string>): ReadonlyMap<string, string> {
  const variables = new Map<string, string>();
  walk(program, (node) => {
    if (node.type === 'VariableDeclarator' && isNode(node['init'])) {
      const [name, group] = [textOf(node['id']), keyOf(node['init'])];
      if (name !== null && group !== null && groups.has(group)) variables.set(name, group);
    }
    if (node.type === 'ObjectPattern')
      for (const property of propertiesOf(node)) {
        const [name, group] = [textOf(property['value']), textOf(property['key'])];
        if (name !== null && group !== null && groups.has(group)) variables.set(name, group);
      }
    return true;
  });
  return variables;
}

/** True if a node is only assigned to a variable, or if only a single message is accessed on it. */
const readsNoGroup = (node: Node, parent: Node | null): boolean =>
  parent?.type === 'VariableDeclarator' ||
  (parent?.type === 'MemberExpression' &&
    (parent['property'] === node ? parent['computed'] !== true : keyOf(parent) !== null));

/** Returns the names that a file reads: keys of single messages, and groups that the file reads as a whole. */
function namesIn(source: Source, groups: ReadonlySet<string>): { keys: Set<string>; whole: Set<string> } {
  const [keys, whole] = [new Set<string>(), new Set<string>()];
  const variables = groupVariables(source, groups);
  walk(source.program, (node, parent) => {
    if (node.type.startsWith('Import')) return false;
    const key = node.type === 'Literal' ? textOf(node) : keyOf(node);
    if (key !== null) keys.add(key);
    if (node.type === 'ObjectPattern')
      for (const property of propertiesOf(node)) keys.add(textOf(property['key']) ?? '');
    const group = node.type === 'Identifier' ? variables.get(String(node['name'])) : keyOf(node);
    if (group !== undefined && group !== null && groups.has(group) && !readsNoGroup(node, parent))
      whole.add(group);
    return true;
  });
  return { keys, whole };
}

/** Returns the paths of messages in a folder that no code reads, such as `kit.selected`. */
export async function unreadMessages(folder: ReadFolder): Promise<string[]> {
  const paths = pathsOf(await readMessages(folder, sourceLanguage));
  const groups = new Set(paths.flatMap((path) => path.slice(1, -1)));
  const [keys, whole] = [new Set<string>(), new Set<string>()];
  for (const file of readers[folder].flatMap((root) => filesBelow(root, /\.tsx?$/))) {
    const names = namesIn(sourceOf(file), groups);
    for (const name of names.keys) keys.add(name);
    for (const name of names.whole) whole.add(name);
  }
  return paths
    .filter((path) => !keys.has(path.at(-1) ?? '') && !path.slice(1, -1).some((group) => whole.has(group)))
    .map((path) => path.join('.'));
}
