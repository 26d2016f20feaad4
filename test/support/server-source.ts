import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

// The server's source files and their imports, for architecture tests. Browser code has separate tests.

/** Root directory of the project. */
export const root = path.resolve(import.meta.dirname, '../..');

/** Source directory. */
export const source = path.join(root, 'src');

/** Paths of the source files, relative to `src`. */
export const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !/^(?:generated|dashboard|packages|pages|ui)\//.test(file))
  .sort();

/** Text of each source file. */
export const text = new Map(files.map((file) => [file, readFileSync(path.join(source, file), 'utf8')]));

/** Returns a source file's text without its comments, because words in comments don't violate architecture rules. */
export const code = (file: string): string =>
  (text.get(file) ?? '').replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');

/** Returns the project files that a file imports, relative to `src`. */
function importsOf(file: string): string[] {
  const found = code(file).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g);
  return [...found]
    .map(([, target = '']) => path.relative(source, path.resolve(source, path.dirname(file), target)))
    .filter((target) => !target.startsWith('generated'));
}

/** Imported files of each source file. */
export const imports = new Map(files.map((file) => [file, importsOf(file)]));

/** Returns the name of the top-level folder or file that contains a source file. */
export const layerOf = (file: string): string => file.split('/')[0] ?? '';
