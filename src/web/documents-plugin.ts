import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  parse,
  print,
  stripIgnoredCharacters,
  visit,
} from 'graphql';
import type { Plugin } from 'vite';

const importLine = /^#\s*import\s+['"](.+)['"]\s*$/gm;

/** Returns the absolute paths of files that a document imports with `#import "./fragment.graphql"`. */
const importsOf = (file: string, text: string): string[] =>
  [...text.matchAll(importLine)].map(([, name = '']) => path.resolve(path.dirname(file), name));

/** Returns all definitions of a file and its imports. Each file is read once. */
export async function definitionsOf(
  file: string,
  seen = new Set<string>(),
): Promise<DocumentNode['definitions']> {
  if (seen.has(file)) return [];
  seen.add(file);
  const text = await readFile(file, 'utf8');
  const imported = await Promise.all(importsOf(file, text).map((each) => definitionsOf(each, seen)));
  return [...imported.flat(), ...parse(text, { noLocation: true }).definitions];
}

/** Returns the names of all fragments that a definition uses, including nested fragments. */
function spreadBy(
  node: DocumentNode['definitions'][number],
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  found = new Set<string>(),
): Set<string> {
  visit(node, {
    FragmentSpread({ name }) {
      const fragment = fragments.get(name.value);
      if (fragment === undefined) throw new Error(`The fragment ${name.value} is not imported.`);
      if (found.has(name.value)) return;
      found.add(name.value);
      spreadBy(fragment, fragments, found);
    },
  });
  return found;
}

export type Operation = {
  readonly name: string;
  readonly kind: string;
  /** Text of the operation and its fragments. Printed in a canonical form, so that the server recognizes it. */
  readonly text: string;
};

/**
 * Returns the operations of a file, with their fragments. Throws if a fragment is missing, an operation has no name, or two fragments share a name.
 */
export async function operationsOf(file: string): Promise<Operation[]> {
  const definitions = await definitionsOf(file);
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const each of definitions) {
    if (each.kind !== Kind.FRAGMENT_DEFINITION) continue;
    if (fragments.has(each.name.value)) throw new Error(`Two fragments are named ${each.name.value}.`);
    fragments.set(each.name.value, each);
  }
  const own = parse(await readFile(file, 'utf8'), { noLocation: true }).definitions;
  return own.flatMap((each) => {
    if (each.kind !== Kind.OPERATION_DEFINITION) return [];
    if (each.name === undefined) throw new Error(`An operation in ${file} has no name.`);
    const used = [...spreadBy(each, fragments)].sort().flatMap((name) => fragments.get(name) ?? []);
    const text = print({ kind: Kind.DOCUMENT, definitions: [each, ...used] });
    return [{ name: each.name.value, kind: each.operation, text }];
  });
}

/** Adds `__typename` to all object selections, because the normalized cache needs it. */
const withTypenames = (text: string): string =>
  print(
    visit(parse(text, { noLocation: true }), {
      SelectionSet(node, _key, parent) {
        const isRoot = parent !== undefined && 'kind' in parent && parent.kind === Kind.OPERATION_DEFINITION;
        const hasName = node.selections.some(
          (each) => each.kind === Kind.FIELD && each.name.value === '__typename',
        );
        if (isRoot || hasName) return undefined;
        const name = { kind: Kind.NAME, value: '__typename' } as const;
        return { ...node, selections: [...node.selections, { kind: Kind.FIELD, name } as const] };
      },
    }),
  );

/**
 * Returns the operations of a file as the browser sends them. Dashboard operations include type names for the normalized cache. Operations of hosted
 * pages are minified because each page loads them.
 */
export async function sentOperations(file: string): Promise<Operation[]> {
  const operations = await operationsOf(file);
  const sent = file.includes('/src/dashboard/') ? withTypenames : stripIgnoredCharacters;
  return operations.map((operation) => ({ ...operation, text: sent(operation.text) }));
}

/**
 * Vite plugin that converts `.graphql` files to modules with one exported `<Operation>Document` string per operation. Adds all documents to `texts`,
 * and lists them in a build's `documents.json`.
 */
export function documentsPlugin(texts = new Set<string>()): Plugin {
  return {
    name: 'graphql-documents',
    async load(id) {
      if (!id.endsWith('.graphql')) return null;
      const text = await readFile(id, 'utf8');
      for (const file of importsOf(id, text)) this.addWatchFile(file);
      const operations = await sentOperations(id);
      for (const { text } of operations) texts.add(text);
      const lines = operations.map(
        ({ name, text }) => `export const ${name}Document = ${JSON.stringify(text)};`,
      );
      return { code: lines.join('\n') || 'export {};', map: null };
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'documents.json', source: JSON.stringify([...texts].sort()) });
    },
  };
}
