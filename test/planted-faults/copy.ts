import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');

const cache = path.join(root, '.cache');
const copy = path.join(cache, 'planted-faults');

/** Returns the files in the working tree, including new files but excluding ignored and deleted ones. */
const files = (): string[] =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
    .split('\0')
    .filter((file) => file !== '' && existsSync(path.join(root, file)));

/** Copies the working tree, its generated files, and the prepared database. Returns the folder of the copy. */
export function copyWorkingTree(): string {
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(path.join(copy, '.cache'), { recursive: true });
  const prepared = readdirSync(cache).filter((name) => name.startsWith('embedded-') || name === 'web');
  const ignored = ['src/generated', ...prepared.map((name) => `.cache/${name}`)];
  for (const file of [...files(), ...ignored])
    cpSync(path.join(root, file), path.join(copy, file), { recursive: true });
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  return copy;
}

export const deleteCopy = (): void => rmSync(copy, { recursive: true, force: true });
