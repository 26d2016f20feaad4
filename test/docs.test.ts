import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

// Checks that files, folders and pages named in documents exist.

const root = path.resolve(import.meta.dirname, '..');
const trees = ['bench', 'docs', 'examples', 'prisma', 'src', 'test'];

const files = [
  ...readdirSync(root, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : [])),
  ...trees.flatMap((tree) =>
    readdirSync(path.join(root, tree), { recursive: true, encoding: 'utf8' }).map((file) =>
      path.join(tree, file),
    ),
  ),
].filter((file) => !/(?:^|\/)node_modules\//.test(file));

const baseNames = new Set(files.map((file) => path.basename(file)));
const layers = readdirSync(path.join(root, 'src'), { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);

const documents = files.filter((file) => file.endsWith('.md'));

const read = (document: string): string => readFileSync(path.join(root, document), 'utf8');

/** True if a command creates the path, so the path isn't part of the repository. */
const isMade = (name: string): boolean => /^(?:bench\/results|src\/generated)\//.test(name);

/** Returns the file and folder names that a document contains in backticks. Skips names with placeholders. */
const namedIn = (document: string): readonly string[] =>
  [...read(document).matchAll(/`([\w.@-]+(?:\/[\w.@-]*)*)`/g)].map(([, name = '']) => name);

/** True if a name is a path relative to the root or to `src`. */
function isPath(name: string): boolean {
  const [first = '', second = ''] = name.split('/');
  return (trees.includes(first) || layers.includes(first)) && second !== '' && !isMade(name);
}

const isThere = (document: string, name: string): boolean =>
  [root, path.join(root, 'src'), path.join(root, path.dirname(document))].some((folder) =>
    existsSync(path.join(folder, name)),
  );

const missing = (isWrong: (document: string, name: string) => boolean): readonly string[] =>
  documents.flatMap((document) =>
    namedIn(document)
      .filter((name) => isWrong(document, name))
      .map((name) => `${document}: ${name}`),
  );

describe('a document', () => {
  it('names only paths that exist', () => {
    expect(documents.flatMap(namedIn).filter(isPath).length).toBeGreaterThan(200);
    expect(missing((document, name) => isPath(name) && !isThere(document, name))).toEqual([]);
  });

  it('names only source files that exist, even if it omits the folder', () => {
    expect(missing((_, name) => /^[\w-]+\.ts$/.test(name) && !baseNames.has(name))).toEqual([]);
  });

  it('links only to pages that exist', () => {
    const broken = documents.flatMap((document) =>
      [...read(document).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !/^\w+:/.test(target))
        .filter((target) => !existsSync(path.join(root, path.dirname(document), target)))
        .map((target) => `${document}: ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it('docs/live.md describes every live field', () => {
    const [, body = ''] = /^type Live \{\n(.*?)^\}/ms.exec(read('schema.graphql')) ?? [];
    const fields = [...body.matchAll(/^ {2}(\w+)[(:]/gm)].map(([, name = '']) => name);
    expect(fields.length).toBeGreaterThanOrEqual(20);
    const page = read('docs/live.md');
    expect(fields.filter((name) => !new RegExp(`\`${name}\\b`).test(page))).toEqual([]);
  });
});
