import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

export const run = promisify(execFile);
export const root = path.resolve(import.meta.dirname, '../../../..');
const cache = path.join(root, '.cache/packages');

/** Package of the product. */
type PackageName = 'sdk' | 'react';

/** Compiles a package into a folder of the cache, and returns the folder. */
export async function compiledPackage(name: string, of: PackageName = 'sdk'): Promise<string> {
  const source = path.join(root, 'src/packages', of);
  const folder = path.join(cache, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
  await run(process.execPath, [compiler, '-p', source, '--outDir', path.join(folder, 'dist')]);
  cpSync(path.join(source, 'package.json'), path.join(folder, 'package.json'));
  return folder;
}

/** Creates a project in the cache that depends on a compiled package, and returns its folder. */
export function projectWith(
  name: string,
  compiled: string,
  files: Readonly<Record<string, string>>,
  of: PackageName = 'sdk',
): string {
  const folder = path.join(cache, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(path.join(folder, 'node_modules/@quittance'), { recursive: true });
  symlinkSync(compiled, path.join(folder, 'node_modules/@quittance', of));
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), text);
  return folder;
}
