import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Served, serveText } from '../http/fixed-text.ts';
import { root } from '../platform/root.ts';

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/**
 * Reads a file from the `assets` folder at start-up and returns the function that serves it. Throws if the file is missing or has an unknown type.
 */
export function readAsset(name: string): Served {
  const type = types[name.split('.').at(-1) ?? ''];
  if (type === undefined) throw new Error(`The asset ${name} has no known content type.`);
  return serveText(readFileSync(path.join(root, 'src/web/assets', name), 'utf8'), {
    'Content-Type': type,
  });
}
