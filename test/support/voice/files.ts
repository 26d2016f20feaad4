import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../src/platform/root.ts';

const skipped = /(?:^|\/)(?:generated|node_modules|dist)\/|\.d\.ts$/;

/** Returns the sorted paths, relative to the project root, of the files below a folder whose names match. */
export const filesBelow = (folder: string, name: RegExp): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => path.join(folder, file))
    .filter((file) => name.test(file) && !skipped.test(file))
    .sort();

export const readText = (file: string): string => readFileSync(path.join(root, file), 'utf8');
